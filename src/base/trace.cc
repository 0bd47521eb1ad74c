#include "base/trace.h"

#include <algorithm>
#include <utility>

namespace inkread {
namespace {

std::vector<TraceEvent> events;
std::atomic<size_t> num_events = 0;
std::atomic<int> num_threads = 0;

int ThisThread() {
  thread_local const int thread = num_threads++;
  return thread;
}

}  // namespace

std::atomic<bool> TraceSpan::is_on_ = false;

void StartTrace(size_t max_events) {
  events.assign(max_events, TraceEvent{});
  num_events = 0;
  TraceSpan::is_on_ = true;
}

std::vector<TraceEvent> StopTrace() {
  TraceSpan::is_on_ = false;
  events.resize(std::min(events.size(), num_events.load()));
  return std::exchange(events, {});
}

void TraceSpan::Record() const {
  const auto end = std::chrono::steady_clock::now();
  if (const size_t i = num_events++; i < events.size()) events[i] = {name_, ThisThread(), begin_, end};
}

}  // namespace inkread
