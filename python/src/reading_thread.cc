#include "reading_thread.h"

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace inkread::python {
namespace {

// How soon a signal is noticed.
constexpr std::chrono::milliseconds kBetweenLooks(20);

// A thread that calls one function after the other.
class Worker {
 public:
  Worker() {
    std::thread([this] { Work(); }).detach();  // ends with the process
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void Start(const std::function<void()>* function) {
    const std::lock_guard lock(mutex_);
    function_ = function;
    changed_.notify_all();
  }
  // Whether it has ended within `limit`.
  bool WaitFor(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [this] { return function_ == nullptr; });
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return function_ == nullptr; });
  }

 private:
  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return function_ != nullptr; });
      const std::function<void()>* const function = function_;
      lock.unlock();
      (*function)();
      lock.lock();
      function_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* function_ = nullptr;
};

// Workers without work. More than one exists only if the handler of a signal reads, too. They are kept, and a forked
// child, in which their threads are not there, leaves them as they are.
std::vector<Worker*>& IdleWorkers() {
  static auto* workers = new std::vector<Worker*>;
  static pid_t owner = ::getpid();
  if (::getpid() != owner) {
    workers->clear();
    owner = ::getpid();
  }
  return *workers;
}

}  // namespace

bool RunOnReadingThread(const std::function<void()>& read, const std::function<void()>& cancel) {
  std::vector<Worker*>& idle = IdleWorkers();
  Worker* const worker = idle.empty() ? new Worker : idle.back();
  if (!idle.empty()) idle.pop_back();
  worker->Start(&read);
  bool is_interrupted = false;
  for (bool is_done = false; !is_done;) {
    {
      const nb::gil_scoped_release released;
      is_done = worker->WaitFor(kBetweenLooks);
    }
    if (!is_done && PyErr_CheckSignals() != 0) {
      is_interrupted = true;
      cancel();
      const nb::gil_scoped_release released;
      worker->Wait();
      is_done = true;
    }
  }
  IdleWorkers().push_back(worker);
  return !is_interrupted;
}

}  // namespace inkread::python
