// What a user sees of a GPU, and which of several is chosen.
#ifndef INKREAD_BACKENDS_GPU_GPU_INFO_H_
#define INKREAD_BACKENDS_GPU_GPU_INFO_H_

#include <cstddef>
#include <span>
#include <string>

#include "base/status.h"

namespace inkread::gpu {

struct GpuInfo {
  int index = 0;
  std::string name;                // "NVIDIA H200"
  std::string driver;              // "Vulkan 1.3, NVIDIA 550.54"
  std::string offers;              // "subgroups of 32, f16, matrix units, 139.8 GiB"
  std::string unusable_reason;     // why it cannot be used at all; empty where it can
  std::string not_default_reason;  // why it is never the default device; empty where it may be
};

// Which of `devices` the text `wanted` names: by its index, or by a part of its name in any case. Empty: the default
// device, the first that may be used by default.
//
// api     "Vulkan", for messages
// Errors  kUnsupported: none; says why for each
Result<size_t> ChooseDevice(std::span<const GpuInfo> devices, const std::string& wanted, const char* api);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_GPU_INFO_H_
