#include "codec/test_decode.h"

namespace inkread::test {
namespace {

TEST(TiffTest, ReadsStripsTilesAndDepths) {
  struct Case {
    const char* why;
    int bits, channels, photometric, compression, tile;
  };
  for (const Case& c : {Case{"grey", 8, 1, 1, 1, 0}, Case{"RGB", 8, 3, 2, 1, 0}, Case{"LZW", 8, 3, 2, 5, 0},
                        Case{"tiles that reach past the edge", 8, 3, 2, 5, 16}, Case{"16 bits", 16, 3, 2, 1, 0},
                        Case{"16 bits grey", 16, 1, 1, 5, 0}}) {
    const Bytes samples = Samples(37, 21, c.channels);
    TiffPage page;
    page.width = 37;
    page.height = 21;
    page.bits = c.bits;
    page.channels = c.channels;
    page.photometric = c.photometric;
    page.compression = c.compression;
    page.tile = c.tile;
    for (uint8_t s : samples) page.samples.insert(page.samples.end(), static_cast<size_t>(c.bits / 8), s);
    const DecodedImage image = MustDecode(WriteTiff({page}));
    ASSERT_EQ(image.width_px, 37) << c.why;
    EXPECT_EQ(LargestDifference(image, samples, c.channels), 0) << c.why;
    EXPECT_TRUE(image.warnings.empty()) << c.why;
  }
}

TEST(TiffTest, ReadsInvertedGreyPaletteAndCmyk) {
  TiffPage grey;
  grey.width = 2;
  grey.height = 1;
  grey.channels = 1;
  grey.photometric = 0;  // white is zero
  grey.samples = {0, 200};
  EXPECT_EQ(PixelAt(MustDecode(WriteTiff({grey})), 1, 0), (Bgr{55, 55, 55}));

  TiffPage palette = grey;
  palette.photometric = 3;
  EXPECT_EQ(PixelAt(MustDecode(WriteTiff({palette})), 1, 0), (Bgr{200, 55, 200}));

  TiffPage cmyk = grey;
  cmyk.channels = 4;
  cmyk.photometric = 5;
  cmyk.samples = {0, 0, 0, 0, 0, 255, 0, 0};
  const DecodedImage image = MustDecode(WriteTiff({cmyk}));
  EXPECT_EQ(PixelAt(image, 0, 0), (Bgr{255, 255, 255}));
  EXPECT_EQ(PixelAt(image, 1, 0), (Bgr{255, 0, 255}));
}

TEST(TiffTest, AlphaIsLaidOnAGroundOnlyWhereTheFileSaysAlpha) {
  TiffPage page;
  page.width = 2;
  page.height = 1;
  page.channels = 4;
  page.samples = {30, 30, 30, 255, 30, 30, 30, 0};
  for (int kind : {1, 2}) {
    page.alpha_kind = kind;
    const DecodedImage image = MustDecode(WriteTiff({page}));
    EXPECT_EQ(PixelAt(image, 0, 0), (Bgr{30, 30, 30})) << kind;
    EXPECT_EQ(PixelAt(image, 1, 0), (Bgr{255, 255, 255})) << kind;
  }
  page.alpha_kind = 0;  // a sample of unknown meaning
  EXPECT_EQ(PixelAt(MustDecode(WriteTiff({page})), 1, 0), (Bgr{30, 30, 30}));
}

TEST(TiffTest, GivesEveryPageAndNoReducedCopy) {
  std::vector<TiffPage> pages;
  for (int i = 0; i < 3; ++i) {
    TiffPage page;
    page.width = 4 + i;
    page.height = 3;
    page.channels = 1;
    page.photometric = 1;
    page.samples = Bytes(static_cast<size_t>(4 + i) * 3, static_cast<uint8_t>(100 + i));
    pages.push_back(page);
  }
  TiffPage thumbnail = pages[0];
  thumbnail.subfile_type = 1;
  pages.insert(pages.begin() + 1, thumbnail);
  const Bytes bytes = WriteTiff(pages);
  const auto file = ImageFile::Open(bytes);
  ASSERT_TRUE(file.ok()) << file.status().message();
  ASSERT_EQ(file->num_pages(), 3);
  for (int i = 2; i >= 0; --i) {
    const auto image = file->Decode(i, {});
    ASSERT_TRUE(image.ok()) << image.status().message();
    EXPECT_EQ(image->width_px, 4 + i);
    EXPECT_EQ(PixelAt(*image, 0, 0)[0], 100 + i);
  }
  EXPECT_EQ(file->Decode(3, {}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(file->Decode(-1, {}).status().code(), StatusCode::kInvalidArgument);
}

TEST(TiffTest, ADamagedStripDoesNotLoseTheOthers) {
  TiffPage page;
  page.width = 32;
  page.height = 32;
  page.samples = Samples(32, 32, 3);
  Bytes bytes = WriteTiff({page});
  // The directory follows the pixels. Points the third strip (rows 8 to 11) past the end of the file.
  const auto offset_of_strip = [](size_t strip) { return 8 + strip * 4 * 32 * 3; };
  const uint32_t want = static_cast<uint32_t>(offset_of_strip(2));
  bool found = false;
  for (size_t i = offset_of_strip(8); i + 4 <= bytes.size() && !found; ++i) {
    const uint32_t value =
        bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | static_cast<uint32_t>(bytes[i + 3]) << 24;
    found = value == want;
    if (found) bytes[i + 3] = 0x70;
  }
  ASSERT_TRUE(found);
  const DecodedImage image = MustDecode(bytes);
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_TRUE(Contains(image.warnings[0], "from row 8 of 32, 1 of 8 blocks")) << image.warnings[0];
  const auto want_at = [&](int y) {
    const uint8_t* p = page.samples.data() + static_cast<size_t>(y) * 32 * 3;
    return Bgr{p[2], p[1], p[0]};
  };
  EXPECT_EQ(PixelAt(image, 0, 7), want_at(7));
  EXPECT_EQ(PixelAt(image, 0, 12), want_at(12));
  EXPECT_EQ(PixelAt(image, 0, 9), (Bgr{255, 255, 255}));
}

TEST(TiffTest, WideSamplesAreUnsupportedAndChangedBitsNeverCrash) {
  TiffPage page;
  page.width = 8;
  page.height = 8;
  page.samples = Samples(8, 8, 3);
  const Bytes whole = WriteTiff({page});
  for (size_t i = 0; i < whole.size(); ++i) {
    for (int bit : {0, 4, 7}) {
      Bytes bytes = whole;
      bytes[i] ^= static_cast<uint8_t>(1 << bit);
      const auto image = DecodeImage(bytes, {});
      if (!image.ok()) {
        EXPECT_FALSE(image.status().message().empty());
      }
    }
  }
  page.bits = 32;
  page.samples = Bytes(8 * 8 * 12);
  EXPECT_EQ(MustFail(WriteTiff({page})).code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace inkread::test
