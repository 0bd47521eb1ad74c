// How kernels share work between threads, and the scratch memory of a thread.
#ifndef INKREAD_BACKENDS_CPU_PARALLEL_H_
#define INKREAD_BACKENDS_CPU_PARALLEL_H_

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/aligned_buffer.h"
#include "base/round.h"
#include "base/status.h"
#include "base/thread_pool.h"

namespace inkread::cpu {

// Work is counted in multiply-adds, or in elements times the cost of each. What a core does of it in a nanosecond,
// roughly: 8 to 60, by kernel.
inline constexpr size_t kWorkPerNanosecond = 16;
// Less is not worth handing to a thread that is awake: 2.5 us.
inline constexpr size_t kMinTaskWork = 40000;

// The threads that are to share a loop of so much work.
inline size_t ThreadsFor(const ThreadPool& pool, size_t work) {
  return static_cast<size_t>(pool.num_available(std::chrono::nanoseconds(work / kWorkPerNanosecond)));
}

// While an object lives, values below 1.2e-38 count as 0 on this thread. Trained weights have such values, and x86
// computes with them a hundred times slower. Arm does it too, so that results are the same.
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

// This thread's scratch, 64-byte aligned. It grows only.
inline AlignedBuffer& ThreadScratch() {
  thread_local AlignedBuffer buffer;
  return buffer;
}

// Makes this thread's scratch at least num_floats large.
// Errors  kOutOfMemory
inline Status ReserveThreadScratch(size_t num_floats) { return ThreadScratch().Reserve(num_floats * sizeof(float)); }

// Calls body(i, scratch) for i in [0, count) on this thread and on idle ones, where scratch is num_floats of the calling
// thread's own. This thread must have reserved them, so a loop never fails for want of scratch: a helper that has no
// memory for its own leaves its share to the other threads. The body is not copied, and nothing else is allocated.
template <typename Body>
void ParallelFor(ThreadPool& pool, size_t count, size_t num_floats, Body&& body) {
  INKREAD_CHECK(ThreadScratch().size_bytes() >= num_floats * sizeof(float));
  const FlushTinyValues flush;
  // On a cache line of its own: what all threads read is beside it on this thread's stack.
  struct alignas(64) {
    std::atomic<size_t> value = 0;
  } next;
  const auto run = [&] {
    float* const scratch = reinterpret_cast<float*>(ThreadScratch().data());
    for (size_t i; (i = next.value.fetch_add(1, std::memory_order_relaxed)) < count;) body(i, scratch);
  };
  const auto help = [&](size_t) {
    const FlushTinyValues flush_helper;
    if (next.value < count && ReserveThreadScratch(num_floats).ok()) run();
  };
  const size_t threads = std::min(count, static_cast<size_t>(pool.num_available()));
  if (threads > 1) pool.ParallelFor(threads, std::ref(help));
  run();  // everything if there are no helpers
}

// The same without scratch.
template <typename Body>
void ParallelFor(ThreadPool& pool, size_t count, Body&& body) {
  ParallelFor(pool, count, 0, [&body](size_t i, float*) { body(i); });
}

// The items of a block of [0, count): enough for a thread, and a few blocks for each thread.
inline size_t BlockSize(const ThreadPool& pool, size_t count, size_t work_per_item) {
  const size_t work = count * std::max<size_t>(1, work_per_item);
  const size_t threads = ThreadsFor(pool, work);
  const size_t worth = std::max<size_t>(1, work / kMinTaskWork);
  return DivideUp(count, threads == 1 ? 1 : std::min({count, worth, threads * 4}));
}

// Calls body(begin, end) for blocks of [0, count).
template <typename Body>
void ParallelBlocks(ThreadPool& pool, size_t count, size_t work_per_item, Body&& body) {
  if (count == 0) return;
  const size_t block = BlockSize(pool, count, work_per_item);
  ParallelFor(pool, DivideUp(count, block), [&](size_t i) { body(i * block, std::min(count, (i + 1) * block)); });
}

// Calls body(begin, end, scratch), with num_floats of scratch as above.
template <typename Body>
void ParallelBlocks(ThreadPool& pool, size_t count, size_t work_per_item, size_t num_floats, Body&& body) {
  if (count == 0) return;
  const size_t block = BlockSize(pool, count, work_per_item);
  ParallelFor(pool, DivideUp(count, block), num_floats,
              [&](size_t i, float* scratch) { body(i * block, std::min(count, (i + 1) * block), scratch); });
}

// Prefetches memory that will be read soon. The addresses need not be mapped.
template <typename T>
inline void FetchAhead(const T* p, size_t count) {
  constexpr size_t kLine = 64 / sizeof(T);
  for (size_t i = 0; i < count; i += kLine) __builtin_prefetch(p + i);
}

// Prefetches memory that will be written soon: this core then owns the cache lines by the time results are stored.
template <typename T>
inline void FetchToWrite(T* p, size_t count) {
  constexpr size_t kLine = 64 / sizeof(T);
  for (size_t i = 0; i < count; i += kLine) __builtin_prefetch(p + i, 1);
}

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_PARALLEL_H_
