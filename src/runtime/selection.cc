#include "runtime/selection.h"

#include <algorithm>

#include "base/device_name.h"
#include "runtime/backend_registry.h"

namespace inkread {
namespace {

// The environment counts only where the options leave the choice open.
Result<OcrBackend> WishedBackend(const DeviceWish& wish) {
  const std::vector<OcrBackend> backends = BackendValues();
  if (std::find(backends.begin(), backends.end(), wish.backend) == backends.end())
    return InvalidArgument("backend is ", static_cast<int>(wish.backend),
                           ", expected a value of OcrBackend: ", BackendChoices());
  if (wish.backend != OcrBackend::kAuto || wish.environment.empty()) return wish.backend;
  for (OcrBackend backend : backends) {
    if (wish.environment == BackendRowName(backend)) return backend;
  }
  return InvalidArgument("INKREAD_BACKEND is '", wish.environment, "', expected ", BackendChoices());
}

bool WantsAll(const DeviceWish& wish) { return wish.devices.size() == 1 && wish.devices[0] == kAllDevices; }

// Returns the devices of a backend that are wanted, in the order of their names in the wish.
std::vector<const DeviceInfo*> WantedDevices(const std::vector<DeviceInfo>& machine, OcrBackend backend,
                                             const DeviceWish& wish) {
  std::vector<const DeviceInfo*> usable, defaults;
  for (const DeviceInfo& device : machine) {
    if (device.backend != backend || !device.unusable_reason.empty()) continue;
    usable.push_back(&device);
    if (device.not_default_reason.empty()) defaults.push_back(&device);
  }
  if (WantsAll(wish)) return defaults;
  if (wish.devices.empty()) return {defaults.begin(), defaults.begin() + (defaults.empty() ? 0 : 1)};
  std::vector<const DeviceInfo*> wanted_devices;
  for (const std::string& wanted : wish.devices) {
    const auto found = std::find_if(usable.begin(), usable.end(), [&wanted](const DeviceInfo* device) {
      return IsNamed(device->index, device->name, wanted);
    });
    if (found != usable.end()) wanted_devices.push_back(*found);
  }
  return wanted_devices;
}

// Returns the GPUs that auto uses.
Result<std::vector<const DeviceInfo*>> BestGpus(const std::vector<DeviceInfo>& machine, const DeviceWish& wish) {
  const bool has_names = !wish.devices.empty() && !WantsAll(wish);
  for (const BackendRow& row : BackendRows()) {
    if (row.is_cpu()) continue;
    std::vector<const DeviceInfo*> devices = WantedDevices(machine, row.backend, wish);
    if (has_names ? devices.size() == wish.devices.size() : !devices.empty()) return devices;
  }
  if (!has_names) return std::vector<const DeviceInfo*>();
  std::string wanted, known;
  for (const std::string& name : wish.devices) wanted += StrCat(wanted.empty() ? "'" : ", '", name, "'");
  for (const DeviceInfo& device : machine) {
    if (device.index >= 0)
      known += StrCat(known.empty() ? "" : ", ", BackendRowName(device.backend), ' ', device.index, ": ", device.name);
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
      return InvalidArgument("the device '", name, "' is named together with others, expected alone");
  }
  const bool gpu_is_fast = wish.precision != Precision::kPrecise;
  std::vector<DeviceChoice> choices;
  const bool is_gpu = backend != OcrBackend::kAuto && backend != OcrBackend::kCpu;
  if (backend == OcrBackend::kAuto || (is_gpu && WantsAll(wish))) {
    const std::vector<DeviceInfo> machine = list();
    std::vector<const DeviceInfo*> gpus;
    if (is_gpu) {
      gpus = WantedDevices(machine, backend, wish);
    } else {
      INKREAD_ASSIGN_OR_RETURN(gpus, BestGpus(machine, wish));
    }
    for (const DeviceInfo* gpu : gpus) choices.push_back({gpu->backend, StrCat(gpu->index), gpu_is_fast});
  } else if (is_gpu) {
    for (const std::string& name : wish.devices) choices.push_back({backend, name, gpu_is_fast});
  }
  // A backend without a default device is opened all the same: its error says why.
  if (is_gpu && choices.empty()) choices.push_back({backend, "", gpu_is_fast});
  choices.push_back({OcrBackend::kCpu, "", wish.precision == Precision::kFast});
  return choices;
}

}  // namespace inkread
