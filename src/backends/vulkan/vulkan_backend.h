// Runs schedules on a GPU through Vulkan 1.1 or later.
//
// The loader is loaded at run time. Without it, or without a driver, the functions below return kUnsupported. A run is
// one command buffer, one submit and one fence; barriers stand between levels only.
#ifndef INKREAD_BACKENDS_VULKAN_VULKAN_BACKEND_H_
#define INKREAD_BACKENDS_VULKAN_VULKAN_BACKEND_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/gpu/gpu_info.h"
#include "schedule/backend.h"

namespace inkread {

struct VulkanOptions {
  std::string device;  // its index, or a part of its name in any case; empty: the default device
  bool fast = false;   // values and weights in f16 if the device can; Caps() says why if it cannot
  // How `fast` multiplies matrices. kNone and kEmulated are for tests: without the device's matrix units, or by their
  // kernels in plain arithmetic.
  enum class Units { kDevices, kNone, kEmulated } units = Units::kDevices;
  std::optional<StepKind> left_out;  // for tests: the caps are those of a backend without a kernel of this kind
  bool validate = false;             // with the validation layer, whose messages VulkanMessages() returns
  std::string cache_folder;          // of compiled kernels; empty: the user's cache folder; "none": they are not kept
  // Memory of the jobs in one submit; more jobs are split into several. A large GPU is busy with less.
  uint64_t max_run_bytes = uint64_t{512} << 20;
  bool reaches_memory = true;  // for tests: false as on devices whose memory the host cannot map
  // For tests: called before each call of Vulkan that can fail. A result other than 0 is used as the call's VkResult,
  // and the call is not made.
  std::function<int(const char* call)> fault;
  // For measurements: called with the time of each submit until its fence was signalled.
  std::function<void(double ms)> submitted;
};

using VulkanDeviceInfo = gpu::GpuInfo;

// Errors  kUnsupported: no loader, no driver
Result<std::vector<VulkanDeviceInfo>> ListVulkanDevices();

// Errors  kUnsupported (no loader, no such device, no default device: says why for each), kOutOfMemory, kDeviceLost
Result<std::unique_ptr<Backend>> MakeVulkanBackend(const VulkanOptions& options);

// All messages of the validation layer in this process.
std::vector<std::string> VulkanMessages();

}  // namespace inkread

#endif  // INKREAD_BACKENDS_VULKAN_VULKAN_BACKEND_H_
