// The one place that knows the backends by name.
#include <cstdlib>
#include <sstream>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#ifdef INKREAD_HAS_VULKAN
#include "backends/vulkan/vulkan_backend.h"
#endif
#include "inkread/ocr.h"
#include "session/devices.h"

namespace inkread {
namespace {

// What INKREAD_DISABLE leaves.
Result<CpuOptions> AllowedOnCpu() {
  CpuOptions options;
  int64_t& allowed = options.targets;
  const char* variable = std::getenv("INKREAD_DISABLE");
  std::string known;
  for (const CpuTarget& target : CpuTargets()) known += StrCat(known.empty() ? "" : ", ", target.name);
  std::istringstream names(variable != nullptr ? variable : "");
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "bands") {
      options.band_rows_bytes = 0;
      continue;
    }
    if (name == "amx" || name == "bf16") {
      (name == "amx" ? options.amx : options.bf16) = false;
      continue;
    }
    int64_t bit = 0;
    for (const CpuTarget& target : CpuTargets()) {
      if (target.name == name) bit = target.bit;
    }
    if (bit == 0)
      return InvalidArgument("INKREAD_DISABLE names '", name,
                             "', which this machine has not; it has: bands, bf16, amx, ", known);
    allowed &= ~bit;
  }
  for (const CpuTarget& target : CpuTargets()) {
    if (target.bit & allowed) return options;
  }
  return InvalidArgument("INKREAD_DISABLE leaves none of this machine's instruction sets: ", known);
}

}  // namespace

Result<std::unique_ptr<Backend>> OpenBackend(const std::string& name, ThreadPool* pool, bool fast) {
  if (name == "cpu") {
    INKREAD_ASSIGN_OR_RETURN(CpuOptions options, AllowedOnCpu());
    options.fast = fast;
    return MakeCpuBackend(pool, options);
  }
  if (name == "reference") return MakeReferenceBackend(16);
#ifdef INKREAD_HAS_VULKAN
  if (name == "vulkan" || name.starts_with("vulkan:")) {
    VulkanOptions options;
    if (name.size() > 7) options.device = name.substr(7);
    options.fast = fast;
    return MakeVulkanBackend(options);
  }
  return Unsupported("backend '", name, "' is not in this build, which has: cpu, vulkan");
#else
  return Unsupported("backend '", name, "' is not in this build, which has: cpu");
#endif
}

std::vector<DeviceInfo> ListDevices() {
  std::vector<DeviceInfo> devices;
  ThreadPool pool(1);
  DeviceInfo cpu{OcrBackend::kCpu, 0, "cpu", "", "", ""};
  if (const auto backend = OpenBackend("cpu", &pool); backend.ok()) {
    cpu.name = (*backend)->Caps().device;
  } else {
    cpu.unusable = backend.status().message();
  }
  devices.push_back(cpu);
#ifdef INKREAD_HAS_VULKAN
  const auto gpus = ListVulkanDevices();
  if (!gpus.ok()) devices.push_back({OcrBackend::kVulkan, -1, "", "", gpus.status().message(), ""});
  if (gpus.ok()) {
    for (const VulkanDeviceInfo& gpu : *gpus) {
      DeviceInfo& device = devices.emplace_back();
      device.backend = OcrBackend::kVulkan;
      device.index = gpu.index;
      device.name = gpu.name;
      device.details = StrCat(gpu.driver, "; ", gpu.offers);
      device.unusable = gpu.unusable;
      device.why_not_auto = gpu.not_unasked.empty() ? "auto keeps to the CPU so far" : gpu.not_unasked;
    }
  }
#endif
  return devices;
}

}  // namespace inkread
