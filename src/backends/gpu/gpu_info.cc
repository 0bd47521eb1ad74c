#include "backends/gpu/gpu_info.h"

#include "base/device_name.h"

namespace inkread::gpu {

Result<size_t> ChooseDevice(std::span<const GpuInfo> devices, const std::string& wanted, const char* api) {
  std::string refused;
  for (size_t i = 0; i < devices.size(); ++i) {
    const GpuInfo& info = devices[i];
    const bool is_meant = wanted.empty() || IsNamed(info.index, info.name, wanted);
    std::string reason = is_meant ? info.unusable_reason : StrCat("it is not '", wanted, "'");
    if (reason.empty() && wanted.empty()) reason = info.not_default_reason;
    if (reason.empty()) return i;
    refused += StrCat(refused.empty() ? "" : "; ", info.index, " ", info.name, ": ", reason);
  }
  return Unsupported(api, ": no device to take: ", refused);
}

}  // namespace inkread::gpu
