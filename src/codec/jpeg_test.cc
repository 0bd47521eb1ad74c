#include "codec/test_decode.h"

namespace inkread::test {
namespace {

TEST(JpegTest, ReadsEveryColourSpace) {
  struct Case {
    JpegColour colour;
    bool progressive;
    int tolerance;  // for quality 100; YCC and YCCK have half the chroma resolution in both directions
  };
  for (const Case& c :
       {Case{JpegColour::kGrey, false, 2}, Case{JpegColour::kGrey, true, 2}, Case{JpegColour::kYcc, false, 12},
        Case{JpegColour::kYcc, true, 12}, Case{JpegColour::kRgb, false, 2}}) {
    const int channels = c.colour == JpegColour::kGrey ? 1 : 3;
    const Bytes samples = Samples(21, 13, channels);
    JpegSpec spec;
    spec.width = 21;
    spec.height = 13;
    spec.colour = c.colour;
    spec.progressive = c.progressive;
    const DecodedImage image = MustDecode(WriteJpeg(spec, samples));
    ASSERT_EQ(image.width_px, 21);
    ASSERT_EQ(image.height_px, 13);
    EXPECT_EQ(image.format, channels == 1 ? PixelFormat::kGray8 : PixelFormat::kBgr24);
    EXPECT_LE(LargestDifference(image, samples, channels), c.tolerance) << static_cast<int>(c.colour);
    EXPECT_TRUE(image.warnings.empty());
  }
}

TEST(JpegTest, CmykIsInvertedWhenAdobeSaysSo) {
  // C = 0, M = 255, Y = 0, K = 0 in ink: magenta. With the Adobe marker, 255 - ink is stored.
  for (bool adobe : {true, false}) {
    for (JpegColour colour : {JpegColour::kCmyk, JpegColour::kYcck}) {
      if (colour == JpegColour::kYcck && !adobe) continue;  // YCCK needs the marker
      Bytes samples;
      for (int i = 0; i < 16 * 16; ++i) {
        for (int ink : {0, 255, 0, 0}) samples.push_back(static_cast<uint8_t>(adobe ? 255 - ink : ink));
      }
      JpegSpec spec;
      spec.colour = colour;
      spec.adobe_marker = adobe;
      const Bgr p = PixelAt(MustDecode(WriteJpeg(spec, samples)), 5, 5);
      EXPECT_GE(p[0], 250) << adobe;
      EXPECT_LE(p[1], 5) << adobe;
      EXPECT_GE(p[2], 250) << adobe;
    }
  }
}

TEST(JpegTest, ACutFileKeepsItsBeginningAndSaysWhere) {
  const Bytes samples = Samples(64, 256, 3);
  JpegSpec spec;
  spec.width = 64;
  spec.height = 256;
  const Bytes whole = WriteJpeg(spec, samples);
  const DecodedImage image = MustDecode(Prefix(whole, whole.size() * 7 / 10));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_TRUE(Contains(image.warnings[0], "JPEG: truncated near row ")) << image.warnings[0];
  EXPECT_TRUE(Contains(image.warnings[0], " of 256")) << image.warnings[0];
  const Bgr top = PixelAt(image, 3, 3);
  const Bgr want = PixelAt(MustDecode(whole), 3, 3);
  EXPECT_EQ(top, want);
}

TEST(JpegTest, ACutProgressiveFileWarns) {
  JpegSpec spec;
  spec.width = 64;
  spec.height = 256;
  spec.progressive = true;
  const Bytes whole = WriteJpeg(spec, Samples(64, 256, 3));
  const DecodedImage image = MustDecode(Prefix(whole, whole.size() / 2));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_TRUE(Contains(image.warnings[0], "progressive")) << image.warnings[0];
}

TEST(JpegTest, AMissingEndMarkerIsNoDamage) {
  for (const JpegColour colour : {JpegColour::kGrey, JpegColour::kYcc}) {
    JpegSpec spec;
    spec.width = 40;
    spec.height = 90;
    spec.colour = colour;
    const Bytes whole = WriteJpeg(spec, Samples(40, 90, colour == JpegColour::kGrey ? 1 : 3));
    const DecodedImage image = MustDecode(Prefix(whole, whole.size() - 2));
    EXPECT_EQ(image.warnings, std::vector<std::string>());
    EXPECT_EQ(image.pixels, MustDecode(whole).pixels);
  }
}

TEST(JpegTest, EveryPrefixGivesAStatusOrAWarningOrTheWholeImage) {
  JpegSpec spec;
  spec.width = 40;
  spec.height = 90;
  for (bool progressive : {false, true}) {
    spec.progressive = progressive;
    const Bytes whole = WriteJpeg(spec, Samples(40, 90, 3));
    const Bytes pixels = MustDecode(whole).pixels;
    for (size_t size = 0; size + 2 < whole.size(); size += size + 50 < whole.size() ? 7 : 1) {
      const auto image = DecodeImage(Prefix(whole, size), {});
      if (image.ok()) {
        EXPECT_TRUE(!image->warnings.empty() || image->pixels == pixels) << size;
      } else {
        EXPECT_FALSE(image.status().message().empty()) << size;
      }
    }
  }
}

TEST(JpegTest, AFileWithoutAnImageIsCorrupt) {
  Bytes bytes = {0xFF, 0xD8, 0xFF, 0xE0};
  for (int i = 0; i < 2048; ++i) bytes.push_back(static_cast<uint8_t>(i));
  const Status status = MustFail(bytes);
  EXPECT_EQ(status.code(), StatusCode::kCorruptImage);
  EXPECT_TRUE(Contains(status.message(), "JPEG")) << status.message();
}

TEST(JpegTest, TwelveBitsAreUnsupported) {
  Bytes bytes = WriteJpeg({}, Samples(16, 16, 3));
  for (size_t i = 0; i + 4 < bytes.size(); ++i) {
    if (bytes[i] == 0xFF && bytes[i + 1] == 0xC0) {
      bytes[i + 4] = 12;  // the precision of the frame header
      break;
    }
  }
  EXPECT_EQ(MustFail(bytes).code(), StatusCode::kUnsupported);
}

TEST(JpegTest, EncodesWhatItDecodes) {
  const uint8_t blue_to_red[] = {200, 120, 40, 255};
  for (const PixelFormat format :
       {PixelFormat::kGray8, PixelFormat::kBgr24, PixelFormat::kRgb24, PixelFormat::kBgra32, PixelFormat::kRgba32}) {
    const int channels = BytesPerPixel(format);
    const bool red_first = format == PixelFormat::kRgb24 || format == PixelFormat::kRgba32;
    Bytes samples;
    for (int i = 0; i < 16 * 9; ++i) {
      for (int c = 0; c < channels; ++c) samples.push_back(blue_to_red[red_first && c < 3 ? 2 - c : c]);
    }
    const ptrdiff_t row = ptrdiff_t{16} * channels;
    const auto jpeg = EncodeJpeg({samples.data() + 8 * row, 16, 9, -row, format});
    ASSERT_TRUE(jpeg.ok()) << jpeg.status().message();
    const DecodedImage image = MustDecode(*jpeg);
    EXPECT_EQ(image.width_px, 16);
    EXPECT_EQ(image.height_px, 9);
    const Bgr found = PixelAt(image, 5, 5);
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(found[c], blue_to_red[channels == 1 ? 0 : c], 3) << static_cast<int>(format);
  }
}

TEST(JpegTest, RefusesToEncodeWhatItCannot) {
  const Bytes pixels(70'000);
  const auto code = [](const ImageView& view, int quality) { return EncodeJpeg(view, quality).status().code(); };
  EXPECT_EQ(code({nullptr, 2, 2, 2, PixelFormat::kGray8}, 90), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({pixels.data(), 2, 2, 2, PixelFormat::kGray8}, 0), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({pixels.data(), 65'501, 1, 65'501, PixelFormat::kGray8}, 90), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({pixels.data(), 65'500, 1, 65'500, PixelFormat::kGray8}, 90), StatusCode::kOk);
}

}  // namespace
}  // namespace inkread::test
