#include "planner/plan_cache.h"

#include <utility>

namespace inkread {

size_t PlanCache::Hash::operator()(const PlanKey& key) const {
  uint64_t hash = 1469598103934665603u;  // FNV-1a over the fields
  for (uint64_t field : {static_cast<uint64_t>(key.n), static_cast<uint64_t>(key.h), static_cast<uint64_t>(key.w),
                         static_cast<uint64_t>(key.head)}) {
    hash = (hash ^ field) * 1099511628211u;
  }
  return hash;
}

Result<Schedule> PlanFor(const Network& network, const PlanKey& key) {
  const int64_t channels = network.graph.input_dims[1] > 0 ? network.graph.input_dims[1] : 3;
  return Plan(network, {key.n, channels, key.h, key.w}, key.head);
}

Result<std::shared_ptr<const Schedule>> PlanCache::Get(const Network& network, const PlanKey& key) {
  {
    std::lock_guard lock(mutex_);
    if (const auto it = index_.find(key); it != index_.end()) {
      ++stats_.hits;
      entries_.splice(entries_.begin(), entries_, it->second);
      return it->second->schedule;
    }
    ++stats_.misses;
  }
  INKREAD_ASSIGN_OR_RETURN(Schedule plan, PlanFor(network, key));
  auto schedule = std::make_shared<const Schedule>(std::move(plan));
  std::lock_guard lock(mutex_);
  if (const auto it = index_.find(key); it != index_.end()) return it->second->schedule;
  entries_.push_front({key, schedule});
  index_[key] = entries_.begin();
  if (entries_.size() > capacity_) {
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
  return schedule;
}

PlanCache::Stats PlanCache::stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace inkread
