// Metal kernels as functions of this program: what a library offers and how one dispatch of a kernel runs.
//
// The build makes a library of one Metal text (inkread_emulated_library() in CMakeLists.txt); whoever links it finds it
// in Libraries(). Everything here is plain data but for AccessRecorder and BufferAccess. Read by generated code too,
// which is compiled as C++14, as Metal's own language is: no std::span, no std::string_view.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_EMULATED_LIBRARY_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_EMULATED_LIBRARY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace metal_emulator {

class Invocation;  // one thread of one dispatch (runtime.h)

// The types a function constant may have; the values of `bits` below are its bytes, lowest first.
enum class ConstantType { kBool, kInt, kUint, kShort, kUshort, kFloat, kHalf };

struct FunctionConstant {
  std::string name;
  uint32_t index;
  ConstantType type;
  bool required;  // false: the text asks is_function_constant_defined() about it
};

// A kernel's argument with [[buffer(n)]].
struct BufferArgument {
  std::string name;
  uint32_t index;
  bool written;      // `device T*`; false for `device const T*`, `constant T*`, `constant T&`
  size_t min_bytes;  // of the element, or of the struct that a reference stands for
  size_t alignment;  // of the element: of base + offset too
  int32_t only_if;   // the bool function constant without which the argument does not exist, by index, or -1
};

struct ThreadgroupVariableInfo {
  std::string name;
  size_t size_bytes;
};

struct KernelInfo {
  std::string name;
  std::vector<BufferArgument> buffers;          // by rising index
  std::vector<uint32_t> threadgroup_arguments;  // indices of [[threadgroup(n)]]
  std::vector<FunctionConstant> constants;      // those that the kernel or a function it calls reads, by rising index
  uint32_t max_total_threads;                   // [[max_total_threads_per_threadgroup(n)]]; 1024 if not stated
  size_t static_threadgroup_bytes;              // threadgroup variables of the body, each rounded up to 16
  std::vector<ThreadgroupVariableInfo> threadgroup_variables;  // of the body, in order
  void (*entry)(Invocation&);
};

struct Library {
  std::string name;    // of the text's file, for messages
  std::string source;  // the exact text that it was made from
  std::vector<KernelInfo> kernels;
};

// All libraries linked into this program, in no particular order.
const std::vector<const Library*>& Libraries();
// The library made from exactly this text, or null.
const Library* FindLibrary(const char* source, size_t length);
// The kernel of that name, or null.
const KernelInfo* FindKernel(const Library& library, const std::string& name);

enum class FaultKind {
  kNone,
  kMissingBinding,  // a buffer, threadgroup length or function constant that the kernel declares is not given
  kBadDispatch,     // no threads, too many, too much threadgroup memory, a binding too small or not aligned
  kOutOfBounds,     // an access outside what is bound
  kMisaligned,      // an access that its type's alignment forbids
  kRace,            // one cell written by one and touched by another without a barrier between them
  kDivergence,      // a barrier or simdgroup function that not all threads reach
};

struct Fault {
  FaultKind kind = FaultKind::kNone;
  std::string message;  // kernel, threadgroup, thread, and what it did
  explicit operator bool() const { return kind != FaultKind::kNone; }
};

// Who touched which two bytes of a buffer last. Made once with the buffer, by whoever owns it; costs four times the
// buffer's size, of which only what kernels touch is ever in memory.
class BufferAccess {
 public:
  explicit BufferAccess(size_t size_bytes);
  ~BufferAccess();
  BufferAccess(const BufferAccess&) = delete;
  BufferAccess& operator=(const BufferAccess&) = delete;

  int32_t* writers() const { return writers_; }
  int32_t* readers() const { return readers_; }
  size_t num_cells() const { return num_cells_; }

 private:
  size_t num_cells_;
  int32_t* writers_;
  int32_t* readers_;
};

// Finds races between dispatches and between the threadgroups of one. One for each encoder (or command buffer); all
// dispatches between two calls of Barrier() may run at the same time, so none may touch what another one writes.
//
// Threads   one caller at a time; several recorders may be in use at once
class AccessRecorder {
 public:
  AccessRecorder() { Barrier(); }

  // What ran before is complete and visible to what follows: a memory barrier, a new encoder, and in a serial encoder
  // the end of each dispatch.
  void Barrier();

  // For Dispatch: numbers for the threadgroups of one, the first of them returned; 0 when numbers have run out.
  int32_t Begin(const std::string& kernel, uint64_t dispatch, size_t num_groups);
  // Numbers up to this one are of before the last barrier.
  int32_t before() const { return before_; }
  // "kernel 'x' (dispatch 3), threadgroup 5 of 8" for a number since the last barrier.
  std::string Describe(int32_t number) const;

 private:
  struct Range {
    int32_t first;
    size_t num_groups;
    std::string kernel;
    uint64_t dispatch;
  };
  int32_t before_ = 0;
  std::vector<Range> ranges_;
};

struct BoundBuffer {
  uint32_t index;
  void* base;  // of the whole buffer
  size_t size_bytes;
  size_t offset_bytes;   // where the kernel's pointer points; what lies before is out of bounds
  std::string label;     // for messages
  BufferAccess* access;  // null: accesses are checked but not recorded
};

struct BoundBytes {  // setBytes
  uint32_t index;
  const void* data;
  size_t size_bytes;
};

struct ThreadgroupLength {
  uint32_t index;
  size_t size_bytes;
};

struct ConstantValue {
  uint32_t index;
  uint64_t bits;
};

struct Size3 {
  uint32_t x = 1, y = 1, z = 1;
};

struct KernelCall {
  const KernelInfo* kernel = nullptr;
  std::vector<BoundBuffer> buffers;  // more than the kernel asks for is fine
  std::vector<BoundBytes> bytes;
  std::vector<ThreadgroupLength> threadgroup_lengths;
  std::vector<ConstantValue> constants;
  Size3 groups;                 // threadgroups of the grid
  Size3 threads_per_group;      // at most
  Size3 grid_threads{0, 0, 0};  // dispatchThreads: threads of the grid, the last threadgroups are cut; 0: not given
  uint64_t dispatch = 0;        // the caller's number, for messages
  AccessRecorder* recorder = nullptr;
  uint64_t seed = 1;             // of the order in which threads run
  unsigned num_cpu_threads = 0;  // that run threadgroups; 0: as many as the machine has
  int32_t num_epochs = 0;        // barriers are told apart by so many numbers, which then begin anew; 0: all there are
  size_t max_threadgroup_bytes = 32768;
  uint32_t max_threads_per_group = 1024;
};

// Runs a kernel to its end, or to its first fault. Threads   safe from several threads
Fault Dispatch(const KernelCall& call);

// For generated code: the library with all lists by rising index; puts a library among Libraries() before main() runs.
Library InOrder(Library library);
struct RegisterLibrary {
  explicit RegisterLibrary(const Library* library);
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_EMULATED_LIBRARY_H_
