// Chooses the device for each read of an engine: the one with the fewest reads in flight, the first of equals. A device
// that has failed gets no reads while another one has not. Once all have failed, reads go to the first chain, whose
// models have fallen back.
#ifndef INKREAD_RUNTIME_LOAD_BALANCER_H_
#define INKREAD_RUNTIME_LOAD_BALANCER_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/fallback_chain.h"

namespace inkread {

class LoadBalancer {
 public:
  // chains  one for each device that reads go to; at least one
  explicit LoadBalancer(std::vector<std::shared_ptr<const FallbackChain>> chains);

  // Counts one read as in flight on a device while it lives. Must not outlive the balancer.
  class Lease {
   public:
    Lease(Lease&& other) noexcept : balancer_(std::exchange(other.balancer_, nullptr)), device_(other.device_) {}
    Lease& operator=(Lease&& other) = delete;
    ~Lease() {
      if (balancer_ != nullptr) balancer_->End(device_);
    }
    size_t device() const { return device_; }  // index among the constructor's chains

   private:
    friend class LoadBalancer;
    Lease(LoadBalancer* balancer, size_t device) : balancer_(balancer), device_(device) {}
    LoadBalancer* balancer_;
    size_t device_;
  };
  Lease Begin();  // safe from several threads

  // The index of the device that would get the next read if none were in flight.
  size_t WhenIdle() const;

 private:
  void End(size_t device);

  const std::vector<std::shared_ptr<const FallbackChain>> chains_;
  std::mutex mutex_;
  std::vector<int> in_flight_;
};

}  // namespace inkread

#endif  // INKREAD_RUNTIME_LOAD_BALANCER_H_
