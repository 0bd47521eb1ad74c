#include "runtime/backend_registry.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#ifdef INKREAD_HAS_METAL
#include "backends/metal/metal_backend.h"
#endif
#ifdef INKREAD_HAS_VULKAN
#include "backends/vulkan/vulkan_backend.h"
#endif

namespace inkread {
namespace {

// The CPU's options without what INKREAD_DISABLE names.
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
                             "', which this machine does not have; it has: bands, bf16, amx, ", known);
    allowed &= ~bit;
  }
  for (const CpuTarget& target : CpuTargets()) {
    if (target.bit & allowed) return options;
  }
  return InvalidArgument("INKREAD_DISABLE leaves none of this machine's instruction sets: ", known);
}

Result<std::unique_ptr<Backend>> OpenCpu(const BackendRequest& request) {
  INKREAD_ASSIGN_OR_RETURN(CpuOptions options, AllowedOnCpu());
  options.fast = request.fast;
  return MakeCpuBackend(request.pool, options);
}

Result<std::vector<DeviceInfo>> ListCpu() {
  ThreadPool pool(1);
  DeviceInfo cpu{OcrBackend::kCpu, 0, "cpu", "", "", ""};
  if (const auto backend = OpenCpu({"", false, &pool}); backend.ok()) {
    cpu.name = (*backend)->Caps().device;
    if (const auto fast = OpenCpu({"", true, &pool}); fast.ok()) {
      const DeviceCaps& caps = (*fast)->Caps();
      cpu.details = caps.weights_form == INKREAD_WEIGHTS_BF16
                        ? StrCat("precision fast: 16 bits (", caps.device, ")")
                        : StrCat("precision fast: 32 bits as well, since ", caps.fast_unavailable_reason);
      cpu.details += StrCat("; units for 8 bits: ", CpuInt8Units(), ", which no precision uses");
    }
  } else {
    cpu.unusable_reason = backend.status().message();
  }
  return std::vector<DeviceInfo>{std::move(cpu)};
}

// `gpus` is what a GPU backend lists, a Result<std::vector<gpu::GpuInfo>>.
template <typename Gpus>
[[maybe_unused]] Result<std::vector<DeviceInfo>> Listed(OcrBackend backend, const Gpus& gpus) {
  if (!gpus.ok()) return gpus.status();
  std::vector<DeviceInfo> devices;
  for (const auto& gpu : *gpus) {
    devices.push_back({backend, gpu.index, gpu.name, StrCat(gpu.driver, "; ", gpu.offers), gpu.unusable_reason,
                       gpu.not_default_reason});
  }
  return devices;
}

template <typename Options, auto kMake>
[[maybe_unused]] Result<std::unique_ptr<Backend>> OpenGpu(const BackendRequest& request) {
  Options options;
  options.device = request.device;
  options.fast = request.fast;
  return kMake(options);
}

constexpr BackendRow kRows[] = {
    {OcrBackend::kMetal, "metal",
#ifdef INKREAD_HAS_METAL
     [] { return Listed(OcrBackend::kMetal, ListMetalDevices()); }, OpenGpu<MetalOptions, MakeMetalBackend>
#endif
    },
    {OcrBackend::kVulkan, "vulkan",
#ifdef INKREAD_HAS_VULKAN
     [] { return Listed(OcrBackend::kVulkan, ListVulkanDevices()); }, OpenGpu<VulkanOptions, MakeVulkanBackend>
#endif
    },
    {OcrBackend::kCpu, "cpu", ListCpu, OpenCpu},
};

}  // namespace

std::span<const BackendRow> BackendRows() { return kRows; }

const BackendRow* FindBackendRow(OcrBackend backend) {
  for (const BackendRow& row : kRows) {
    if (row.backend == backend) return &row;
  }
  return nullptr;
}

std::vector<OcrBackend> BackendValues() {
  std::vector<OcrBackend> values = {OcrBackend::kAuto};
  for (const BackendRow& row : kRows) values.push_back(row.backend);
  std::sort(values.begin(), values.end());
  return values;
}

const char* BackendRowName(OcrBackend backend) {
  if (backend == OcrBackend::kAuto) return "auto";
  const BackendRow* row = FindBackendRow(backend);
  return row == nullptr ? "unknown" : row->name;
}

std::string BackendChoices() {
  const std::vector<OcrBackend> values = BackendValues();
  std::string choices;
  for (size_t i = 0; i < values.size(); ++i) {
    choices += StrCat(i == 0 ? "" : i + 1 == values.size() ? " or " : ", ", BackendRowName(values[i]));
  }
  return choices;
}

Result<std::unique_ptr<Backend>> OpenBackend(const std::string& name, ThreadPool* pool, bool fast) {
  if (name == "reference") return MakeReferenceBackend(16);
  std::string known;
  for (const BackendRow& row : kRows) {
    if (!row.is_in_build()) continue;
    const std::string prefix = std::string(row.name) + ":";
    if (name == row.name) return row.open({"", fast, pool});
    if (!row.is_cpu() && name.starts_with(prefix)) return row.open({name.substr(prefix.size()), fast, pool});
    known += StrCat(known.empty() ? "" : ", ", row.name);
  }
  return Unsupported("backend '", name, "' is not in this build, which has: ", known);
}

std::vector<DeviceInfo> ListGpuDevices() {
  std::vector<DeviceInfo> devices;
  for (const BackendRow& row : kRows) {
    if (row.is_cpu() || !row.is_in_build()) continue;
    const Result<std::vector<DeviceInfo>> listed = row.list();
    if (listed.ok()) {
      devices.insert(devices.end(), listed->begin(), listed->end());
    } else {
      devices.push_back({row.backend, -1, "", "", listed.status().message(), ""});
    }
  }
  return devices;
}

}  // namespace inkread
