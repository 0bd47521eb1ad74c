#include "runtime/fallback_chain.h"

#include <utility>

#include "base/log.h"

namespace inkread {

FallbackChain::FallbackChain(std::vector<Entry> entries, bool strict) : entries_(std::move(entries)), strict_(strict) {
  INKREAD_CHECK(!entries_.empty());
}

bool FallbackChain::FallBack(int device, const Status& fault) {
  const bool is_device_fault = fault.code() == StatusCode::kDeviceLost || fault.code() == StatusCode::kOutOfMemory ||
                               fault.code() == StatusCode::kUnsupported;
  if (!is_device_fault || device + 1 >= size()) return false;
  std::lock_guard lock(mutex_);
  // In strict mode, what does not fit the device is the error of one read, but a lost device fails all reads.
  if (!strict_ || fault.code() == StatusCode::kDeviceLost) has_failed_.store(true, std::memory_order_release);
  if (strict_) {
    if (reason_.empty() && has_failed()) reason_ = StrCat(name(device), ": ", fault.message());
    return false;
  }
  if (active() == device) {  // this thread is the first to report the fault
    reason_ = StrCat(name(device), ": ", fault.message());
    LogWarning(StrCat(reason_, "; ", name(device + 1), " takes over"));
    active_.store(device + 1, std::memory_order_release);
  }
  return true;
}

std::string FallbackChain::fallback_reason() const {
  std::lock_guard lock(mutex_);
  return reason_;
}

}  // namespace inkread
