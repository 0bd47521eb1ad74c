#include "tests/conformance/backends.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "backends/cpu/cpu_backend.h"
#ifdef INKREAD_HAS_VULKAN
#include "backends/vulkan/vulkan_backend.h"
#endif
#include "runtime/backend_registry.h"

namespace inkread::conformance {
namespace {

void AddCpu(std::vector<TestedBackend>& rows) {
  const auto add = [&rows](const std::string& name, const CpuOptions& options) {
    rows.push_back({name, [options](ThreadPool* pool) { return MakeCpuBackend(pool, options); }});
  };
  for (const CpuTarget& target : CpuTargets()) {
    const std::string name = "cpu " + target.name;
    add(name, {.targets = target.bit});
    for (bool amx : {true, false}) {
      const CpuOptions fast{.targets = target.bit, .fast = true, .amx = amx};
      ThreadPool pool(1);
      const std::string device = MakeCpuBackend(&pool, fast)->Caps().device;  // says which unit, where there is one
      if (device != name && rows.back().name != device) add(device, fast);
    }
  }
}

#ifdef INKREAD_HAS_VULKAN
// With the validation layer where it is installed.
std::unique_ptr<Backend> OpenVulkan(int index, VulkanOptions options) {
  options.device = std::to_string(index);
  options.cache_folder = "none";
  options.validate = true;
  auto backend = MakeVulkanBackend(options);
  if (!backend.ok()) {
    options.validate = false;
    backend = MakeVulkanBackend(options);
  }
  INKREAD_CHECK(backend.ok());
  return std::move(backend).value();
}

void AddVulkan(std::vector<TestedBackend>& rows) {
  const auto devices = ListVulkanDevices();
  if (!devices.ok()) {
    std::printf("vulkan has no devices: %s\n", devices.status().message().c_str());
    return;
  }
  for (const VulkanDeviceInfo& device : *devices) {
    if (!device.unusable_reason.empty()) continue;
    const auto add = [&](const char* how, const VulkanOptions& options) {
      rows.push_back({StrCat("vulkan ", device.name, how),
                      [index = device.index, options](ThreadPool*) { return OpenVulkan(index, options); }});
    };
    VulkanOptions options;
    add("", options);
    options.fast = true;
    if (OpenVulkan(device.index, options)->Caps().storage != INKREAD_ELEMENT_F16) continue;
    if (device.offers.find(", matrix units") != std::string::npos) add(" in f16, with matrix units", options);
    options.units = VulkanOptions::Units::kNone;
    add(" in f16", options);
    options.units = VulkanOptions::Units::kEmulated;
    add(" in f16, matrix units emulated", options);
  }
}
#endif

// A backend without variants of its own: each usable device, in f32 and with 16 bits.
void AddDevices(const inkread::BackendRow& backend, std::vector<TestedBackend>& rows) {
  const Result<std::vector<DeviceInfo>> devices = backend.list();
  if (!devices.ok()) {
    std::printf("%s has no devices: %s\n", backend.name, devices.status().message().c_str());
    return;
  }
  for (const DeviceInfo& device : *devices) {
    if (!device.unusable_reason.empty()) continue;
    for (bool fast : {false, true}) {
      rows.push_back({StrCat(backend.name, " ", device.name, fast ? " in f16" : ""),
                      [&backend, index = device.index, fast](ThreadPool* pool) {
                        return backend.open({std::to_string(index), fast, pool}).value();
                      }});
    }
  }
}

}  // namespace

std::vector<TestedBackend> TestedBackends() {
  const char* variable = std::getenv("INKREAD_TEST_BACKENDS");
  const std::string wanted = variable == nullptr ? "" : variable;
  std::vector<TestedBackend> rows;
  for (const inkread::BackendRow& backend : BackendRows()) {
    if (!backend.is_in_build() || (!wanted.empty() && wanted != backend.name)) continue;
    if (backend.is_cpu()) {
      AddCpu(rows);
#ifdef INKREAD_HAS_VULKAN
    } else if (backend.backend == OcrBackend::kVulkan) {
      AddVulkan(rows);
#endif
    } else {
      AddDevices(backend, rows);
    }
  }
  return rows;
}

std::vector<std::string> BackendComplaints() {
#ifdef INKREAD_HAS_VULKAN
  return VulkanMessages();
#else
  return {};
#endif
}

}  // namespace inkread::conformance
