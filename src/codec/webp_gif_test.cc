#include "codec/test_decode.h"

namespace inkread::test {
namespace {

Bytes Bgra(int width, int height, uint8_t value, uint8_t alpha) {
  Bytes bgra;
  for (int i = 0; i < width * height; ++i) bgra.insert(bgra.end(), {value, value, value, alpha});
  return bgra;
}

TEST(WebpTest, ReadsLosslessAndLossy) {
  Bytes bgra = Samples(20, 15, 4);
  for (size_t i = 3; i < bgra.size(); i += 4) bgra[i] = 255;
  for (bool lossless : {true, false}) {
    const DecodedImage image = MustDecode(WriteWebp(20, 15, bgra, lossless, {}));
    ASSERT_EQ(image.width_px, 20);
    ASSERT_EQ(image.height_px, 15);
    for (size_t i = 0; i < 20 * 15; ++i) {
      for (size_t c = 0; c < 3; ++c) {
        ASSERT_NEAR(image.pixels[3 * i + c], bgra[4 * i + c], lossless ? 0 : 12);
      }
    }
  }
}

TEST(WebpTest, LaysAlphaOnAContrastingGround) {
  Bytes bgra = Bgra(8, 8, 230, 255);
  for (size_t i = 0; i < 8; ++i) bgra[4 * i + 3] = 0;
  const Bytes bytes = WriteWebp(8, 8, bgra, true, {});
  EXPECT_EQ(PixelAt(MustDecode(bytes), 0, 0), (Bgr{0, 0, 0}));
  EXPECT_EQ(PixelAt(MustDecode(bytes), 0, 1), (Bgr{230, 230, 230}));
}

TEST(WebpTest, OfAnAnimationTheFirstFrameIsReadInItsPlace) {
  const Bytes bytes = WriteAnimatedWebp(12, 10, 2, 4, 6, 5, {Bgra(6, 5, 40, 255), Bgra(6, 5, 90, 255)});
  const DecodedImage image = MustDecode(bytes);
  ASSERT_EQ(image.width_px, 12);
  ASSERT_EQ(image.height_px, 10);
  EXPECT_EQ(PixelAt(image, 2, 4), (Bgr{40, 40, 40}));
  EXPECT_EQ(PixelAt(image, 7, 8), (Bgr{40, 40, 40}));
  EXPECT_EQ(PixelAt(image, 1, 4), (Bgr{255, 255, 255}));
  EXPECT_EQ(PixelAt(image, 8, 8), (Bgr{255, 255, 255}));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_EQ(image.warnings[0], "WebP: an animation of 2 frames; the first is read");
}

TEST(WebpTest, ACutFileKeepsItsBeginningOrFails) {
  Bytes bgra = Samples(64, 200, 4);
  uint32_t state = 7;
  for (size_t i = 0; i < bgra.size(); ++i) {
    bgra[i] = i % 4 == 3 ? 255 : static_cast<uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  }
  for (bool lossless : {true, false}) {
    const Bytes whole = WriteWebp(64, 200, bgra, lossless, {});
    const DecodedImage image = MustDecode(Prefix(whole, whole.size() / 2));
    ASSERT_EQ(image.warnings.size(), 1u);
    EXPECT_TRUE(Contains(image.warnings[0], "WebP: truncated at row ")) << image.warnings[0];
    for (size_t size = 12; size < whole.size(); size += 997) {
      const auto part = DecodeImage(Prefix(whole, size), {});
      if (part.ok()) {
        EXPECT_FALSE(part->warnings.empty()) << size;
      }
    }
  }
}

const Bytes kPalette = {0, 0, 0, 255, 255, 255, 200, 30, 40, 10, 220, 10};

TEST(GifTest, ReadsAFrameAtAnOffsetWithClearPixels) {
  GifFrame frame;
  frame.left = 2;
  frame.top = 1;
  frame.width = 3;
  frame.height = 2;
  frame.clear_index = 3;
  frame.indices = {0, 2, 3, 0, 3, 3};
  const DecodedImage image = MustDecode(WriteGif(8, 5, kPalette, {frame}));
  ASSERT_EQ(image.width_px, 8);
  ASSERT_EQ(image.height_px, 5);
  EXPECT_EQ(PixelAt(image, 2, 1), (Bgr{0, 0, 0}));
  EXPECT_EQ(PixelAt(image, 3, 1), (Bgr{40, 30, 200}));
  EXPECT_EQ(PixelAt(image, 4, 1), (Bgr{255, 255, 255}));  // transparent, dark colours: white background
  EXPECT_EQ(PixelAt(image, 7, 4), (Bgr{255, 255, 255}));
  EXPECT_TRUE(image.warnings.empty());
}

TEST(GifTest, PutsInterlacedRowsInOrder) {
  GifFrame frame;
  frame.width = 1;
  frame.height = 9;
  frame.interlaced = true;
  // In file order: rows 0, 8, 4, 2, 6, 1, 3, 5, 7.
  frame.indices = {0, 1, 1, 2, 2, 3, 3, 3, 3};
  const DecodedImage image = MustDecode(WriteGif(1, 9, kPalette, {frame}));
  EXPECT_EQ(PixelAt(image, 0, 0), (Bgr{0, 0, 0}));
  EXPECT_EQ(PixelAt(image, 0, 8), (Bgr{255, 255, 255}));
  EXPECT_EQ(PixelAt(image, 0, 4), (Bgr{255, 255, 255}));
  EXPECT_EQ(PixelAt(image, 0, 6), (Bgr{40, 30, 200}));
  EXPECT_EQ(PixelAt(image, 0, 7), (Bgr{10, 220, 10}));
}

TEST(GifTest, CountsTheFramesOfAnAnimation) {
  GifFrame frame;
  frame.indices = Bytes(64, 2);
  GifFrame second = frame;
  second.indices = Bytes(64, 1);
  const DecodedImage image = MustDecode(WriteGif(8, 8, kPalette, {frame, second, second}));
  EXPECT_EQ(PixelAt(image, 4, 4), (Bgr{40, 30, 200}));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_EQ(image.warnings[0], "GIF: an animation of 3 frames; the first is read");
}

TEST(GifTest, ACutFileKeepsItsBeginningAndSaysWhere) {
  GifFrame frame;
  frame.width = 100;
  frame.height = 100;
  uint32_t state = 3;
  for (int i = 0; i < 100 * 100; ++i) {
    frame.indices.push_back(static_cast<uint8_t>((state = state * 1664525u + 1013904223u) >> 30));
  }
  const Bytes whole = WriteGif(100, 100, kPalette, {frame});
  const DecodedImage image = MustDecode(Prefix(whole, whole.size() / 2));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_TRUE(Contains(image.warnings[0], "GIF: truncated or damaged after ")) << image.warnings[0];
  EXPECT_EQ(MustFail(Prefix(whole, 20)).code(), StatusCode::kCorruptImage);
}

}  // namespace
}  // namespace inkread::test
