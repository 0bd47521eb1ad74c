// The Vulkan instance, its devices and what they offer.
#ifndef INKREAD_BACKENDS_VULKAN_INSTANCE_H_
#define INKREAD_BACKENDS_VULKAN_INSTANCE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/vulkan/functions.h"
#include "backends/vulkan/vulkan_backend.h"
#include "base/status.h"

namespace inkread::vulkan {

// The error for a call's result: kOutOfMemory, kDeviceLost, or kUnsupported for anything else.
//
// who  the device, or the loader
Status FaultOf(const std::string& who, const char* call, VkResult result);

// Makes calls that can fail. A test can have any of them fail without being made.
class Caller {
 public:
  Caller(std::string who, std::function<int(const char*)> fault) : who_(std::move(who)), fault_(std::move(fault)) {}
  template <typename F>
  Status operator()(const char* call, const F& make) const {
    const VkResult planted = fault_ ? static_cast<VkResult>(fault_(call)) : VK_SUCCESS;
    const VkResult result = planted != VK_SUCCESS ? planted : make();
    return result >= 0 ? Status() : FaultOf(who_, call, result);
  }
  const std::string& who() const { return who_; }
  bool plants_faults() const { return fault_ != nullptr; }

 private:
  std::string who_;
  std::function<int(const char*)> fault_;
};

class Instance {
 public:
  // There are at most two, one of them with the validation layer, shared by all users.
  static Result<std::shared_ptr<const Instance>> Get(bool validate, const std::function<int(const char*)>& fault);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  VkInstance handle() const { return instance_; }
  uint32_t version() const { return VK_API_VERSION_1_1; }  // of Vulkan that it was created for

 private:
  Instance() = default;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  uint32_t queue_family = 0;  // with compute; one without graphics where there is one
  bool has_timestamps = false;
  bool has_f16 = false;         // in storage buffers and in arithmetic
  uint32_t matrix_threads = 0;  // of a subgroup, if its matrix units multiply 16 x 16 f16 and sum in f32; else 0
  VulkanDeviceInfo info;
};

Result<std::vector<PhysicalDevice>> PhysicalDevices(const Instance& instance, const Caller& call);

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_INSTANCE_H_
