// Which of an engine's devices a read goes to: the one with the fewest reads in flight, the first of equals. One that
// has failed gets none while another has not; when all have, their reads go where the first one's models went.
#ifndef INKREAD_SESSION_SPREAD_H_
#define INKREAD_SESSION_SPREAD_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "session/devices.h"

namespace inkread {

class Spread {
 public:
  // devices  one for each device that reads go to; at least one
  explicit Spread(std::vector<std::shared_ptr<const Devices>> devices);

  // One read's stay with a device.
  class Turn {
   public:
    Turn(Turn&& other) noexcept : spread_(std::exchange(other.spread_, nullptr)), device_(other.device_) {}
    Turn& operator=(Turn&& other) = delete;
    ~Turn() {
      if (spread_ != nullptr) spread_->End(device_);
    }
    size_t device() const { return device_; }  // in the order of the constructor

   private:
    friend class Spread;
    Turn(Spread* spread, size_t device) : spread_(spread), device_(device) {}
    Spread* spread_;
    size_t device_;
  };
  Turn Begin();  // safe from several threads; must not outlive this

  // Where the next read would go if none were in flight.
  size_t WhenIdle() const;

 private:
  void End(size_t device);

  const std::vector<std::shared_ptr<const Devices>> devices_;
  std::mutex mutex_;
  std::vector<int> in_flight_;
};

}  // namespace inkread

#endif  // INKREAD_SESSION_SPREAD_H_
