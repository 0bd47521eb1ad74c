#include "base/thread_pool.h"

#include <bit>
#include <new>
#include <system_error>
#include <utility>

#include "base/trace.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace inkread {
namespace {

using Clock = std::chrono::steady_clock;

// What the calling thread is at work for, and how many loops it is inside of.
thread_local ThreadPool* current_pool = nullptr;
thread_local int current_depth = 0;

class AtDepth {
 public:
  explicit AtDepth(int depth) : outer_(std::exchange(current_depth, depth)) {}
  ~AtDepth() { current_depth = outer_; }
  AtDepth(const AtDepth&) = delete;
  AtDepth& operator=(const AtDepth&) = delete;

 private:
  const int outer_;
};

// The order in which loops are joined: those inside the fewest loops first, since their pieces are large, and of these
// the oldest.
uint64_t RankOf(int depth, uint64_t order) {
  return static_cast<uint64_t>(std::min(depth, 255)) << 56 | (order << 8) >> 8;
}

void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Looks for at most `limit` whether ends() is true; returns whether it was.
template <typename Ends>
bool SpinUntil(std::chrono::nanoseconds limit, const Ends& ends) {
  for (const auto start = Clock::now(); !ends();) {
    if (Clock::now() - start > limit) return false;
    for (int i = 0; i < 8; ++i) Pause();
  }
  return true;
}

}  // namespace

ThreadPool::Busy::Busy(ThreadPool& pool) : outer_pool_(current_pool), outer_depth_(current_depth) {
  if (current_pool == &pool) return;
  pool_ = &pool;
  current_pool = &pool;
  current_depth = 0;
  pool.num_free_.fetch_sub(1);
}

ThreadPool::Busy::~Busy() {
  if (pool_ == nullptr) return;
  current_pool = outer_pool_;
  current_depth = outer_depth_;
  pool_->BeginIdle();
}

ThreadPool::ThreadPool(int num_threads) {
  INKREAD_CHECK(num_threads >= 1);
  // Before the first thread starts: a throwing constructor would destroy running threads, which ends the process.
  workers_.reserve(static_cast<size_t>(num_threads) - 1);
  try {
    while (this->num_threads() < num_threads) {
      workers_.emplace_back([this] { Work(); });
      num_free_.fetch_add(1);
    }
  } catch (const std::system_error&) {  // the limit on processes, or no address space for a stack
  } catch (const std::bad_alloc&) {
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

int ThreadPool::num_available(std::chrono::nanoseconds work) const {
  const int available = num_available();
  if (available == 1) return 1;
  const int awake = 1 + num_looking_.load(std::memory_order_relaxed);
  const int64_t worth_waking_for = work / wake_time();
  return static_cast<int>(std::min<int64_t>(available, std::max<int64_t>(awake, worth_waking_for)));
}

void ThreadPool::Run(size_t count, const std::function<void(size_t)>& body, bool waits) {
  if (count == 0) return;
  const Busy busy(*this);
  const AtDepth inside(current_depth + 1);
  size_t i = 0;
  for (; i + 1 < count; ++i) {
    if (num_available() > 1) return RunShared(i, count, body, waits);
    body(i);
  }
  body(i);
}

Status ThreadPool::ParallelTry(size_t count, const std::function<Status(size_t)>& body) {
  try {
    std::vector<Status> statuses(count);
    ParallelFor(count, [&](size_t i) { statuses[i] = body(i); });
    for (Status& status : statuses) INKREAD_RETURN_IF_ERROR(std::move(status));
    return Status();
  } catch (const std::bad_alloc&) {
    return OutOfMemory("no memory for a parallel loop");
  }
}

void ThreadPool::RunShared(size_t begin, size_t count, const std::function<void(size_t)>& body, bool waits) {
  Loop* const loop = OpenLoop(begin, count, body, waits);
  if (loop == nullptr) {
    for (size_t i = begin; i < count; ++i) body(i);
    return;
  }
  Wake(count - begin - 1);
  while (RunNext(*loop)) {
  }
  CloseLoop(*loop);
}

// Null if kMaxLoops are in use.
ThreadPool::Loop* ThreadPool::OpenLoop(size_t begin, size_t count, const std::function<void(size_t)>& body,
                                       bool waits) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (~used == 0) return nullptr;
  } while (!used_.compare_exchange_weak(used, used | (used + 1), std::memory_order_acquire));
  Loop& loop = loops_[static_cast<size_t>(std::countr_one(used))];
  loop.body = &body;
  loop.count = count;
  loop.depth = current_depth;
  loop.next.store(begin, std::memory_order_relaxed);
  loop.rank.store(RankOf(current_depth, num_opened_.fetch_add(1, std::memory_order_relaxed)),
                  std::memory_order_relaxed);
  loop.state.store(kOpen | (waits ? kWaits : 0), std::memory_order_release);
  open_.fetch_or(BitOf(loop));
  return &loop;
}

bool ThreadPool::RunNext(Loop& loop) {
  const size_t i = loop.next.fetch_add(1, std::memory_order_relaxed);
  if (i + 1 >= loop.count) open_.fetch_and(~BitOf(loop));
  if (i >= loop.count) return false;
  try {
    (*loop.body)(i);
  } catch (...) {
    loop.next.store(loop.count, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    loop.thrown = std::current_exception();
  }
  return true;
}

void ThreadPool::CloseLoop(Loop& loop) {
  loop.state.fetch_and(~kOpen);
  const TraceSpan span("wait for helpers");
  const auto has_ended = [&loop] { return (loop.state.load(std::memory_order_acquire) & kHelpers) == 0; };
  if (!SpinUntil(wake_time(), has_ended)) SleepUntil(loop, has_ended);
  const std::exception_ptr thrown = std::exchange(loop.thrown, nullptr);
  used_.fetch_and(~BitOf(loop), std::memory_order_release);
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

// Helpers are often done at once, and for so short a time it does not pay that another thread begins something.
template <typename HasEnded>
void ThreadPool::SleepUntil(Loop& loop, const HasEnded& has_ended) {
  std::unique_lock lock(mutex_);
  loop.state.fetch_or(kCallerSleeps);
  if (loop.done.wait_for(lock, 10 * wake_time(), has_ended)) return;
  lock.unlock();
  BeginIdle();
  lock.lock();
  loop.done.wait(lock, has_ended);
  num_free_.fetch_sub(1);
}

void ThreadPool::Work() {
  current_pool = this;
  while (true) {
    // The next loop of the same network is often opened at once. To look out for it for as long as waking takes costs
    // no more than to be woken.
    while (Help(Allowed::kAllLoops, false)) {
      num_looking_.fetch_add(1);
      SpinUntil(wake_time(), [this] { return HasWork(Allowed::kAllLoops); });
      num_looking_.fetch_sub(1);
    }
    std::unique_lock lock(mutex_);
    num_asleep_.fetch_add(1);
    if (!HasWork(Allowed::kAllLoops)) wake_.wait(lock, [this] { return num_to_wake_ > 0 || stopping_; });
    num_asleep_.fetch_sub(1);
    if (stopping_) return;
    if (num_to_wake_ == 0) continue;
    --num_to_wake_;
    constexpr int64_t kLongest = 200'000;  // longer than this the thread had no processor
    const int64_t ns = std::chrono::nanoseconds(Clock::now() - woken_at_).count();
    wake_ns_ = wake_ns_ + (std::min(ns, kLongest) - wake_ns_) / 8;
  }
}

bool ThreadPool::HasWork(Allowed allowed) const {
  if (open_.load() == 0 || num_free_.load() <= 0) return false;
  return allowed == Allowed::kAllLoops || FindLoop(allowed) != nullptr;
}

bool ThreadPool::Help(Allowed allowed, bool only_one_index) {
  if (open_.load() == 0 || !BeginHelping()) return false;
  Loop* const loop = JoinLoop(allowed);
  if (loop == nullptr) {
    num_free_.fetch_add(1);
    return false;
  }
  // Each thread that joins wakes further ones, so waking many does not hold up the caller. Where this loop has nothing
  // left, another's caller may have counted on this thread.
  const size_t next = loop->next.load(std::memory_order_relaxed);
  if (next + 1 < loop->count) {
    Wake(loop->count - next - 1);
  } else if ((open_.load() & ~BitOf(*loop)) != 0) {
    Wake(1);
  }
  bool is_at_work = true;
  {
    const TraceSpan span("help");
    const AtDepth inside(loop->depth);
    while (is_at_work && RunNext(*loop) && !only_one_index) is_at_work = !GivesWay();
  }
  LeaveLoop(*loop);
  if (is_at_work) num_free_.fetch_add(1);
  return true;
}

// The loop of the lowest rank that has indices left; null if there is none.
const ThreadPool::Loop* ThreadPool::FindLoop(Allowed allowed) const {
  const Loop* best = nullptr;
  uint64_t best_rank = UINT64_MAX;
  for (uint64_t open = open_.load(); open != 0; open &= open - 1) {
    const Loop& loop = loops_[static_cast<size_t>(std::countr_zero(open))];
    const uint64_t rank = loop.rank.load(std::memory_order_relaxed);
    if (rank >= best_rank || !MayJoin(loop.state.load(std::memory_order_relaxed), allowed)) continue;
    best = &loop;
    best_rank = rank;
  }
  return best;
}

ThreadPool::Loop* ThreadPool::JoinLoop(Allowed allowed) {
  while (Loop* const loop = const_cast<Loop*>(FindLoop(allowed))) {
    uint32_t state = loop->state.load(std::memory_order_relaxed);
    while (MayJoin(state, allowed)) {
      if (loop->state.compare_exchange_weak(state, state + 1, std::memory_order_acquire)) return loop;
    }
  }
  return nullptr;
}

void ThreadPool::LeaveLoop(Loop& loop) {
  const uint32_t before = loop.state.fetch_sub(1);
  if ((before & kHelpers) != 1 || (before & kCallerSleeps) == 0) return;
  std::lock_guard lock(mutex_);
  loop.done.notify_one();
}

void ThreadPool::BeginIdle() {
  num_free_.fetch_add(1);
  if (open_.load() != 0) Wake(1);
}

bool ThreadPool::BeginHelping() {
  int free = num_free_.load();
  while (free > 0) {
    if (num_free_.compare_exchange_weak(free, free - 1)) return true;
  }
  return false;
}

// Whether too many threads are at work; the calling one then is no more.
bool ThreadPool::GivesWay() {
  int free = num_free_.load(std::memory_order_relaxed);
  while (free < 0) {
    if (num_free_.compare_exchange_weak(free, free + 1)) return true;
  }
  return false;
}

// Wakes threads for so many indices: a few, which wake others.
void ThreadPool::Wake(size_t num_indices) {
  constexpr int kAtOnce = 2;
  const int wanted = static_cast<int>(std::min<size_t>(num_indices, kAtOnce));
  const int missing = std::min(wanted, num_free_.load()) - num_looking_.load() - num_to_wake_.load();
  if (missing <= 0 || num_asleep_.load() + num_waiting_asleep_.load() == 0) return;
  int num_workers;
  {
    std::lock_guard lock(mutex_);
    num_workers = std::min(missing, num_asleep_ - num_to_wake_);
    num_to_wake_ += num_workers;
    if (num_workers > 0) woken_at_ = Clock::now();
    if (num_workers < missing) ++num_signals_;
  }
  for (int i = 0; i < num_workers; ++i) wake_.notify_one();
  for (int i = num_workers; i < missing; ++i) wake_waiting_.notify_one();
}

void ThreadPool::WorkUntil(const std::function<bool()>& ready) {
  if (ready()) return;
  const TraceSpan span("wait");
  ThreadPool* const outer = std::exchange(current_pool, this);
  if (outer == this) BeginIdle();
  while (true) {
    std::unique_lock lock(mutex_);
    const uint64_t signals = num_signals_;
    lock.unlock();
    if (ready()) break;
    if (Help(Allowed::kLoopsThatDoNotWait, true)) continue;
    // A loop that this thread may not join was perhaps opened while it seemed to be at work.
    if (num_asleep_.load() > 0 && HasWork(Allowed::kAllLoops)) Wake(1);
    lock.lock();
    num_waiting_asleep_.fetch_add(1);
    if (!HasWork(Allowed::kLoopsThatDoNotWait)) wake_waiting_.wait(lock, [&] { return num_signals_ != signals; });
    num_waiting_asleep_.fetch_sub(1);
  }
  if (outer == this) num_free_.fetch_sub(1);
  current_pool = outer;
}

void ThreadPool::WakeWaiting() {
  {
    std::lock_guard lock(mutex_);
    ++num_signals_;
  }
  wake_waiting_.notify_all();
}

}  // namespace inkread
