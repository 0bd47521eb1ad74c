#include "backends/vulkan/device.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "backends/vulkan/cooperative_matrix.h"

namespace inkread::vulkan {
namespace {

// The first of the allowed memory types that has all `wanted` properties; -1: there is none.
int FindMemoryType(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed, VkMemoryPropertyFlags wanted) {
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if ((allowed >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) return static_cast<int>(i);
  }
  return -1;
}

int MemoryTypeFor(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed, Buffer::Kind kind) {
  constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  int best = -1;
  if (kind == Buffer::Kind::kDevice) {
    const int local = FindMemoryType(memory, allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (local < 0) return FindMemoryType(memory, allowed, 0);
    // The host can map all of the device's memory, or a window too small to be of use.
    const auto heap_bytes = [&memory](int type) { return memory.memoryHeaps[memory.memoryTypes[type].heapIndex].size; };
    for (const VkMemoryPropertyFlags cached : {VkMemoryPropertyFlags{VK_MEMORY_PROPERTY_HOST_CACHED_BIT}, 0u}) {
      best = FindMemoryType(memory, allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | kMapped | cached);
      if (best >= 0 && heap_bytes(best) >= heap_bytes(local)) return best;
    }
    return local;
  }
  // The host reads uncached memory very slowly.
  if (kind == Buffer::Kind::kReadback)
    best = FindMemoryType(memory, allowed, kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  return best >= 0 ? best : FindMemoryType(memory, allowed, kMapped);
}

Arithmetic ArithmeticOf(const PhysicalDevice& device, const VulkanOptions& options) {
  if (!options.fast || !device.has_f16) return Arithmetic::kF32;
  if (options.units == VulkanOptions::Units::kEmulated) return Arithmetic::kEmulatedUnits;
  const bool has_units = device.matrix_threads != 0 && HasMatrixUnitShaders();
  return has_units && options.units == VulkanOptions::Units::kDevices ? Arithmetic::kMatrixUnits : Arithmetic::kF16;
}

// The features and extensions that a device has to be created with.
struct Features {
  explicit Features(Arithmetic arithmetic, uint32_t version) {
    storage.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
    storage.storageBuffer16BitAccess = VK_TRUE;
    f16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES;
    f16.shaderFloat16 = VK_TRUE;
    memory_model.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
    memory_model.vulkanMemoryModel = VK_TRUE;
    matrix.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
    matrix.cooperativeMatrix = VK_TRUE;
    if (arithmetic == Arithmetic::kF32) return;
    first = &storage;
    storage.pNext = &f16;
    if (version < VK_API_VERSION_1_2) extensions.push_back(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME);
    if (arithmetic != Arithmetic::kMatrixUnits) return;
    f16.pNext = &memory_model;
    memory_model.pNext = &matrix;
    extensions.push_back(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
    if (version < VK_API_VERSION_1_2) extensions.push_back(VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME);
  }
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;

  void* first = nullptr;
  std::vector<const char*> extensions;
  VkPhysicalDevice16BitStorageFeatures storage{};
  VkPhysicalDeviceShaderFloat16Int8Features f16{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{};
};

}  // namespace

Result<std::shared_ptr<Device>> Device::Open(const VulkanOptions& options) {
  INKREAD_ASSIGN_OR_RETURN(auto instance, Instance::Get(options.validate, options.fault));
  INKREAD_ASSIGN_OR_RETURN(const auto devices, PhysicalDevices(*instance, Caller("Vulkan", options.fault)));
  std::vector<gpu::GpuInfo> infos;
  for (const PhysicalDevice& device : devices) infos.push_back(device.info);
  INKREAD_ASSIGN_OR_RETURN(const size_t chosen, gpu::ChooseDevice(infos, options.device, "Vulkan"));
  PhysicalDevice physical = devices[chosen];
  Caller call(physical.info.name, options.fault);
  const Arithmetic arithmetic = ArithmeticOf(physical, options);
  const Features features(arithmetic, std::min(physical.properties.apiVersion, instance->version()));
  std::shared_ptr<Device> device(
      new Device(std::move(instance), std::move(physical), arithmetic, std::move(call), options));

  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = device->physical_.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.pNext = features.first;
  info.enabledExtensionCount = static_cast<uint32_t>(features.extensions.size());
  info.ppEnabledExtensionNames = features.extensions.data();
  INKREAD_RETURN_IF_ERROR(device->call_(
      "vkCreateDevice", [&] { return vkCreateDevice(device->physical_.handle, &info, nullptr, &device->device_); }));
  device->table_ = LoadDeviceFunctions(device->device_);
  device->table_.vkGetDeviceQueue(device->device_, device->physical_.queue_family, 0, &device->queue_);
  return device;
}

Device::~Device() {
  if (device_ != VK_NULL_HANDLE) table_.vkDestroyDevice(device_, nullptr);
}

Status Device::SubmitAndWait(VkCommandBuffer commands, VkFence fence) {
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  const auto start = std::chrono::steady_clock::now();
  {
    std::lock_guard lock(queue_mutex_);
    INKREAD_RETURN_IF_ERROR(call_("vkQueueSubmit", [&] { return table_.vkQueueSubmit(queue_, 1, &submit, fence); }));
  }
  Status status =
      call_("vkWaitForFences", [&] { return table_.vkWaitForFences(device_, 1, &fence, VK_TRUE, UINT64_MAX); });
  if (submitted_)
    submitted_(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  if (status.ok()) status = call_("vkResetFences", [&] { return table_.vkResetFences(device_, 1, &fence); });
  if (!status.ok()) {
    std::lock_guard lock(queue_mutex_);
    table_.vkDeviceWaitIdle(device_);
  }
  return status;
}

Result<Buffer> Buffer::Make(const std::shared_ptr<Device>& device, Kind kind, uint64_t size_bytes) {
  Buffer buffer;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size_bytes;
  info.usage = kind == Kind::kUpload     ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT
               : kind == Kind::kReadback ? VK_BUFFER_USAGE_TRANSFER_DST_BIT
                                         : VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  INKREAD_ASSIGN_OR_RETURN(buffer.buffer_, OwnedBuffer::Make(device, "vkCreateBuffer", [&](Device& d, VkBuffer* b) {
                             return d.vk().vkCreateBuffer(d.handle(), &info, nullptr, b);
                           }));
  VkMemoryRequirements needs{};
  device->vk().vkGetBufferMemoryRequirements(device->handle(), buffer.handle(), &needs);
  const int type = MemoryTypeFor(device->physical().memory, needs.memoryTypeBits, kind);
  if (type < 0) return Unsupported(device->call().who(), ": no memory type for a buffer of this kind");
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = static_cast<uint32_t>(type);
  INKREAD_ASSIGN_OR_RETURN(buffer.memory_,
                           OwnedMemory::Make(device, "vkAllocateMemory", [&](Device& d, VkDeviceMemory* m) {
                             return d.vk().vkAllocateMemory(d.handle(), &allocate, nullptr, m);
                           }));
  INKREAD_RETURN_IF_ERROR(device->call()("vkBindBufferMemory", [&] {
    return device->vk().vkBindBufferMemory(device->handle(), buffer.handle(), buffer.memory_.get(), 0);
  }));
  const VkMemoryPropertyFlags flags = device->physical().memory.memoryTypes[type].propertyFlags;
  buffer.is_cached_ = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
  if (kind != Kind::kDevice || (device->reaches_memory() && (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0)) {
    void* data = nullptr;
    INKREAD_RETURN_IF_ERROR(device->call()("vkMapMemory", [&] {
      return device->vk().vkMapMemory(device->handle(), buffer.memory_.get(), 0, VK_WHOLE_SIZE, 0, &data);
    }));
    buffer.data_ = static_cast<std::byte*>(data);
  }
  buffer.size_bytes_ = size_bytes;
  return buffer;
}

Result<Commands> Commands::Make(const std::shared_ptr<Device>& device) {
  Commands made;
  made.device_ = device;
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = device->physical().queue_family;
  INKREAD_ASSIGN_OR_RETURN(made.pool_,
                           OwnedCommandPool::Make(device, "vkCreateCommandPool", [&](Device& d, VkCommandPool* p) {
                             return d.vk().vkCreateCommandPool(d.handle(), &pool, nullptr, p);
                           }));
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = made.pool_.get();
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  INKREAD_RETURN_IF_ERROR(device->call()("vkAllocateCommandBuffers", [&] {
    return device->vk().vkAllocateCommandBuffers(device->handle(), &allocate, &made.commands_);
  }));
  VkFenceCreateInfo fence{};
  fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  INKREAD_ASSIGN_OR_RETURN(made.fence_, OwnedFence::Make(device, "vkCreateFence", [&](Device& d, VkFence* f) {
                             return d.vk().vkCreateFence(d.handle(), &fence, nullptr, f);
                           }));
  return made;
}

Status Commands::Begin() {
  INKREAD_RETURN_IF_ERROR(device_->call()(
      "vkResetCommandPool", [&] { return device_->vk().vkResetCommandPool(device_->handle(), pool_.get(), 0); }));
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  return device_->call()("vkBeginCommandBuffer", [&] { return device_->vk().vkBeginCommandBuffer(commands_, &begin); });
}

Status Commands::EndAndRun() {
  INKREAD_RETURN_IF_ERROR(
      device_->call()("vkEndCommandBuffer", [&] { return device_->vk().vkEndCommandBuffer(commands_); }));
  return device_->SubmitAndWait(commands_, fence_.get());
}

void Commands::Barrier(VkPipelineStageFlags from, VkAccessFlags source, VkPipelineStageFlags to,
                       VkAccessFlags target) const {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = source;
  barrier.dstAccessMask = target;
  device_->vk().vkCmdPipelineBarrier(commands_, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace inkread::vulkan
