#include "session/selection.h"

#include <algorithm>

#include "base/device_name.h"

namespace inkread {
namespace {

// The environment speaks only where the options leave the choice open.
Result<OcrBackend> WishedBackend(const DeviceWish& wish) {
  if (wish.backend != OcrBackend::kAuto || wish.environment.empty()) return wish.backend;
  for (OcrBackend backend : {OcrBackend::kAuto, OcrBackend::kCpu, OcrBackend::kVulkan, OcrBackend::kMetal}) {
    if (wish.environment == BackendName(backend)) return backend;
  }
  return InvalidArgument("INKREAD_BACKEND is '", wish.environment, "', expected auto, cpu, vulkan or metal");
}

// The GPU that auto takes; null where that is none.
const DeviceInfo* BestGpu(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
  for (OcrBackend backend : {OcrBackend::kMetal, OcrBackend::kVulkan}) {
    for (const DeviceInfo& device : devices) {
      if (device.backend != backend || !device.unusable.empty()) continue;
      if (wanted.empty() ? device.why_not_auto.empty() : IsNamed(device.index, device.name, wanted)) return &device;
    }
  }
  return nullptr;
}

}  // namespace

Result<std::vector<DeviceChoice>> ChooseDevices(const DeviceWish& wish,
                                                const std::function<std::vector<DeviceInfo>()>& list) {
  INKREAD_ASSIGN_OR_RETURN(const OcrBackend backend, WishedBackend(wish));
  const bool gpu_is_fast = wish.precision != Precision::kPrecise;
  std::vector<DeviceChoice> choices;
  if (backend == OcrBackend::kVulkan || backend == OcrBackend::kMetal) {
    choices.push_back({backend, wish.device, gpu_is_fast});
  } else if (backend == OcrBackend::kAuto) {
    const std::vector<DeviceInfo> devices = list();
    const DeviceInfo* gpu = BestGpu(devices, wish.device);
    if (gpu != nullptr) {
      choices.push_back({gpu->backend, StrCat(gpu->index), gpu_is_fast});
    } else if (!wish.device.empty()) {
      std::string known;
      for (const DeviceInfo& device : devices) {
        if (device.index >= 0)
          known += StrCat(known.empty() ? "" : ", ", BackendName(device.backend), ' ', device.index, ": ", device.name);
      }
      return Unsupported("no GPU that can be used is '", wish.device, "'; there are: ", known.empty() ? "none" : known);
    }
  }
  choices.push_back({OcrBackend::kCpu, "", wish.precision == Precision::kFast});
  return choices;
}

}  // namespace inkread
