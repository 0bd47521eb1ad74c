// What one run at a time uses: its commands, its memory on the device, and the buffers that data is copied through.
#ifndef INKREAD_BACKENDS_VULKAN_RUN_MEMORY_H_
#define INKREAD_BACKENDS_VULKAN_RUN_MEMORY_H_

#include <compare>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/vulkan/device.h"
#include "backends/vulkan/pipelines.h"

namespace inkread::vulkan {

// Replaces `buffer` by a larger one if it holds less than size_bytes; its content is then lost. The new one has some
// headroom for later runs, up to max_bytes.
Status Grow(const std::shared_ptr<Device>& device, Buffer::Kind kind, uint64_t size_bytes, uint64_t max_bytes,
            Buffer& buffer);

// What the kernels of a job read besides the run's memory.
struct JobBuffers {
  VkBuffer weights = VK_NULL_HANDLE;
  VkBuffer image = VK_NULL_HANDLE;  // may be none
  auto operator<=>(const JobBuffers&) const = default;
};

// Grows, never shrinks.
class RunMemory {
 public:
  static Result<std::unique_ptr<RunMemory>> Make(const std::shared_ptr<Device>& device);

  // Grows the buffers to these sizes where they are smaller; their content is lost.
  Status Reserve(uint64_t work_bytes, uint64_t upload_bytes, uint64_t readback_bytes);
  Commands& commands() { return commands_; }
  const Buffer& work() const { return work_; }
  uint64_t work_bytes() const { return work_.size_bytes(); }
  const Buffer& upload() const { return upload_; }
  const Buffer& readback() const { return readback_; }
  // Whether the host writes inputs into work(), and reads outputs from it. upload() and readback() are empty where they
  // are not needed.
  bool host_writes_work() const { return work_.data() != nullptr; }
  bool host_reads_work() const { return host_writes_work() && work_.is_quick_to_read(); }

  // One descriptor set for each of `buffers`, in their order, each with this run's memory.
  Result<std::vector<VkDescriptorSet>> Bind(const std::vector<JobBuffers>& buffers, VkDescriptorSetLayout layout);
  // A pool of `count` timestamps, reset by the commands that are being recorded.
  Result<VkQueryPool> Timestamps(uint32_t count);

 private:
  std::shared_ptr<Device> device_;
  Commands commands_;
  Buffer work_, upload_, readback_;
  OwnedDescriptorPool sets_;
  size_t num_sets_ = 0;
  OwnedQueryPool timestamps_;
  uint32_t num_timestamps_ = 0;
};

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_RUN_MEMORY_H_
