// Schedules by input shape; a full cache drops the least recently used one. Plain data only, safe from several threads.
#ifndef INKREAD_PLANNER_PLAN_CACHE_H_
#define INKREAD_PLANNER_PLAN_CACHE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "planner/plan.h"

namespace inkread {

struct PlanKey {
  int64_t n = 0, h = 0, w = 0;  // the channels are the network's own
  Head head = Head::kNetwork;
  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

// The schedule for the key. Errors as Plan.
Result<Schedule> PlanFor(const Network& network, const PlanKey& key);

class PlanCache {
 public:
  static constexpr size_t kCapacity = 512;
  explicit PlanCache(size_t capacity = kCapacity) : capacity_(capacity) {}

  // The schedule for the key, planned now if it is not held. Of two threads that miss at once both plan, and both get
  // the schedule that was stored first. Errors as Plan.
  Result<std::shared_ptr<const Schedule>> Get(const Network& network, const PlanKey& key);

  struct Stats {
    uint64_t hits = 0, misses = 0;
  };
  Stats stats() const;

 private:
  struct Hash {
    size_t operator()(const PlanKey& key) const;
  };
  struct Entry {
    PlanKey key;
    std::shared_ptr<const Schedule> schedule;
  };
  const size_t capacity_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<PlanKey, std::list<Entry>::iterator, Hash> index_;
  Stats stats_;
};

}  // namespace inkread

#endif  // INKREAD_PLANNER_PLAN_CACHE_H_
