// The device that some models run on, and the CPU to fall back to. Holds the fallback rule.
//
// A device's fault (kDeviceLost, kOutOfMemory, kUnsupported while compiling) moves these models to the CPU, for good,
// with one line of log and the reason kept; with `strict` it stays an error. Nothing else is ever answered by falling
// back. An engine with several devices has one of these for each, and spreads its reads over them (load_balancer.h).
#ifndef INKREAD_RUNTIME_FALLBACK_CHAIN_H_
#define INKREAD_RUNTIME_FALLBACK_CHAIN_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/thread_pool.h"
#include "schedule/backend.h"

namespace inkread {

// A backend by its name: "cpu" or "reference". The environment variable INKREAD_DISABLE names, with commas between,
// instruction sets that "cpu" must not use, as CpuTargets() spells them, "bands", "bf16" and "amx" (CpuOptions).
//
// fast    16-bit products where the device has them; Caps() says whether it has, or why not
// Errors  kUnsupported (not in this build; says which there are), kInvalidArgument (INKREAD_DISABLE names one that this
//         machine has not, or all that it has)
Result<std::unique_ptr<Backend>> OpenBackend(const std::string& name, ThreadPool* pool, bool fast = false);

class FallbackChain {
 public:
  struct Entry {
    std::string name;  // "cpu"
    std::unique_ptr<Backend> backend;
  };
  // entries  in the order they are tried; the last one's faults are the caller's
  FallbackChain(std::vector<Entry> entries, bool strict);

  int active() const { return active_.load(std::memory_order_acquire); }
  int size() const { return static_cast<int>(entries_.size()); }
  const std::string& name(int device) const { return entries_[device].name; }
  Backend& backend(int device) const { return *entries_[device].backend; }

  // Told of a fault of `device`: whether the caller should try again on active(), which is then another one.
  bool FallBack(int device, const Status& fault);
  std::string fallback_reason() const;  // empty until then; with `strict` how a device was lost
  // Whether a device before the last has had a fault; with `strict`, has been lost.
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
