#include "runtime/selection.h"

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

bool WantsAll(const DeviceWish& wish) { return wish.devices.size() == 1 && wish.devices[0] == kAllDevices; }

// What a backend has of the devices that are wanted, in their order.
std::vector<const DeviceInfo*> Meant(const std::vector<DeviceInfo>& machine, OcrBackend backend,
                                     const DeviceWish& wish) {
  std::vector<const DeviceInfo*> usable, unasked;
  for (const DeviceInfo& device : machine) {
    if (device.backend != backend || !device.unusable_reason.empty()) continue;
    usable.push_back(&device);
    if (device.not_default_reason.empty()) unasked.push_back(&device);
  }
  if (WantsAll(wish)) return unasked;
  if (wish.devices.empty()) return {unasked.begin(), unasked.begin() + (unasked.empty() ? 0 : 1)};
  std::vector<const DeviceInfo*> meant;
  for (const std::string& wanted : wish.devices) {
    const auto found = std::find_if(usable.begin(), usable.end(), [&wanted](const DeviceInfo* device) {
      return IsNamed(device->index, device->name, wanted);
    });
    if (found != usable.end()) meant.push_back(*found);
  }
  return meant;
}

// The GPUs that auto takes.
Result<std::vector<const DeviceInfo*>> BestGpus(const std::vector<DeviceInfo>& machine, const DeviceWish& wish) {
  const bool has_names = !wish.devices.empty() && !WantsAll(wish);
  for (OcrBackend backend : {OcrBackend::kMetal, OcrBackend::kVulkan}) {
    std::vector<const DeviceInfo*> meant = Meant(machine, backend, wish);
    if (has_names ? meant.size() == wish.devices.size() : !meant.empty()) return meant;
  }
  if (!has_names) return std::vector<const DeviceInfo*>();
  std::string wanted, known;
  for (const std::string& name : wish.devices) wanted += StrCat(wanted.empty() ? "'" : ", '", name, "'");
  for (const DeviceInfo& device : machine) {
    if (device.index >= 0)
      known += StrCat(known.empty() ? "" : ", ", BackendName(device.backend), ' ', device.index, ": ", device.name);
  }
  return Unsupported("no backend has GPUs that can be used for ", wanted,
                     "; there are: ", known.empty() ? "none" : known);
}

}  // namespace

Result<std::vector<DeviceChoice>> ChooseDevices(const DeviceWish& wish,
                                                const std::function<std::vector<DeviceInfo>()>& list) {
  INKREAD_ASSIGN_OR_RETURN(const OcrBackend backend, WishedBackend(wish));
  for (const std::string& name : wish.devices) {
    if (name.empty()) return InvalidArgument("a device's name is empty, expected an index or a part of the name");
    if (name == kAllDevices && !WantsAll(wish))
      return InvalidArgument("the device '", name, "' is named beside others, expected alone");
  }
  const bool gpu_is_fast = wish.precision != Precision::kPrecise;
  std::vector<DeviceChoice> choices;
  const bool is_gpu = backend == OcrBackend::kVulkan || backend == OcrBackend::kMetal;
  if (backend == OcrBackend::kAuto || (is_gpu && WantsAll(wish))) {
    const std::vector<DeviceInfo> machine = list();
    std::vector<const DeviceInfo*> gpus;
    if (is_gpu) {
      gpus = Meant(machine, backend, wish);
    } else {
      INKREAD_ASSIGN_OR_RETURN(gpus, BestGpus(machine, wish));
    }
    for (const DeviceInfo* gpu : gpus) choices.push_back({gpu->backend, StrCat(gpu->index), gpu_is_fast});
  } else if (is_gpu) {
    for (const std::string& name : wish.devices) choices.push_back({backend, name, gpu_is_fast});
  }
  if (is_gpu && choices.empty()) choices.push_back({backend, "", gpu_is_fast});  // to open it is to hear why not
  choices.push_back({OcrBackend::kCpu, "", wish.precision == Precision::kFast});
  return choices;
}

}  // namespace inkread
