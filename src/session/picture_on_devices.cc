#include "session/picture_on_devices.h"

#include <utility>

namespace inkread {

PictureOnDevices::PictureOnDevices(const ImageView& view, std::shared_ptr<const Devices> devices)
    : view_(view), devices_(std::move(devices)), pictures_(devices_->size()) {}

Result<const DevicePicture*> PictureOnDevices::On(int device) {
  std::lock_guard lock(mutex_);
  if (pictures_[device] == nullptr) {
    INKREAD_ASSIGN_OR_RETURN(pictures_[device], devices_->backend(device).UploadPicture(view_));
  }
  return pictures_[device].get();
}

}  // namespace inkread
