// The one place that knows the backends by name.
#include <cstdlib>
#include <sstream>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#ifdef INKREAD_HAS_METAL
#include "backends/metal/metal_backend.h"
#endif
#ifdef INKREAD_HAS_VULKAN
#include "backends/vulkan/vulkan_backend.h"
#endif
#include "inkread/ocr.h"
#include "runtime/fallback_chain.h"
#include "runtime/selection.h"

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

// What is known here of each GPU backend of this build.
struct GpuRow {
  OcrBackend backend;
  void (*list)(std::vector<DeviceInfo>& devices);
  Result<std::unique_ptr<Backend>> (*open)(const std::string& device, bool fast);
};

template <OcrBackend kBackend, auto kList>
[[maybe_unused]] void ListGpus(std::vector<DeviceInfo>& devices) {
  const auto gpus = kList();
  if (!gpus.ok()) {
    devices.push_back({kBackend, -1, "", "", gpus.status().message(), ""});
    return;
  }
  for (const auto& gpu : *gpus) {
    DeviceInfo& device = devices.emplace_back();
    device.backend = kBackend;
    device.index = gpu.index;
    device.name = gpu.name;
    device.details = StrCat(gpu.driver, "; ", gpu.offers);
    device.unusable_reason = gpu.unusable_reason;
    device.not_default_reason = gpu.not_default_reason;
  }
}

template <typename Options, auto kMake>
[[maybe_unused]] Result<std::unique_ptr<Backend>> OpenGpu(const std::string& device, bool fast) {
  Options options;
  options.device = device;
  options.fast = fast;
  return kMake(options);
}

const std::vector<GpuRow>& Gpus() {
  static const std::vector<GpuRow> rows = {
#ifdef INKREAD_HAS_METAL
      {OcrBackend::kMetal, ListGpus<OcrBackend::kMetal, ListMetalDevices>, OpenGpu<MetalOptions, MakeMetalBackend>},
#endif
#ifdef INKREAD_HAS_VULKAN
      {OcrBackend::kVulkan, ListGpus<OcrBackend::kVulkan, ListVulkanDevices>,
       OpenGpu<VulkanOptions, MakeVulkanBackend>},
#endif
  };
  return rows;
}

}  // namespace

const char* BackendName(OcrBackend backend) {
  switch (backend) {
    case OcrBackend::kAuto:
      return "auto";
    case OcrBackend::kCpu:
      return "cpu";
    case OcrBackend::kVulkan:
      return "vulkan";
    case OcrBackend::kMetal:
      return "metal";
  }
  return "unknown";
}

Result<std::unique_ptr<Backend>> OpenBackend(const std::string& name, ThreadPool* pool, bool fast) {
  if (name == "cpu") {
    INKREAD_ASSIGN_OR_RETURN(CpuOptions options, AllowedOnCpu());
    options.fast = fast;
    return MakeCpuBackend(pool, options);
  }
  if (name == "reference") return MakeReferenceBackend(16);
  std::string known = "cpu";
  for (const GpuRow& row : Gpus()) {
    const std::string row_name = BackendName(row.backend), prefix = row_name + ":";
    if (name == row_name) return row.open("", fast);
    if (name.starts_with(prefix)) return row.open(name.substr(prefix.size()), fast);
    known += ", " + row_name;
  }
  return Unsupported("backend '", name, "' is not in this build, which has: ", known);
}

std::vector<DeviceInfo> ListGpuDevices() {
  std::vector<DeviceInfo> devices;
  for (const GpuRow& row : Gpus()) row.list(devices);
  return devices;
}

std::vector<DeviceInfo> ListDevices() {
  ThreadPool pool(1);
  DeviceInfo cpu{OcrBackend::kCpu, 0, "cpu", "", "", ""};
  if (const auto backend = OpenBackend("cpu", &pool); backend.ok()) {
    cpu.name = (*backend)->Caps().device;
  } else {
    cpu.unusable_reason = backend.status().message();
  }
  std::vector<DeviceInfo> devices = ListGpuDevices();
  devices.insert(devices.begin(), std::move(cpu));
  return devices;
}

}  // namespace inkread
