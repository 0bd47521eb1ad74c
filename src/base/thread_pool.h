// Threads that share loops: a caller works on its loop itself, and threads that have nothing else to do join in.
//
// A pool of n threads has n - 1 workers, since a caller is a thread too. Workers join only as long as no more than n
// threads are at work. When every thread has a caller of its own, a loop therefore runs whole on its caller, at the cost
// of one load of an atomic per index. A worker that helps gives way between two indices when another caller comes.
//
// Loops nest, and many callers may run loops at once. There is no deadlock, since a thread that waits holds no index
// that another thread could run.
#ifndef INKREAD_BASE_THREAD_POOL_H_
#define INKREAD_BASE_THREAD_POOL_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/status.h"

namespace inkread {

class ThreadPool {
 public:
  // num_threads  at least 1, the calling thread included. Where the system refuses to create a thread the pool has
  //              fewer, in the worst case no worker; num_threads() says how many.
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

  // The threads that would share a loop that starts now: the calling one and the idle ones. At least 1.
  int num_available() const {
    const int num_free = num_free_.load(std::memory_order_relaxed);
    return num_free <= 0 ? 1 : std::min(num_free + 1, num_threads());
  }
  // The same, less the threads that sleep and that a loop is too short for. work: what it takes one thread. When a
  // sleeping thread has woken, there should be about as much work left for it.
  int num_available(std::chrono::nanoseconds work) const;

  // While it lives the calling thread counts as at work. Each loop does this for itself. A caller of many loops does it
  // for all of them, so that no worker takes its processor between two loops.
  class Busy {
   public:
    explicit Busy(ThreadPool& pool);
    ~Busy();
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    ThreadPool* pool_ = nullptr;  // null: the thread was at work already
    ThreadPool* const outer_pool_;
    const int outer_depth_;
  };

  // Calls body(i) once for each i in [0, count), on this thread and on idle ones, and returns when all calls have
  // returned. Lower indices start first. Which thread runs which index is not fixed, so results must not depend on it.
  // If bodies throw, as the standard library does when memory runs out, one of their exceptions is rethrown here after
  // all running bodies have ended; the other indices may or may not have been called.
  void ParallelFor(size_t count, const std::function<void(size_t)>& body) { Run(count, body, false); }

  // The same for bodies that call WorkUntil: threads that wait there do not start them.
  void ParallelForThatWaits(size_t count, const std::function<void(size_t)>& body) { Run(count, body, true); }

  // The same for bodies that return a Status. All indices are called, unless memory runs out.
  // Errors  the first one of a body, by index; kOutOfMemory if a body throws std::bad_alloc
  Status ParallelTry(size_t count, const std::function<Status(size_t)>& body);

  // Returns once ready() has returned true. Until then this thread counts as idle: it works on the loops of others, and
  // sleeps if there are none. ready() is called on this thread. It must neither throw nor call the pool. A thread that
  // makes it true calls WakeWaiting afterwards.
  void WorkUntil(const std::function<bool()>& ready);
  void WakeWaiting();

  // How long a sleeping thread takes to wake on this machine at present: a running mean of what was measured.
  std::chrono::nanoseconds wake_time() const {
    return std::chrono::nanoseconds(wake_ns_.load(std::memory_order_relaxed));
  }

 private:
  static constexpr size_t kCacheLine = 64;
  // A loop that idle threads may join. It stays in the pool when its caller has gone, so a thread that looks for work
  // may look at any.
  struct alignas(kCacheLine) Loop {
    // Set before the loop is opened.
    const std::function<void(size_t)>* body = nullptr;
    size_t count = 0;
    int depth = 0;                   // how many loops a body is inside of
    std::atomic<uint64_t> rank = 0;  // the loop with the lowest is joined first

    std::exception_ptr thrown;     // by a body; written under mutex_
    std::condition_variable done;  // for the caller
    // The number of helpers, and flags. A thread joins by one exchange, which fails if this has become another loop.
    std::atomic<uint32_t> state = 0;
    alignas(kCacheLine) std::atomic<size_t> next = 0;  // the first index that no thread has taken
  };
  static constexpr size_t kMaxLoops = 64;  // that can be joined at the same time; further callers work alone
  static constexpr uint32_t kOpen = uint32_t{1} << 31;   // threads may join
  static constexpr uint32_t kWaits = uint32_t{1} << 30;  // its bodies may call WorkUntil
  static constexpr uint32_t kCallerSleeps = uint32_t{1} << 29;
  static constexpr uint32_t kHelpers = kCallerSleeps - 1;

  // What a thread that looks for work may start.
  enum class Allowed { kAllLoops, kLoopsThatDoNotWait };
  static bool MayJoin(uint32_t state, Allowed allowed) {
    return (state & kOpen) != 0 && (allowed == Allowed::kAllLoops || (state & kWaits) == 0);
  }

  void Run(size_t count, const std::function<void(size_t)>& body, bool waits);
  void RunShared(size_t begin, size_t count, const std::function<void(size_t)>& body, bool waits);
  Loop* OpenLoop(size_t begin, size_t count, const std::function<void(size_t)>& body, bool waits);
  bool RunNext(Loop& loop);    // false: no index is left
  void CloseLoop(Loop& loop);  // waits for its helpers
  template <typename HasEnded>
  void SleepUntil(Loop& loop, const HasEnded& has_ended);
  uint64_t BitOf(const Loop& loop) const { return uint64_t{1} << (&loop - loops_.data()); }

  // Of threads without work of their own. They are at work only while they help.
  void Work();
  bool HasWork(Allowed allowed) const;
  bool Help(Allowed allowed, bool only_one_index);  // false: there is nothing to do
  const Loop* FindLoop(Allowed allowed) const;
  Loop* JoinLoop(Allowed allowed);
  void LeaveLoop(Loop& loop);

  void BeginIdle();  // of a caller
  bool BeginHelping();
  bool GivesWay();
  void Wake(size_t num_indices);

  std::array<Loop, kMaxLoops> loops_;
  // Bits of loops_: in use, and with indices left.
  alignas(kCacheLine) std::atomic<uint64_t> used_ = 0;
  alignas(kCacheLine) std::atomic<uint64_t> open_ = 0;
  std::atomic<uint64_t> num_opened_ = 0;
  // num_threads() less the threads at work. Below 0 if there are more callers than threads, or if helpers have yet to
  // give way.
  alignas(kCacheLine) std::atomic<int> num_free_ = 1;
  alignas(kCacheLine) std::atomic<int> num_asleep_ = 0;  // workers
  std::atomic<int> num_waiting_asleep_ = 0;              // threads in WorkUntil
  std::atomic<int> num_looking_ = 0;                     // workers that will find a new loop without being woken
  std::atomic<int> num_to_wake_ = 0;                     // workers that were woken and have not noticed yet
  std::atomic<int64_t> wake_ns_ = 20'000;                // a guess until a worker has been woken

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, wake_waiting_;
  uint64_t num_signals_ = 0;  // to threads in WorkUntil
  std::chrono::steady_clock::time_point woken_at_;
  bool stopping_ = false;

  std::vector<std::thread> workers_;
};

}  // namespace inkread

#endif  // INKREAD_BASE_THREAD_POOL_H_
