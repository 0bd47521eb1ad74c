#include "runtime/load_balancer.h"

namespace inkread {

LoadBalancer::LoadBalancer(std::vector<std::shared_ptr<const FallbackChain>> chains)
    : chains_(std::move(chains)), in_flight_(chains_.size()) {
  INKREAD_CHECK(!chains_.empty());
}

LoadBalancer::Lease LoadBalancer::Begin() {
  std::lock_guard lock(mutex_);
  size_t best = WhenIdle();
  for (size_t i = best + 1; i < chains_.size(); ++i) {
    if (!chains_[i]->has_failed() && in_flight_[i] < in_flight_[best]) best = i;
  }
  ++in_flight_[best];
  return Lease(this, best);
}

void LoadBalancer::End(size_t device) {
  std::lock_guard lock(mutex_);
  --in_flight_[device];
}

size_t LoadBalancer::WhenIdle() const {
  for (size_t i = 0; i < chains_.size(); ++i) {
    if (!chains_[i]->has_failed()) return i;
  }
  return 0;
}

}  // namespace inkread
