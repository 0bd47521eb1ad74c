// An image as the devices of a model see it: put on each that reads it, once.
#ifndef INKREAD_RUNTIME_IMAGE_ON_DEVICES_H_
#define INKREAD_RUNTIME_IMAGE_ON_DEVICES_H_

#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "image/image_rule.h"
#include "runtime/fallback_chain.h"

namespace inkread {

// Safe from several threads.
class ImageOnDevices {
 public:
  // view  must outlive this object
  ImageOnDevices(const ImageView& view, std::shared_ptr<const FallbackChain> devices);

  const ImageView& view() const { return view_; }
  // Lives as long as this object. Errors as Backend::UploadImage.
  Result<const DeviceImage*> On(int device);

 private:
  const ImageView view_;
  const std::shared_ptr<const FallbackChain> devices_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const DeviceImage>> images_;  // by device
};

// A part of a network's input that is made of an image.
struct ImageInput {
  ImageOnDevices* image = nullptr;  // of the model's devices
  ImageRule rule;
  uint64_t first_float = 0;  // of the input, where the part begins
};

}  // namespace inkread

#endif  // INKREAD_RUNTIME_IMAGE_ON_DEVICES_H_
