// Threads that share loops: a caller posts a loop, works on it itself, and idle workers join in.
//
// A pool of budget n has n - 1 workers, since every caller is a thread too. Loops nest and many callers may post at
// once: a thread that waits holds no item that another could run, so there is no deadlock. Idle workers sleep.
#ifndef INKREAD_BASE_THREAD_POOL_H_
#define INKREAD_BASE_THREAD_POOL_H_

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace inkread {

class ThreadPool {
 public:
  explicit ThreadPool(int num_threads);  // >= 1, the calling thread included
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(i) once for each i in [0, count), on this thread and on idle workers, lower i started first; returns
  // when all are done. Which thread runs which i is not fixed: results must not depend on it. Where bodies throw, as
  // the standard library does when memory runs out, one of their exceptions is thrown here once none is at work; the
  // other indices may or may not have been called.
  void ParallelFor(size_t count, const std::function<void(size_t)>& body) { Run(count, body, false); }

  // The same for bodies that call WorkUntil: those who wait there do not begin them.
  void ParallelForThatWaits(size_t count, const std::function<void(size_t)>& body) { Run(count, body, true); }

  // Returns once ready() has returned true; works on others' loops meanwhile, and sleeps where there are none. ready()
  // is called on this thread, by one thread of the pool at a time, and must not call the pool; who makes it true calls
  // WakeWaiting afterwards.
  void WorkUntil(const std::function<bool()>& ready);
  void WakeWaiting();

 private:
  struct Loop {
    const std::function<void(size_t)>* body;
    size_t count;
    bool waits;       // its bodies may call WorkUntil
    size_t next;      // first index not yet handed out
    size_t finished;  // indices whose body has returned
    std::condition_variable done;
    std::exception_ptr thrown;  // by a body
    Loop* older;                // the list's next
  };
  void Run(size_t count, const std::function<void(size_t)>& body, bool waits);
  void Work();
  // With mutex_ held:
  void Remove(Loop* loop);                                       // from the list
  void RunNext(Loop* loop, std::unique_lock<std::mutex>& lock);  // one index, unlocked meanwhile

  std::mutex mutex_;
  std::condition_variable wake_;
  // Those with indices left to hand out, newest first, so that inner loops finish before outer ones. The loops lie on
  // their posters' stacks: posting one takes no memory.
  Loop* newest_ = nullptr;
  size_t num_waiting_ = 0;  // threads in WorkUntil
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace inkread

#endif  // INKREAD_BASE_THREAD_POOL_H_
