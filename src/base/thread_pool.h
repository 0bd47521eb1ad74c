// Threads that share loops: a caller posts a loop, works on it itself, and idle workers join in.
//
// A pool of n threads has n - 1 workers, since every caller is a thread too. Loops nest, and many callers may post at
// once. There is no deadlock, since a thread that waits holds no index that another thread could run. Idle workers
// sleep.
#ifndef INKREAD_BASE_THREAD_POOL_H_
#define INKREAD_BASE_THREAD_POOL_H_

#include <condition_variable>
#include <cstddef>
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

  // Calls body(i) once for each i in [0, count), on this thread and on idle workers, and returns when all calls have
  // returned. Lower indices start first. Which thread runs which index is not fixed, so results must not depend on it.
  // If bodies throw, as the standard library does when memory runs out, one of their exceptions is rethrown here after
  // all running bodies have ended; the other indices may or may not have been called.
  void ParallelFor(size_t count, const std::function<void(size_t)>& body) { Run(count, body, false); }

  // The same for bodies that call WorkUntil: threads that wait there do not start them.
  void ParallelForThatWaits(size_t count, const std::function<void(size_t)>& body) { Run(count, body, true); }

  // The same for bodies that return a Status. All indices are called, unless memory runs out.
  // Errors  the first one of a body, by index; kOutOfMemory if a body throws std::bad_alloc
  Status ParallelTry(size_t count, const std::function<Status(size_t)>& body);

  // Returns once ready() has returned true. Until then this thread works on the loops of others, and sleeps if there
  // are none. ready() is called on this thread, by one thread of the pool at a time. It must neither throw nor call the
  // pool. A thread that makes it true calls WakeWaiting afterwards.
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
    Loop* older;                // next in the list
  };
  void Run(size_t count, const std::function<void(size_t)>& body, bool waits);
  void Work();
  // With mutex_ held:
  void Remove(Loop* loop);                                       // from the list
  void RunNext(Loop* loop, std::unique_lock<std::mutex>& lock);  // one index, with the mutex released meanwhile

  std::mutex mutex_;
  std::condition_variable wake_;
  // Loops with indices left to hand out, newest first, so that inner loops finish before outer ones. A loop is on its
  // poster's stack, so posting one allocates nothing.
  Loop* newest_ = nullptr;
  size_t num_waiting_ = 0;  // threads in WorkUntil
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace inkread

#endif  // INKREAD_BASE_THREAD_POOL_H_
