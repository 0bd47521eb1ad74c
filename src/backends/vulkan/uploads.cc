#include "backends/vulkan/uploads.h"

#include <algorithm>
#include <cstring>

#include "backends/vulkan/run_memory.h"
#include "base/round.h"

namespace inkread::vulkan {
namespace {

// Rows without gaps.
void CopyRows(const ImageView& picture, size_t row_bytes, std::byte* to) {
  if (picture.stride_bytes == static_cast<ptrdiff_t>(row_bytes)) {
    std::memcpy(to, picture.pixels, row_bytes * static_cast<size_t>(picture.height_px));
    return;
  }
  for (int y = 0; y < picture.height_px; ++y, to += row_bytes) std::memcpy(to, picture.row(y), row_bytes);
}

}  // namespace

Result<std::unique_ptr<Uploads>> Uploads::Make(const std::shared_ptr<Device>& device) {
  auto made = std::make_unique<Uploads>();
  made->device_ = device;
  INKREAD_ASSIGN_OR_RETURN(made->commands_, Commands::Make(device));
  return made;
}

Status Uploads::CheckSize(const char* what, uint64_t bytes) const {
  const uint64_t most = device_->limits().maxStorageBufferRange;
  if (bytes <= most) return Status();
  return OutOfMemory(device_->call().who(), ": ", bytes, " bytes of ", what, ", its buffers hold ", most);
}

Status Uploads::Copy(const Buffer& from, const Buffer& to, uint64_t bytes) {
  std::lock_guard lock(mutex_);
  INKREAD_RETURN_IF_ERROR(commands_.Begin());
  const VkBufferCopy region{0, 0, bytes};
  device_->vk().vkCmdCopyBuffer(commands_.handle(), from.handle(), to.handle(), 1, &region);
  return commands_.EndAndRun();
}

Result<std::shared_ptr<const Weights>> Uploads::Put(std::span<const std::byte> weights) {
  const uint64_t size = weights.size() + kArenaSlackBytes;
  INKREAD_RETURN_IF_ERROR(CheckSize("weights", size));
  INKREAD_ASSIGN_OR_RETURN(Buffer buffer, Buffer::Make(device_, Buffer::Kind::kDevice, size));
  if (buffer.data() != nullptr) {
    std::copy(weights.begin(), weights.end(), buffer.data());
  } else if (!weights.empty()) {
    INKREAD_ASSIGN_OR_RETURN(const Buffer staging, Buffer::Make(device_, Buffer::Kind::kUpload, weights.size()));
    std::memcpy(staging.data(), weights.data(), weights.size());
    INKREAD_RETURN_IF_ERROR(Copy(staging, buffer, weights.size()));
  }
  return std::make_shared<const Weights>(std::move(buffer), weights.size());
}

Result<std::shared_ptr<const Picture>> Uploads::Put(const ImageView& picture) {
  const size_t row_bytes = static_cast<size_t>(picture.width_px) * BytesPerPixel(picture.format);
  const uint64_t size = row_bytes * static_cast<size_t>(picture.height_px);
  const uint64_t words_bytes = RoundUp(size, uint64_t{4});  // what kernels read are words
  INKREAD_RETURN_IF_ERROR(CheckSize("a picture", words_bytes));
  std::unique_ptr<PictureMemory> memory = pictures_->Take(words_bytes);
  if (memory == nullptr) memory = std::make_unique<PictureMemory>();
  // What fails does not give its memory back.
  INKREAD_RETURN_IF_ERROR(
      Grow(device_, Buffer::Kind::kDevice, words_bytes, device_->limits().maxStorageBufferRange, memory->picture));
  if (std::byte* const data = memory->picture.data(); data != nullptr) {
    CopyRows(picture, row_bytes, data);
  } else {
    INKREAD_RETURN_IF_ERROR(Grow(device_, Buffer::Kind::kUpload, words_bytes, UINT64_MAX, memory->staging));
    CopyRows(picture, row_bytes, memory->staging.data());
    INKREAD_RETURN_IF_ERROR(Copy(memory->staging, memory->picture, size));
  }
  return std::make_shared<const Picture>(std::move(memory), size, pictures_);
}

}  // namespace inkread::vulkan
