// What a running kernel's thread asks of the emulator: is this access allowed, meet the others here, stop with a fault.
//
// The Metal headers of include/ stand on it, and the code that translate.py makes. C++14, as those are.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_RUNTIME_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_RUNTIME_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tests/metal_emulator/kernels/emulated_library.h"

namespace metal_emulator {

constexpr uint32_t kLanes = 32;  // threads of a simdgroup

enum class Space { kDevice, kConstant, kThreadgroup };

// Who a thread is to the cells of threadgroup memory. A mark is (epoch << kAgentBits) + agent: agents are the group's
// threads, then its simdgroups (for what one does as a whole), then "several". The epoch rises with each barrier.
constexpr int kAgentBits = 11;
constexpr int32_t kAgentMask = (1 << kAgentBits) - 1;
constexpr int32_t kFirstSimdgroupAgent = 1024;
constexpr int32_t kSeveralAgents = kAgentMask;

// The running thread.
struct Now {
  int32_t mark;         // what it leaves in cells
  int32_t group_epoch;  // marks of earlier epochs are ordered before it, by a threadgroup's barrier
  int32_t simd_epoch;   // marks of its own simdgroup of earlier epochs are
  int32_t simdgroup;
  uint32_t lane;
  uint32_t calls;  // mixes what was asked of the simdgroup as a whole so far; equal in all its lanes
  bool leads;      // does the work of the whole simdgroup
};
extern thread_local Now now __attribute__((tls_model("initial-exec")));

// What a pointer may reach: a bound buffer, bytes, a threadgroup variable.
struct Memory {
  char* begin = nullptr;
  size_t size_bytes = 0;
  int32_t* writers = nullptr;  // by cell of two bytes; null: not recorded
  int32_t* readers = nullptr;
  int32_t self = 0;    // device: the running threadgroup's number ...
  int32_t before = 0;  // ... and the last number that is ordered before it, which also stands for "several readers"
  Space space = Space::kDevice;
  uint32_t index = 0;     // of the argument
  const char* name = "";  // of the argument or the variable's place
  const BoundBuffer* buffer = nullptr;
};

extern const Memory kNowhere;  // of pointers that were never set

// Each stops the dispatch; the thread does not run on.
[[noreturn]] void StopOutOfBounds(const Memory* memory, const void* address, size_t bytes, bool write);
[[noreturn]] void StopMisaligned(const Memory* memory, const void* address, size_t alignment);
[[noreturn]] void StopRace(const Memory* memory, size_t cell, int32_t other, bool other_wrote, bool write);
[[noreturn]] void StopLane(const char* what, uint32_t lane, int line);

// Waits for all threads of the threadgroup. `memory`: threadgroup memory too is in order afterwards.
void MeetGroup(bool memory, int line);
// Waits for all threads of the simdgroup.
void MeetSimdgroup(bool memory, int line);
// Gives `value` to the lanes of the simdgroup and waits for theirs: an array by lane, `kLanes` values of 16 bytes, good
// until the thread's next call but one. `present` (not null) is how many lanes there are.
struct Slot {
  alignas(16) unsigned char bytes[16];
};
const Slot* ExchangeInSimdgroup(const void* value, size_t bytes, const char* what, int line, uint32_t* present);

// The memory of the body's threadgroup variable number `variable`, counted from 0.
const Memory* ThreadgroupVariable(uint32_t variable);
// Function constants of this dispatch by index, all that the kernel can ask for; those without a value are 0.
struct FunctionConstants {
  const uint64_t* bits;
  const bool* defined;
};
extern thread_local FunctionConstants function_constants __attribute__((tls_model("initial-exec")));
inline bool IsFunctionConstantDefined(uint32_t index) { return function_constants.defined[index]; }

template <class T>
inline T FunctionConstantValue(uint32_t index) {
  T value;
  std::memcpy(&value, function_constants.bits + index, sizeof(T));
  return value;
}

// What an entry point makes its arguments of.
class Invocation {
 public:
  virtual const Memory* Buffer(uint32_t index) = 0;
  virtual const Memory* ThreadgroupArgument(uint32_t index) = 0;
  virtual uint32_t ThreadPositionInGrid(int axis) = 0;
  virtual uint32_t ThreadgroupPositionInGrid(int axis) = 0;
  virtual uint32_t ThreadPositionInThreadgroup(int axis) = 0;
  virtual uint32_t ThreadsPerThreadgroup(int axis) = 0;
  virtual uint32_t ThreadgroupsPerGrid(int axis) = 0;
  virtual uint32_t ThreadsPerGrid(int axis) = 0;
  virtual uint32_t ThreadIndexInThreadgroup() = 0;
  virtual uint32_t ThreadIndexInSimdgroup() = 0;
  virtual uint32_t SimdgroupIndexInThreadgroup() = 0;
  virtual uint32_t SimdgroupsPerThreadgroup() = 0;
  uint32_t ThreadsPerSimdgroup() { return kLanes; }

 protected:
  ~Invocation() = default;
};

// --- accesses -------------------------------------------------------------------------------------------------------

inline int32_t SimdgroupOf(int32_t agent) {
  return agent < kFirstSimdgroupAgent ? agent / int32_t{kLanes} : agent - kFirstSimdgroupAgent;
}

// Marks before this one are ordered by a threadgroup's barrier.
inline int32_t FirstUnordered() { return now.group_epoch << kAgentBits; }

inline bool IsOrdered(int32_t mark) {
  if (mark < FirstUnordered()) return true;
  const int32_t agent = mark & kAgentMask;
  if (agent == (now.mark & kAgentMask)) return true;
  return SimdgroupOf(agent) == now.simdgroup && (mark >> kAgentBits) < now.simd_epoch;
}

// The running thread's simdgroup as a whole.
inline int32_t MarkOfSimdgroup() { return (now.mark & ~kAgentMask) | (kFirstSimdgroupAgent + now.simdgroup); }

// The mark of a cell that was read since the last barrier by another than reads it now.
inline int32_t MarkOfReaders(int32_t reader) {
  if (IsOrdered(reader)) return now.mark;
  const int32_t agent =
      SimdgroupOf(reader & kAgentMask) == now.simdgroup ? kFirstSimdgroupAgent + now.simdgroup : kSeveralAgents;
  return (now.mark & ~kAgentMask) | agent;
}

inline void NoteThreadgroupCell(const Memory* memory, size_t cell, bool write) {
  const int32_t writer = memory->writers[cell], reader = memory->readers[cell], first = FirstUnordered();
  if (writer >= first && !IsOrdered(writer)) StopRace(memory, cell, writer, true, write);
  if (write) {
    if (reader >= first && !IsOrdered(reader)) StopRace(memory, cell, reader, false, true);
    memory->writers[cell] = now.mark;
  } else if (reader < first) {
    memory->readers[cell] = now.mark;
  } else if (reader != now.mark && reader != MarkOfSimdgroup() && (reader & kAgentMask) != kSeveralAgents) {
    memory->readers[cell] = MarkOfReaders(reader);
  }
}

inline void NoteDeviceCell(const Memory* memory, size_t cell, bool write) {
  const int32_t self = memory->self, before = memory->before;
  const int32_t writer = __atomic_load_n(memory->writers + cell, __ATOMIC_RELAXED);
  const int32_t reader = __atomic_load_n(memory->readers + cell, __ATOMIC_RELAXED);
  if (writer > before && writer != self) StopRace(memory, cell, writer, true, write);
  if (write) {
    if (reader >= before && reader != self) StopRace(memory, cell, reader, false, true);
    __atomic_store_n(memory->writers + cell, self, __ATOMIC_RELAXED);
  } else if (reader != self && reader != before) {
    __atomic_store_n(memory->readers + cell, reader > before ? before : self, __ATOMIC_RELAXED);
  }
}

template <Space S>
inline void NoteCell(const Memory* memory, size_t cell, bool write) {
  if (S == Space::kThreadgroup) {
    NoteThreadgroupCell(memory, cell, write);
  } else {
    NoteDeviceCell(memory, cell, write);
  }
}

// Four cells at a time: the usual case, in which nothing is to be said, without looking at each.
typedef int32_t Cells4 __attribute__((vector_size(16), aligned(4), may_alias));
inline bool Any(Cells4 mask) {
  typedef int64_t Halves __attribute__((vector_size(16)));
  const Halves halves = reinterpret_cast<Halves>(mask);
  return (halves[0] | halves[1]) != 0;
}

template <Space S>
inline void NoteFourCells(const Memory* memory, size_t cell, bool write) {
  Cells4* writers = reinterpret_cast<Cells4*>(memory->writers + cell);
  Cells4* readers = reinterpret_cast<Cells4*>(memory->readers + cell);
  const Cells4 w = *writers, r = *readers;
  const int32_t self = S == Space::kThreadgroup ? now.mark : memory->self;
  // What is below is ordered before.
  const int32_t first = S == Space::kThreadgroup ? FirstUnordered() : memory->before + 1;
  if (write ? !Any(((w >= first) & (w != self)) | ((r >= first - (S != Space::kThreadgroup)) & (r != self)))
            : !Any(((w >= first) & (w != self)) | ((r >= first) & (r != self)))) {
    if (write) {
      *writers = Cells4{self, self, self, self};
    } else if (S == Space::kThreadgroup) {
      *readers = Cells4{self, self, self, self};
    } else if (Any((r != self) & (r != first - 1))) {
      const Cells4 several = r == first - 1;
      *readers = (several & r) | (~several & self);
    }
    return;
  }
  for (size_t i = 0; i < 4; ++i) NoteCell<S>(memory, cell + i, write);
}

template <Space S>
inline void NoteCells(const Memory* memory, size_t cell, size_t end, bool write) {
  for (; cell + 4 <= end; cell += 4) NoteFourCells<S>(memory, cell, write);
  for (; cell < end; ++cell) NoteCell<S>(memory, cell, write);
}

// Checks `bytes` at `address`; an element there has `alignment`.
template <Space S>
inline void NoteAccess(const Memory* memory, const void* address, size_t bytes, size_t alignment, bool write) {
  const size_t offset = static_cast<size_t>(static_cast<const char*>(address) - memory->begin);
  if (__builtin_expect(offset > memory->size_bytes || memory->size_bytes - offset < bytes, 0)) {
    StopOutOfBounds(memory, address, bytes, write);
  }
  if (__builtin_expect((reinterpret_cast<uintptr_t>(address) & (alignment - 1)) != 0, 0)) {
    StopMisaligned(memory, address, alignment);
  }
  if (memory->writers == nullptr) return;
  NoteCells<S>(memory, offset / 2, (offset + bytes + 1) / 2, write);
}

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_RUNTIME_H_
