#include "base/thread_pool.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace inkread {

ThreadPool::ThreadPool(int num_threads) {
  INKREAD_CHECK(num_threads >= 1);
  // Before the first thread starts: a throwing constructor would destroy running threads, which ends the process.
  workers_.reserve(static_cast<size_t>(num_threads) - 1);
  try {
    while (workers_.size() + 1 < static_cast<size_t>(num_threads)) workers_.emplace_back([this] { Work(); });
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

void ThreadPool::Run(size_t count, const std::function<void(size_t)>& body, bool waits) {
  if (count == 0) return;
  if (count == 1 || workers_.empty()) {
    for (size_t i = 0; i < count; ++i) body(i);
    return;
  }
  Loop loop{&body, count, waits, 0, 0, {}, nullptr, nullptr};
  std::unique_lock lock(mutex_);
  loop.older = newest_;
  newest_ = &loop;
  if (waits) {
    wake_.notify_all();  // some sleeping threads may not start these
  } else {
    const size_t helpers = std::min(count - 1, workers_.size() + num_waiting_);
    for (size_t i = 0; i < helpers; ++i) wake_.notify_one();
  }
  while (loop.next < loop.count) RunNext(&loop, lock);
  loop.done.wait(lock, [&] { return loop.finished == loop.count; });
  if (loop.thrown != nullptr) std::rethrow_exception(std::move(loop.thrown));
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

void ThreadPool::Remove(Loop* loop) {
  Loop** link = &newest_;
  while (*link != loop) link = &(*link)->older;
  *link = loop->older;
}

void ThreadPool::RunNext(Loop* loop, std::unique_lock<std::mutex>& lock) {
  const size_t i = loop->next++;
  if (loop->next == loop->count) Remove(loop);
  lock.unlock();
  std::exception_ptr thrown;
  try {
    (*loop->body)(i);
  } catch (...) {
    thrown = std::current_exception();
  }
  lock.lock();
  if (thrown != nullptr) loop->thrown = std::move(thrown);
  // The poster frees the loop once it sees the last index finished, so the loop must not be used after this.
  if (++loop->finished == loop->count) loop->done.notify_one();
}

void ThreadPool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || newest_ != nullptr; });
    if (newest_ == nullptr) return;  // stopping, and nothing is left to hand out
    RunNext(newest_, lock);
  }
}

void ThreadPool::WorkUntil(const std::function<bool()>& ready) {
  std::unique_lock lock(mutex_);
  ++num_waiting_;
  while (!ready()) {
    Loop* loop = newest_;
    while (loop != nullptr && loop->waits) loop = loop->older;
    if (loop != nullptr) {
      RunNext(loop, lock);
    } else {
      wake_.wait(lock);
    }
  }
  --num_waiting_;
  if (newest_ != nullptr) wake_.notify_one();  // its poster may have woken this thread, which leaves
}

void ThreadPool::WakeWaiting() {
  std::lock_guard lock(mutex_);
  wake_.notify_all();
}

}  // namespace inkread
