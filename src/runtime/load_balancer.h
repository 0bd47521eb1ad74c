// Which of an engine's devices a read goes to: the one with the fewest reads in flight, the first of equals. One that
// has failed gets none while another has not; when all have, their reads go where the first one's models went.
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
  // devices  one for each device that reads go to; at least one
  explicit LoadBalancer(std::vector<std::shared_ptr<const FallbackChain>> devices);

  // One read's stay with a device.
  class Lease {
   public:
    Lease(Lease&& other) noexcept : balancer_(std::exchange(other.balancer_, nullptr)), device_(other.device_) {}
    Lease& operator=(Lease&& other) = delete;
    ~Lease() {
      if (balancer_ != nullptr) balancer_->End(device_);
    }
    size_t device() const { return device_; }  // in the order of the constructor

   private:
    friend class LoadBalancer;
    Lease(LoadBalancer* balancer, size_t device) : balancer_(balancer), device_(device) {}
    LoadBalancer* balancer_;
    size_t device_;
  };
  Lease Begin();  // safe from several threads; must not outlive this

  // Where the next read would go if none were in flight.
  size_t WhenIdle() const;

 private:
  void End(size_t device);

  const std::vector<std::shared_ptr<const FallbackChain>> devices_;
  std::mutex mutex_;
  std::vector<int> in_flight_;
};

}  // namespace inkread

#endif  // INKREAD_RUNTIME_LOAD_BALANCER_H_
