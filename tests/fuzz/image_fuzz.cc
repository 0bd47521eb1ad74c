// Any bytes through the image decoders: a Status or a sound image, never a crash.
#include <algorithm>

#include "base/status.h"
#include "inkread/codec.h"

namespace {

void CheckSound(const inkread::DecodedImage& image, const inkread::DecodeOptions& options) {
  INKREAD_CHECK(image.width_px >= 1 && image.height_px >= 1);
  INKREAD_CHECK(int64_t{image.width_px} * image.height_px <= options.max_pixels);
  INKREAD_CHECK(image.stride_bytes == image.width_px * inkread::BytesPerPixel(image.format));
  INKREAD_CHECK(image.pixels.size() == static_cast<size_t>(image.stride_bytes) * image.height_px);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = inkread::ImageFile::Open({data, size});
  if (!file.ok()) {
    INKREAD_CHECK(!file.status().message().empty());
    return 0;
  }
  for (inkread::AlphaMode alpha : {inkread::AlphaMode::kContrast, inkread::AlphaMode::kDrop}) {
    inkread::DecodeOptions options;
    options.max_pixels = 1 << 18;
    options.alpha = alpha;
    for (int page = 0; page < std::min(file->num_pages(), 3); ++page) {
      const auto image = file->Decode(page, options);
      if (!image.ok()) {
        INKREAD_CHECK(!image.status().message().empty());
        continue;
      }
      CheckSound(*image, options);
      if (image->pixels.size() < 4096) INKREAD_CHECK(inkread::EncodePng(image->view()).ok());
    }
  }
  return 0;
}
