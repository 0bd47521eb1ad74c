// A record of what each thread did and when, for a trace viewer. `inkread-lab trace` makes one of a read.
//
// While no trace is being taken a TraceSpan costs one load of an atomic.
#ifndef INKREAD_BASE_TRACE_H_
#define INKREAD_BASE_TRACE_H_

#include <atomic>
#include <chrono>
#include <vector>

namespace inkread {

struct TraceEvent {
  const char* name;
  int thread;  // counted from 0 in the order in which threads first appear
  std::chrono::steady_clock::time_point begin, end;
};

// Begins a trace of at most `max_events`; later ones are dropped. One at a time.
void StartTrace(size_t max_events);
// Ends it. No thread may be inside a span.
std::vector<TraceEvent> StopTrace();

// Records the time that it lives.
class TraceSpan {
 public:
  // name  is not copied
  explicit TraceSpan(const char* name) : name_(is_on_.load(std::memory_order_relaxed) ? name : nullptr) {
    if (name_ != nullptr) begin_ = std::chrono::steady_clock::now();
  }
  ~TraceSpan() {
    if (name_ != nullptr) Record();
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  friend void StartTrace(size_t max_events);
  friend std::vector<TraceEvent> StopTrace();
  void Record() const;

  static std::atomic<bool> is_on_;
  const char* const name_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace inkread

#endif  // INKREAD_BASE_TRACE_H_
