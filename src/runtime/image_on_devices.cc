#include "runtime/image_on_devices.h"

#include <utility>

namespace inkread {

ImageOnDevices::ImageOnDevices(const ImageView& view, std::shared_ptr<const FallbackChain> devices)
    : view_(view), devices_(std::move(devices)), images_(devices_->size()) {}

Result<const DeviceImage*> ImageOnDevices::On(int device) {
  std::lock_guard lock(mutex_);
  if (images_[device] == nullptr) {
    INKREAD_ASSIGN_OR_RETURN(images_[device], devices_->backend(device).UploadImage(view_));
  }
  return images_[device].get();
}

}  // namespace inkread
