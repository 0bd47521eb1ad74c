// A logical device with its queue, and owners of the handles that are made on it.
#ifndef INKREAD_BACKENDS_VULKAN_DEVICE_H_
#define INKREAD_BACKENDS_VULKAN_DEVICE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "backends/vulkan/functions.h"
#include "backends/vulkan/instance.h"
#include "backends/vulkan/shaders.h"

namespace inkread::vulkan {

class Device {
 public:
  static Result<std::shared_ptr<Device>> Open(const VulkanOptions& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceFunctions& vk() const { return table_; }
  VkDevice handle() const { return device_; }
  const PhysicalDevice& physical() const { return physical_; }
  Arithmetic arithmetic() const { return arithmetic_; }    // that it was opened for
  bool reaches_memory() const { return reaches_memory_; }  // VulkanOptions::reaches_memory
  // Calls that can fail go through it: device.call()("vkX", [&] { return device.vk().vkX(...); }).
  const Caller& call() const { return call_; }
  const VkPhysicalDeviceLimits& limits() const { return physical_.properties.limits; }

  // Submits and waits. The commands have ended when it returns, even with an error.
  Status SubmitAndWait(VkCommandBuffer commands, VkFence fence);

 private:
  Device(std::shared_ptr<const Instance> instance, PhysicalDevice physical, Arithmetic arithmetic, Caller call,
         const VulkanOptions& options)
      : instance_(std::move(instance)),
        physical_(std::move(physical)),
        arithmetic_(arithmetic),
        reaches_memory_(options.reaches_memory),
        call_(std::move(call)),
        submitted_(options.submitted) {}

  std::shared_ptr<const Instance> instance_;
  PhysicalDevice physical_;
  Arithmetic arithmetic_;
  bool reaches_memory_;
  Caller call_;
  std::function<void(double)> submitted_;
  VkDevice device_ = VK_NULL_HANDLE;
  DeviceFunctions table_{};
  VkQueue queue_ = VK_NULL_HANDLE;
  std::mutex queue_mutex_;
};

// A handle that is destroyed with its owner. It keeps the device alive.
template <typename T, auto DeviceFunctions::*kDestroy>
class Owned {
 public:
  Owned() = default;
  // `make` fills in the handle.
  template <typename F>
  static Result<Owned> Make(std::shared_ptr<Device> device, const char* call, const F& make) {
    Owned owned;
    owned.device_ = std::move(device);
    INKREAD_RETURN_IF_ERROR(owned.device_->call()(call, [&] { return make(*owned.device_, &owned.handle_); }));
    return owned;
  }
  Owned(Owned&& other) noexcept
      : device_(std::move(other.device_)), handle_(std::exchange(other.handle_, VK_NULL_HANDLE)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != VK_NULL_HANDLE) (device_->vk().*kDestroy)(device_->handle(), handle_, nullptr);
  }
  T get() const { return handle_; }

 private:
  std::shared_ptr<Device> device_;
  T handle_ = VK_NULL_HANDLE;
};

using OwnedBuffer = Owned<VkBuffer, &DeviceFunctions::vkDestroyBuffer>;
using OwnedMemory = Owned<VkDeviceMemory, &DeviceFunctions::vkFreeMemory>;
using OwnedCommandPool = Owned<VkCommandPool, &DeviceFunctions::vkDestroyCommandPool>;
using OwnedFence = Owned<VkFence, &DeviceFunctions::vkDestroyFence>;
using OwnedDescriptorPool = Owned<VkDescriptorPool, &DeviceFunctions::vkDestroyDescriptorPool>;
using OwnedSetLayout = Owned<VkDescriptorSetLayout, &DeviceFunctions::vkDestroyDescriptorSetLayout>;
using OwnedPipelineLayout = Owned<VkPipelineLayout, &DeviceFunctions::vkDestroyPipelineLayout>;
using OwnedPipeline = Owned<VkPipeline, &DeviceFunctions::vkDestroyPipeline>;
using OwnedPipelineCache = Owned<VkPipelineCache, &DeviceFunctions::vkDestroyPipelineCache>;
using OwnedShader = Owned<VkShaderModule, &DeviceFunctions::vkDestroyShaderModule>;
using OwnedQueryPool = Owned<VkQueryPool, &DeviceFunctions::vkDestroyQueryPool>;

// A block of memory with a buffer over all of it.
class Buffer {
 public:
  enum class Kind {
    kDevice,    // read and written by kernels and copies; by the host too where it can map the device's memory
    kUpload,    // written by the host
    kReadback,  // read by the host
  };
  Buffer() = default;
  static Result<Buffer> Make(const std::shared_ptr<Device>& device, Kind kind, uint64_t size_bytes);

  VkBuffer handle() const { return buffer_.get(); }
  uint64_t size_bytes() const { return size_bytes_; }
  std::byte* data() const { return data_; }             // null if the host cannot map it
  bool is_quick_to_read() const { return is_cached_; }  // by the host

 private:
  OwnedMemory memory_;  // freed after the buffer
  OwnedBuffer buffer_;
  uint64_t size_bytes_ = 0;
  std::byte* data_ = nullptr;
  bool is_cached_ = false;
};

// A command buffer with its pool and its fence, reused for every run.
class Commands {
 public:
  static Result<Commands> Make(const std::shared_ptr<Device>& device);
  VkCommandBuffer handle() const { return commands_; }
  Status Begin();
  Status EndAndRun();
  // Accesses `source` at stage `from` happen before accesses `target` at stage `to`.
  void Barrier(VkPipelineStageFlags from, VkAccessFlags source, VkPipelineStageFlags to, VkAccessFlags target) const;

 private:
  std::shared_ptr<Device> device_;
  OwnedCommandPool pool_;
  OwnedFence fence_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_DEVICE_H_
