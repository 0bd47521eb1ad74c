// What the host copies to the device before runs: packed weights and images.
#ifndef INKREAD_BACKENDS_VULKAN_UPLOADS_H_
#define INKREAD_BACKENDS_VULKAN_UPLOADS_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "backends/gpu/image.h"
#include "backends/vulkan/device.h"
#include "image/image.h"
#include "schedule/backend.h"

namespace inkread::vulkan {

class Weights : public DeviceWeights {
 public:
  Weights(Buffer buffer, uint64_t size_bytes) : buffer_(std::move(buffer)), size_bytes_(size_bytes) {}
  VkBuffer buffer() const { return buffer_.handle(); }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  Buffer buffer_;
  uint64_t size_bytes_;
};

// Memory that holds one image after another. Grows, never shrinks.
struct ImageMemory {
  Buffer image;
  Buffer staging;  // unused where the host can write `image`
  uint64_t work_bytes() const { return image.size_bytes(); }
};

using Image = gpu::Image<ImageMemory>;

// Safe from several threads.
class Uploads {
 public:
  explicit Uploads(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  // Errors  kOutOfMemory, kDeviceLost
  Result<std::shared_ptr<const Weights>> Put(std::span<const std::byte> weights);
  Result<std::shared_ptr<const Image>> Put(const ImageView& image);

 private:
  // kOutOfMemory: kernels cannot reach as many bytes through one buffer.
  Status CheckSize(const char* what, uint64_t bytes) const;
  Result<Commands> TakeCommands();
  Status Copy(const Buffer& from, const Buffer& to, uint64_t bytes);

  std::shared_ptr<Device> device_;
  std::shared_ptr<Image::List> images_ = std::make_shared<Image::List>();
  std::mutex mutex_;
  std::vector<Commands> commands_;  // idle ones
};

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_UPLOADS_H_
