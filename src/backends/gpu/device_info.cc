#include "backends/gpu/device_info.h"

#include <algorithm>
#include <cctype>

namespace inkread::gpu {
namespace {

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

Result<size_t> ChooseDevice(std::span<const DeviceInfo> devices, const std::string& wanted, const char* api) {
  const bool is_index = !wanted.empty() &&
                        std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  std::string refused;
  for (size_t i = 0; i < devices.size(); ++i) {
    const DeviceInfo& info = devices[i];
    const bool is_meant = wanted.empty() || (is_index ? wanted == std::to_string(info.index)
                                                      : Lower(info.name).find(Lower(wanted)) != std::string::npos);
    std::string reason = is_meant ? info.unusable : StrCat("it is not '", wanted, "'");
    if (reason.empty() && wanted.empty()) reason = info.not_unasked;
    if (reason.empty()) return i;
    refused += StrCat(refused.empty() ? "" : "; ", info.index, " ", info.name, ": ", reason);
  }
  return Unsupported(api, ": no device to take: ", refused);
}

}  // namespace inkread::gpu
