#include "backends/vulkan/run_memory.h"

#include <algorithm>
#include <utility>

#include "backends/gpu/free_list.h"

namespace inkread::vulkan {

Status Grow(const std::shared_ptr<Device>& device, Buffer::Kind kind, uint64_t size_bytes, uint64_t max_bytes,
            Buffer& buffer) {
  if (buffer.size_bytes() >= size_bytes) return Status();
  buffer = Buffer();  // first, so that both never exist at once
  INKREAD_ASSIGN_OR_RETURN(buffer, Buffer::Make(device, kind, gpu::WithHeadroom(size_bytes, max_bytes)));
  return Status();
}

namespace {

// The smallest buffers of a run on a GPU, enough for the networks on a page of one megapixel. Growing one takes 7 to
// 14 ms on an H200, many times anything else that a new size of image costs.
constexpr uint64_t kMinWorkBytes = uint64_t{64} << 20, kMinReadbackBytes = uint64_t{6} << 20;

}  // namespace

Result<std::unique_ptr<RunMemory>> RunMemory::Make(const std::shared_ptr<Device>& device) {
  auto made = std::make_unique<RunMemory>();
  made->device_ = device;
  INKREAD_ASSIGN_OR_RETURN(made->commands_, Commands::Make(device));
  return made;
}

Status RunMemory::Reserve(uint64_t work_bytes, uint64_t upload_bytes, uint64_t readback_bytes) {
  const uint64_t max_bytes = device_->limits().maxStorageBufferRange;
  if (device_->physical().properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) {
    work_bytes = std::max(work_bytes, std::min(kMinWorkBytes, max_bytes));
    readback_bytes = std::max(readback_bytes, kMinReadbackBytes);
  }
  INKREAD_RETURN_IF_ERROR(Grow(device_, Buffer::Kind::kDevice, work_bytes, max_bytes, work_));
  if (!host_writes_work())
    INKREAD_RETURN_IF_ERROR(Grow(device_, Buffer::Kind::kUpload, upload_bytes, UINT64_MAX, upload_));
  if (host_reads_work()) return Status();
  return Grow(device_, Buffer::Kind::kReadback, readback_bytes, UINT64_MAX, readback_);
}

Result<std::vector<VkDescriptorSet>> RunMemory::Bind(const std::vector<JobBuffers>& buffers,
                                                     VkDescriptorSetLayout layout) {
  const DeviceFunctions& vk = device_->vk();
  if (num_sets_ < buffers.size()) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    static_cast<uint32_t>(buffers.size()) * kNumBindings};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = static_cast<uint32_t>(buffers.size());
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    INKREAD_ASSIGN_OR_RETURN(
        sets_, OwnedDescriptorPool::Make(device_, "vkCreateDescriptorPool", [&](Device& d, VkDescriptorPool* p) {
          return d.vk().vkCreateDescriptorPool(d.handle(), &info, nullptr, p);
        }));
    num_sets_ = buffers.size();
  }
  INKREAD_RETURN_IF_ERROR(device_->call()("vkResetDescriptorPool",
                                          [&] { return vk.vkResetDescriptorPool(device_->handle(), sets_.get(), 0); }));
  const std::vector<VkDescriptorSetLayout> layouts(buffers.size(), layout);
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = sets_.get();
  allocate.descriptorSetCount = static_cast<uint32_t>(buffers.size());
  allocate.pSetLayouts = layouts.data();
  std::vector<VkDescriptorSet> sets(buffers.size());
  INKREAD_RETURN_IF_ERROR(device_->call()("vkAllocateDescriptorSets", [&] {
    return vk.vkAllocateDescriptorSets(device_->handle(), &allocate, sets.data());
  }));
  for (size_t i = 0; i < buffers.size(); ++i) {
    VkDescriptorBufferInfo bound[kNumBindings];
    for (VkDescriptorBufferInfo& buffer : bound) buffer = {work_.handle(), 0, VK_WHOLE_SIZE};
    bound[kWeightsBinding].buffer = buffers[i].weights;
    if (buffers[i].image != VK_NULL_HANDLE) bound[kImageBinding].buffer = buffers[i].image;
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = sets[i];
    write.descriptorCount = kNumBindings;  // from binding 0 on
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = bound;
    vk.vkUpdateDescriptorSets(device_->handle(), 1, &write, 0, nullptr);
  }
  return sets;
}

Result<VkQueryPool> RunMemory::Timestamps(uint32_t count) {
  if (num_timestamps_ < count) {
    VkQueryPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = count;
    INKREAD_ASSIGN_OR_RETURN(timestamps_,
                             OwnedQueryPool::Make(device_, "vkCreateQueryPool", [&](Device& d, VkQueryPool* p) {
                               return d.vk().vkCreateQueryPool(d.handle(), &info, nullptr, p);
                             }));
    num_timestamps_ = count;
  }
  device_->vk().vkCmdResetQueryPool(commands_.handle(), timestamps_.get(), 0, count);
  return timestamps_.get();
}

}  // namespace inkread::vulkan
