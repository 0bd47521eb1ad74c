// The device that some models run on, with the CPU to fall back to, and the rule for falling back.
//
// A fault of the device moves these models to the next device of the chain, for good, with one line of log and the
// reason kept. A fault is an error that a call of the device's own backend returned (Upload, UploadImage, Compile,
// Run): kDeviceLost, kOutOfMemory or kUnsupported. Everything else is an error of the one call that met it and leaves
// the chain as it is: a file that cannot be read, an operator or a shape that the planner does not support, no memory
// on the host to read or plan a network. In strict mode faults are errors too.
//
// A read that is too large for the device's memory is a fault like any other: the next device answers this read and all
// later ones. Trying the GPU again with each read would be slow while another process holds its memory, and it would
// mix results of two devices, whose scores differ in the last digits, in an order that nobody can repeat. A caller who
// would rather keep the GPU and learn which image is too large uses strict mode: kOutOfMemory is then the error of that
// read alone.
//
// An engine with several devices has one chain per device, and spreads its reads over them (load_balancer.h).
#ifndef INKREAD_RUNTIME_FALLBACK_CHAIN_H_
#define INKREAD_RUNTIME_FALLBACK_CHAIN_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "schedule/backend.h"

namespace inkread {

class FallbackChain {
 public:
  struct Entry {
    std::string name;  // "cpu"
    std::unique_ptr<Backend> backend;
  };
  // entries  in the order in which they are tried. Faults of the last one are errors of the caller
  FallbackChain(std::vector<Entry> entries, bool strict);

  int active() const { return active_.load(std::memory_order_acquire); }
  int size() const { return static_cast<int>(entries_.size()); }
  const std::string& name(int device) const { return entries_[device].name; }
  Backend& backend(int device) const { return *entries_[device].backend; }

  // Reports an error that a call of backend(device) returned; never another error. Returns whether the caller should
  // try again on active(), which is then a later device.
  bool FallBack(int device, const Status& fault);
  // Why the chain fell back, in strict mode how a device was lost; empty until then.
  std::string fallback_reason() const;
  // True once a device has failed over to the next one. In strict mode: once a device was lost.
  bool has_failed() const { return has_failed_.load(std::memory_order_acquire); }

 private:
  std::vector<Entry> entries_;
  const bool strict_;
  std::atomic<int> active_ = 0;
  std::atomic<bool> has_failed_ = false;
  mutable std::mutex mutex_;
  std::string reason_;
};

}  // namespace inkread

#endif  // INKREAD_RUNTIME_FALLBACK_CHAIN_H_
