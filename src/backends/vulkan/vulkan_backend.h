// Runs schedules on a GPU through Vulkan 1.1 or later.
//
// The loader is looked for at run time: where there is none, or no driver, the functions below answer kUnsupported and
// nothing else is lost. A run is one command buffer, one submit and one fence; barriers stand between levels only.
#ifndef INKREAD_BACKENDS_VULKAN_VULKAN_BACKEND_H_
#define INKREAD_BACKENDS_VULKAN_VULKAN_BACKEND_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/gpu/device_info.h"
#include "schedule/backend.h"

namespace inkread {

struct VulkanOptions {
  std::string device;  // its index, or a part of its name in any case; empty: the first that would be taken unasked
  bool fast = false;   // values and weights in f16 are wanted; Caps() says why there are none
  // What `fast` multiplies matrices with. For tests: not with the device's units, or by their kernels in plain
  // arithmetic.
  enum class Units { kDevices, kNone, kEmulated } units = Units::kDevices;
  bool validate = false;     // with the validation layer, whose messages VulkanMessages() keeps
  std::string cache_folder;  // where compiled kernels are kept; empty: the user's cache folder; "none": nowhere
  // What jobs that run together may take; more are cut into several runs. A large GPU is busy with less.
  uint64_t max_run_bytes = uint64_t{512} << 20;
  bool reaches_memory = true;  // for tests: false as where the host sees nothing of the device's memory
  // For tests: asked before each call of Vulkan that can fail; what it answers other than 0 is taken for the call's
  // VkResult, and the call is not made.
  std::function<int(const char* call)> fault;
  // For measurements: told how long each submit took until its fence was signalled.
  std::function<void(double ms)> submitted;
};

using VulkanDeviceInfo = gpu::DeviceInfo;

// Errors  kUnsupported: no loader, no driver
Result<std::vector<VulkanDeviceInfo>> ListVulkanDevices();

// Errors  kUnsupported (no loader, no such device, none that qualifies: says why for each), kOutOfMemory, kDeviceLost
Result<std::unique_ptr<Backend>> MakeVulkanBackend(const VulkanOptions& options);

// What the validation layer has said so far in this process.
std::vector<std::string> VulkanMessages();

}  // namespace inkread

#endif  // INKREAD_BACKENDS_VULKAN_VULKAN_BACKEND_H_
