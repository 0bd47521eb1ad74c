// Helpers for the tests of src/codec/.
#ifndef INKREAD_CODEC_TEST_DECODE_H_
#define INKREAD_CODEC_TEST_DECODE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "codec/test_images.h"
#include "inkread/codec.h"

namespace inkread::test {

using Bgr = std::array<int, 3>;

inline Bgr PixelAt(const DecodedImage& image, int x, int y) {
  const int n = BytesPerPixel(image.format);
  const uint8_t* p = image.pixels.data() + y * image.stride_bytes + x * n;
  return n == 1 ? Bgr{p[0], p[0], p[0]} : Bgr{p[0], p[1], p[2]};
}

// Decodes an image. On an error the test fails and the result is empty.
inline DecodedImage MustDecode(const Bytes& bytes, const DecodeOptions& options = {}) {
  auto image = DecodeImage(bytes, options);
  if (!image.ok()) {
    ADD_FAILURE() << image.status().message();
    return {};
  }
  return *std::move(image);
}

inline Status MustFail(const Bytes& bytes, const DecodeOptions& options = {}) {
  auto image = DecodeImage(bytes, options);
  if (image.ok()) ADD_FAILURE() << "decoded to " << image->width_px << " x " << image->height_px;
  return image.status();
}

inline bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline Bytes Prefix(const Bytes& bytes, size_t size) {
  return Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(std::min(size, bytes.size())));
}

inline DecodeOptions DropAlpha() {
  DecodeOptions options;
  options.alpha = AlphaMode::kDrop;
  return options;
}

// Largest difference between the image and RGB (or grey) samples, row by row.
inline int LargestDifference(const DecodedImage& image, const Bytes& samples, int channels) {
  int worst = 0;
  for (int y = 0; y < image.height_px; ++y) {
    for (int x = 0; x < image.width_px; ++x) {
      const uint8_t* want = samples.data() + (static_cast<size_t>(y) * image.width_px + x) * channels;
      const Bgr got = PixelAt(image, x, y);
      for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(got[2 - c] - want[channels >= 3 ? c : 0]));
    }
  }
  return worst;
}

}  // namespace inkread::test

#endif  // INKREAD_CODEC_TEST_DECODE_H_
