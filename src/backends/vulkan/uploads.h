// What the host brings to the device before runs: packed weights and pictures.
#ifndef INKREAD_BACKENDS_VULKAN_UPLOADS_H_
#define INKREAD_BACKENDS_VULKAN_UPLOADS_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "backends/gpu/free_list.h"
#include "backends/vulkan/device.h"
#include "image/picture.h"
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

// Memory of one picture after another. Grows, never shrinks.
struct PictureMemory {
  Buffer picture;
  Buffer staging;  // where the host sees nothing of `picture`
  uint64_t work_bytes() const { return picture.size_bytes(); }
};

class Picture : public DevicePicture {
 public:
  using List = gpu::FreeList<PictureMemory>;
  // The memory goes back to `list` with the picture.
  Picture(std::unique_ptr<PictureMemory> memory, uint64_t size_bytes, std::shared_ptr<List> list)
      : memory_(std::move(memory)), size_bytes_(size_bytes), list_(std::move(list)) {}
  ~Picture() override { list_->Return(std::move(memory_)); }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
  VkBuffer buffer() const { return memory_->picture.handle(); }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  std::unique_ptr<PictureMemory> memory_;
  uint64_t size_bytes_;
  std::shared_ptr<List> list_;
};

// Safe from several threads.
class Uploads {
 public:
  static Result<std::unique_ptr<Uploads>> Make(const std::shared_ptr<Device>& device);
  // Errors  kOutOfMemory, kDeviceLost
  Result<std::shared_ptr<const Weights>> Put(std::span<const std::byte> weights);
  Result<std::shared_ptr<const Picture>> Put(const ImageView& picture);

 private:
  // kOutOfMemory where kernels cannot reach as much through one buffer.
  Status CheckSize(const char* what, uint64_t bytes) const;
  Status Copy(const Buffer& from, const Buffer& to, uint64_t bytes);

  std::shared_ptr<Device> device_;
  std::shared_ptr<Picture::List> pictures_ = std::make_shared<Picture::List>();
  std::mutex mutex_;
  Commands commands_;
};

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_UPLOADS_H_
