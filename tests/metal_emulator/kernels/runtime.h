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

// Cell by cell, where several at once did not do.
template <Space S>
__attribute__((noinline)) void NoteEachCell(const Memory* memory, size_t cell, size_t end, bool write) {
  for (; cell < end; ++cell) {
    if (S == Space::kThreadgroup) {
      NoteThreadgroupCell(memory, cell, write);
    } else {
      NoteDeviceCell(memory, cell, write);
    }
  }
}

typedef int32_t Cells4 __attribute__((vector_size(16)));
typedef int32_t Cells2 __attribute__((vector_size(8)));
typedef int64_t Longs2 __attribute__((vector_size(16)));
inline bool Any(Cells4 mask) {
  const Longs2 longs = reinterpret_cast<Longs2>(mask);
  return (longs[0] | longs[1]) != 0;
}
inline bool Any(Cells2 mask) {
  int64_t bits;
  std::memcpy(&bits, &mask, sizeof(bits));
  return bits != 0;
}

template <class Cells>
inline Cells LoadCells(const int32_t* from) {
  Cells cells;
  std::memcpy(&cells, from, sizeof(cells));
  return cells;
}
template <class Cells>
inline void StoreCells(int32_t* to, Cells cells) {
  std::memcpy(to, &cells, sizeof(cells));
}

// Several cells at once: the usual case, in which nothing is wrong and little changes.
template <class Cells>
inline bool NoteThreadgroupCells(const Memory* memory, size_t cell, bool write) {
  const Cells w = LoadCells<Cells>(memory->writers + cell), r = LoadCells<Cells>(memory->readers + cell);
  const int32_t self = now.mark, first = FirstUnordered();
  const Cells by_others = (r >= first) & (r != self);
  if (write) {
    if (Any(((w >= first) & (w != self)) | by_others)) return false;
    StoreCells(memory->writers + cell, self - Cells{});
    return true;
  }
  // Read before by the whole simdgroup or by several of them: so it stays.
  const Cells stays = by_others & ((r == MarkOfSimdgroup()) | ((r & kAgentMask) == kSeveralAgents));
  if (Any(((w >= first) & (w != self)) | (by_others & ~stays))) return false;
  StoreCells(memory->readers + cell, (r & stays) | (self & ~stays));
  return true;
}
template <class Cells>
inline bool NoteDeviceCells(const Memory* memory, size_t cell, bool write) {
  const Cells w = LoadCells<Cells>(memory->writers + cell), r = LoadCells<Cells>(memory->readers + cell);
  const int32_t self = memory->self, before = memory->before;
  const Cells written = (w > before) & (w != self);
  if (write) {
    if (Any(written | ((r >= before) & (r != self)))) return false;
    StoreCells(memory->writers + cell, self - Cells{});
    return true;
  }
  if (Any(written)) return false;
  if (Any((r != self) & (r != before))) {
    const Cells alone = (r < before) | (r == self);
    StoreCells(memory->readers + cell, (alone & self) | (~alone & before));
  }
  return true;
}
template <Space S, class Cells>
inline bool NoteCells(const Memory* memory, size_t cell, bool write) {
  return S == Space::kThreadgroup ? NoteThreadgroupCells<Cells>(memory, cell, write)
                                  : NoteDeviceCells<Cells>(memory, cell, write);
}

template <Space S>
__attribute__((always_inline)) inline void CheckAccess(const Memory* memory, const void* address, size_t offset,
                                                       size_t bytes, size_t alignment, bool write) {
  if (__builtin_expect(offset > memory->size_bytes || memory->size_bytes - offset < bytes, 0)) {
    StopOutOfBounds(memory, address, bytes, write);
  }
  if (__builtin_expect((reinterpret_cast<uintptr_t>(address) & (alignment - 1)) != 0, 0)) {
    StopMisaligned(memory, address, alignment);
  }
}

// Checks and records `bytes` at `address`, elements that have `alignment`.
template <Space S>
inline void NoteAccess(const Memory* memory, const void* address, size_t bytes, size_t alignment, bool write) {
  const size_t offset = static_cast<size_t>(static_cast<const char*>(address) - memory->begin);
  CheckAccess<S>(memory, address, offset, bytes, alignment, write);
  if (memory->writers == nullptr) return;
  size_t cell = offset / 2;
  const size_t end = (offset + bytes + 1) / 2;
  for (; cell + 4 <= end; cell += 4) {
    if (!NoteCells<S, Cells4>(memory, cell, write)) NoteEachCell<S>(memory, cell, cell + 4, write);
  }
  if (cell < end) NoteEachCell<S>(memory, cell, end, write);
}

// The same of one element of type T.
template <Space S, class T>
__attribute__((always_inline)) inline void NoteElement(const Memory* memory, const void* address, bool write) {
  const size_t offset = static_cast<size_t>(static_cast<const char*>(address) - memory->begin);
  CheckAccess<S>(memory, address, offset, sizeof(T), alignof(T), write);
  if (memory->writers == nullptr) return;
  const size_t cell = offset / 2, end = (offset + sizeof(T) + 1) / 2;
  if (sizeof(T) <= 2) {
    if (S == Space::kThreadgroup) {
      NoteThreadgroupCell(memory, cell, write);
    } else {
      NoteDeviceCell(memory, cell, write);
    }
  } else if (sizeof(T) == 4 && alignof(T) == 4) {
    if (!NoteCells<S, Cells2>(memory, cell, write)) NoteEachCell<S>(memory, cell, end, write);
  } else if (sizeof(T) == 8 && alignof(T) >= 4) {
    if (!NoteCells<S, Cells4>(memory, cell, write)) NoteEachCell<S>(memory, cell, end, write);
  } else if (sizeof(T) == 16 && alignof(T) >= 4) {
    if (!NoteCells<S, Cells4>(memory, cell, write)) NoteEachCell<S>(memory, cell, cell + 4, write);
    if (!NoteCells<S, Cells4>(memory, cell + 4, write)) NoteEachCell<S>(memory, cell + 4, end, write);
  } else {
    NoteEachCell<S>(memory, cell, end, write);
  }
}

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_RUNTIME_H_
