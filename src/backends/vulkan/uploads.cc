#include "backends/vulkan/uploads.h"

#include <algorithm>
#include <cstring>

#include "backends/vulkan/run_memory.h"
#include "base/round.h"

namespace inkread::vulkan {

Status Uploads::CheckSize(const char* what, uint64_t bytes) const {
  const uint64_t max_bytes = device_->limits().maxStorageBufferRange;
  if (bytes <= max_bytes) return Status();
  return OutOfMemory(device_->call().who(), ": ", bytes, " bytes of ", what, ", its buffers hold ", max_bytes);
}

Result<Commands> Uploads::TakeCommands() {
  {
    std::lock_guard lock(mutex_);
    if (!commands_.empty()) {
      Commands commands = std::move(commands_.back());
      commands_.pop_back();
      return commands;
    }
  }
  return Commands::Make(device_);
}

Status Uploads::Copy(const Buffer& from, const Buffer& to, uint64_t bytes) {
  INKREAD_ASSIGN_OR_RETURN(Commands commands, TakeCommands());
  INKREAD_RETURN_IF_ERROR(commands.Begin());
  const VkBufferCopy region{0, 0, bytes};
  device_->vk().vkCmdCopyBuffer(commands.handle(), from.handle(), to.handle(), 1, &region);
  INKREAD_RETURN_IF_ERROR(commands.EndAndRun());
  // Commands that failed are destroyed, since their state is unknown.
  std::lock_guard lock(mutex_);
  commands_.push_back(std::move(commands));
  return Status();
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

Result<std::shared_ptr<const Image>> Uploads::Put(const ImageView& image) {
  const uint64_t size = uint64_t{RowBytes(image)} * static_cast<uint64_t>(image.height_px);
  const uint64_t padded_bytes = RoundUp(size, uint64_t{4});  // kernels read 32-bit words
  INKREAD_RETURN_IF_ERROR(CheckSize("an image", padded_bytes));
  std::unique_ptr<ImageMemory> memory = images_->Take(padded_bytes);
  if (memory == nullptr) memory = std::make_unique<ImageMemory>();
  // If this fails its memory is freed, not returned to the list.
  INKREAD_RETURN_IF_ERROR(
      Grow(device_, Buffer::Kind::kDevice, padded_bytes, device_->limits().maxStorageBufferRange, memory->image));
  if (std::byte* const data = memory->image.data(); data != nullptr) {
    CopyRows(image, data);
  } else {
    INKREAD_RETURN_IF_ERROR(Grow(device_, Buffer::Kind::kUpload, padded_bytes, UINT64_MAX, memory->staging));
    CopyRows(image, memory->staging.data());
    INKREAD_RETURN_IF_ERROR(Copy(memory->staging, memory->image, size));
  }
  return std::make_shared<const Image>(std::move(memory), size, images_);
}

}  // namespace inkread::vulkan
