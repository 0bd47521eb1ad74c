#include "codec/test_decode.h"

namespace inkread::test {
namespace {

TEST(Jpeg2000Test, ReadsGreyAndColourAsFileAndAsCodeStream) {
  for (int channels : {1, 3}) {
    for (bool jp2 : {true, false}) {
      Jpeg2000Spec spec{21, 13, channels};
      spec.jp2 = jp2;
      const Bytes samples = Samples(21, 13, channels);
      const DecodedImage image = MustDecode(WriteJpeg2000(spec, samples));
      ASSERT_EQ(image.width_px, 21);
      ASSERT_EQ(image.height_px, 13);
      EXPECT_EQ(image.format, channels == 1 ? PixelFormat::kGray8 : PixelFormat::kBgr24);
      EXPECT_EQ(LargestDifference(image, samples, channels), 0) << channels << " channels, jp2: " << jp2;
      EXPECT_TRUE(image.warnings.empty());
    }
  }
}

TEST(Jpeg2000Test, OtherDepthsBecomeEightBits) {
  const Bytes samples = Samples(21, 13, 3);
  for (int bits : {10, 12, 16}) {
    EXPECT_EQ(LargestDifference(MustDecode(WriteJpeg2000({21, 13, 3, bits}, samples)), samples, 3), 0) << bits;
  }
  const DecodedImage four = MustDecode(WriteJpeg2000({21, 13, 3, 4}, samples));
  EXPECT_LE(LargestDifference(four, samples, 3), 15);
  const DecodedImage one = MustDecode(WriteJpeg2000({16, 16, 1, 1}, Bytes(256, 255)));
  EXPECT_EQ(PixelAt(one, 3, 3), (Bgr{255, 255, 255}));  // spread over the whole range
}

TEST(Jpeg2000Test, LossyIsClose) {
  Jpeg2000Spec spec{64, 48};
  spec.lossless = false;
  const Bytes samples = Samples(64, 48, 3);
  EXPECT_LE(LargestDifference(MustDecode(WriteJpeg2000(spec, samples)), samples, 3), 24);
}

TEST(Jpeg2000Test, LaysAlphaOnAContrastingGround) {
  for (int channels : {2, 4}) {
    Bytes samples(static_cast<size_t>(64 * channels), 30);
    for (size_t i = 0; i < 64; ++i) samples[(i + 1) * static_cast<size_t>(channels) - 1] = i < 8 ? 0 : 255;
    const Bytes bytes = WriteJpeg2000({8, 8, channels}, samples);
    EXPECT_EQ(PixelAt(MustDecode(bytes), 0, 0), (Bgr{255, 255, 255})) << channels;
    EXPECT_EQ(PixelAt(MustDecode(bytes), 0, 1), (Bgr{30, 30, 30})) << channels;
    EXPECT_EQ(PixelAt(MustDecode(bytes, DropAlpha()), 0, 0), (Bgr{30, 30, 30})) << channels;
  }
}

TEST(Jpeg2000Test, YccWithFewerColourSamplesBecomesRgb) {
  Bytes samples;
  for (int i = 0; i < 20 * 10; ++i) samples.insert(samples.end(), {76, 85, 255});  // red
  Jpeg2000Spec spec{20, 10};
  spec.ycc = true;
  const DecodedImage image = MustDecode(WriteJpeg2000(spec, samples));
  for (int x : {0, 7, 19}) {
    const Bgr pixel = PixelAt(image, x, 9);
    EXPECT_NEAR(pixel[2], 254, 2);
    EXPECT_NEAR(pixel[1], 0, 2);
    EXPECT_NEAR(pixel[0], 0, 2);
  }
}

TEST(Jpeg2000Test, ChecksTheSizeBeforeItUnpacks) {
  DecodeOptions options;
  options.max_pixels = 255;
  const Status status = MustFail(WriteJpeg2000({}, Samples(16, 16, 3)), options);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(Contains(status.message(), "JPEG 2000 header: 16 x 16 px are more than")) << status.message();
}

TEST(Jpeg2000Test, ACutFileKeepsItsBeginningOrFails) {
  const Bytes whole = WriteJpeg2000({64, 64}, Samples(64, 64, 3));
  int num_kept = 0;
  for (size_t size = 12; size < whole.size(); size += 61) {
    const auto part = DecodeImage(Prefix(whole, size), {});
    if (!part.ok()) {
      EXPECT_EQ(part.status().code(), StatusCode::kCorruptImage) << size << ": " << part.status().message();
      continue;
    }
    ++num_kept;
    ASSERT_EQ(part->warnings.size(), 1u) << size;
    EXPECT_TRUE(Contains(part->warnings[0], "JPEG 2000: truncated or damaged")) << part->warnings[0];
  }
  EXPECT_GT(num_kept, 0);
}

}  // namespace
}  // namespace inkread::test
