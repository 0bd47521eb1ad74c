// How kernels share work between threads, and the scratch memory of a thread.
#ifndef INKREAD_BACKENDS_CPU_PARALLEL_H_
#define INKREAD_BACKENDS_CPU_PARALLEL_H_

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/aligned_buffer.h"
#include "base/round.h"
#include "base/status.h"
#include "base/thread_pool.h"

namespace inkread::cpu {

// Less than this much work (multiply-adds, or elements times what each costs) is not worth waking a thread for.
inline constexpr size_t kMinTaskWork = 40000;

// While it lives, this thread's tiniest values (below 1.2e-38) count as 0. Trained weights have such values, and
// x86 works on them a hundred times slower; Arm does the same, for the sake of the same results.
class FlushTinyValues {
 public:
  FlushTinyValues(const FlushTinyValues&) = delete;
  FlushTinyValues& operator=(const FlushTinyValues&) = delete;
#if defined(__SSE__)
  FlushTinyValues() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040); }  // flush to zero, denormals are zero
  ~FlushTinyValues() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
#elif defined(__aarch64__)
  FlushTinyValues() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    asm volatile("msr fpcr, %0" : : "r"(saved_ | kFlushBit) : "memory");
  }
  ~FlushTinyValues() { asm volatile("msr fpcr, %0" : : "r"(saved_) : "memory"); }

 private:
  static constexpr uint64_t kFlushBit = uint64_t{1} << 24;  // FZ, for inputs and results
  uint64_t saved_;
#else
  FlushTinyValues() {}
#endif
};

// body(i) for i in [0, count); the body is not copied, so nothing is allocated.
template <typename Body>
void ParallelFor(ThreadPool& pool, size_t count, Body&& body) {
  const auto task = [&body](size_t i) {
    const FlushTinyValues flush;
    body(i);
  };
  if (count == 1) {
    task(0);
  } else {
    pool.ParallelFor(count, std::ref(task));
  }
}

// body(begin, end) over blocks of [0, count), each of enough work, a few blocks a thread.
template <typename Body>
void ParallelBlocks(ThreadPool& pool, size_t count, size_t work_per_item, Body&& body) {
  if (count == 0) return;
  const size_t threads = static_cast<size_t>(pool.num_threads());
  const size_t worth = std::max<size_t>(1, count * std::max<size_t>(1, work_per_item) / kMinTaskWork);
  const size_t tasks = threads == 1 ? 1 : std::min({count, worth, threads * 4});
  const size_t block = DivideUp(count, tasks);
  ParallelFor(pool, DivideUp(count, block), [&](size_t i) { body(i * block, std::min(count, (i + 1) * block)); });
}

// Asks for memory that will be read soon; what is not there is not touched.
template <typename T>
inline void FetchAhead(const T* p, size_t count) {
  constexpr size_t kLine = 64 / sizeof(T);
  for (size_t i = 0; i < count; i += kLine) __builtin_prefetch(p + i);
}

// The same for memory that will be written: by the time its results are there, the lines are this core's.
template <typename T>
inline void FetchToWrite(T* p, size_t count) {
  constexpr size_t kLine = 64 / sizeof(T);
  for (size_t i = 0; i < count; i += kLine) __builtin_prefetch(p + i, 1);
}

// This thread's scratch block, 64-byte aligned; the next call may move it. Grows only. Kernels share one; who calls
// kernels while it uses its own names itself as the User.
template <typename User = void>
float* ThreadScratch(size_t num_floats) {
  thread_local AlignedBuffer buffer;
  INKREAD_CHECK(buffer.Reserve(num_floats * sizeof(float)).ok());
  return reinterpret_cast<float*>(buffer.data());
}

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_PARALLEL_H_
