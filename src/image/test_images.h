// Random images of all layouts, for tests.
#ifndef INKREAD_IMAGE_TEST_IMAGES_H_
#define INKREAD_IMAGE_TEST_IMAGES_H_

#include <memory>
#include <random>

#include "image/image.h"

namespace inkread {

inline constexpr PixelFormat kAllLayouts[] = {PixelFormat::kBgr24, PixelFormat::kRgb24, PixelFormat::kBgra32,
                                              PixelFormat::kRgba32, PixelFormat::kGray8};

// Noise in an allocation of exactly the size of the rows, so that a sanitizer detects reads past them.
class TestImage {
 public:
  TestImage(int width, int height, PixelFormat layout, bool bottom_up, std::mt19937* random) {
    const ptrdiff_t row_bytes = static_cast<ptrdiff_t>(width) * BytesPerPixel(layout);
    const ptrdiff_t stride = row_bytes + 5;
    const size_t size = static_cast<size_t>(stride * (height - 1) + row_bytes);
    bytes_ = std::make_unique<uint8_t[]>(size);
    for (size_t i = 0; i < size; ++i) bytes_[i] = static_cast<uint8_t>((*random)());
    view_ = bottom_up ? ImageView{bytes_.get() + stride * (height - 1), width, height, -stride, layout}
                      : ImageView{bytes_.get(), width, height, stride, layout};
  }
  const ImageView& view() const { return view_; }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  ImageView view_;
};

}  // namespace inkread

#endif  // INKREAD_IMAGE_TEST_IMAGES_H_
