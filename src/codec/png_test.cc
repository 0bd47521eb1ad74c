#include <zlib.h>

#include <cstring>
#include <utility>

#include "codec/test_decode.h"

namespace inkread::test {
namespace {

// Sample x of a row with `depth` bits each.
int Unpack(const Bytes& rows, size_t row_bytes, int y, int x, int depth) {
  const size_t bit = static_cast<size_t>(x) * depth;
  const uint8_t byte = rows[y * row_bytes + bit / 8];
  return depth >= 8 ? byte : byte >> (8 - depth - bit % 8) & ((1 << depth) - 1);
}

TEST(PngTest, ReadsGreyOfEveryDepth) {
  for (int depth : {1, 2, 4, 8, 16}) {
    for (bool interlaced : {false, true}) {
      PngSpec spec;
      spec.width = 19;
      spec.height = 11;
      spec.depth = depth;
      spec.colour_type = 0;
      spec.interlaced = interlaced;
      const size_t row_bytes = (19 * static_cast<size_t>(depth) + 7) / 8;
      Bytes rows;
      for (size_t i = 0; i < row_bytes * 11; ++i) rows.push_back(static_cast<uint8_t>(i * 37));
      const DecodedImage image = MustDecode(WritePng(spec, rows));
      ASSERT_EQ(image.format, PixelFormat::kGray8);
      for (int y = 0; y < 11; ++y) {
        for (int x = 0; x < 19; ++x) {
          const int most = depth >= 8 ? 255 : (1 << depth) - 1;
          const int want = depth == 16 ? rows[y * row_bytes + 2 * static_cast<size_t>(x)]  // the high byte
                                       : Unpack(rows, row_bytes, y, x, depth) * 255 / most;
          ASSERT_EQ(PixelAt(image, x, y)[0], want) << depth << " bits at " << x << ", " << y;
        }
      }
    }
  }
}

TEST(PngTest, ReadsColourOfBothDepths) {
  const Bytes samples = Samples(9, 7, 3);
  PngSpec spec;
  spec.width = 9;
  spec.height = 7;
  EXPECT_EQ(LargestDifference(MustDecode(WritePng(spec, samples)), samples, 3), 0);
  spec.interlaced = true;
  EXPECT_EQ(LargestDifference(MustDecode(WritePng(spec, samples)), samples, 3), 0);
  Bytes deep;
  for (uint8_t s : samples) deep.insert(deep.end(), {s, 0xFF});  // not rounded up
  spec.depth = 16;
  EXPECT_EQ(LargestDifference(MustDecode(WritePng(spec, deep)), samples, 3), 0);
}

TEST(PngTest, ReadsPalettesOfEveryDepth) {
  for (int depth : {1, 2, 4, 8}) {
    PngSpec spec;
    spec.width = 13;
    spec.height = 5;
    spec.depth = depth;
    spec.colour_type = 3;
    for (int i = 0; i < 1 << depth; ++i) {
      spec.palette.insert(spec.palette.end(), {static_cast<uint8_t>(i), static_cast<uint8_t>(255 - i), 99});
    }
    const size_t row_bytes = (13 * static_cast<size_t>(depth) + 7) / 8;
    Bytes rows;
    for (size_t i = 0; i < row_bytes * 5; ++i) rows.push_back(static_cast<uint8_t>(i * 91));
    const DecodedImage image = MustDecode(WritePng(spec, rows));
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 13; ++x) {
        const int index = Unpack(rows, row_bytes, y, x, depth);
        ASSERT_EQ(PixelAt(image, x, y), (Bgr{99, 255 - index, index})) << depth;
      }
    }
  }
}

// One half of the image is opaque, the other transparent. The transparent half has the same colour.
Bytes InkWithAlpha(uint8_t ink, uint8_t hidden, int colour_type) {
  Bytes samples;
  for (int i = 0; i < 8 * 8; ++i) {
    const bool visible = i % 8 < 4;
    for (int c = 0; c < (colour_type == 4 ? 1 : 3); ++c) samples.push_back(visible ? ink : hidden);
    samples.push_back(visible ? 255 : 0);
  }
  PngSpec spec;
  spec.width = 8;
  spec.height = 8;
  spec.colour_type = colour_type;
  return WritePng(spec, samples);
}

TEST(PngTest, AlphaIsLaidOnAGroundThatContrasts) {
  for (int colour_type : {4, 6}) {
    for (int hidden : {0, 77, 255}) {
      const DecodedImage dark = MustDecode(InkWithAlpha(20, static_cast<uint8_t>(hidden), colour_type));
      EXPECT_EQ(PixelAt(dark, 0, 0), (Bgr{20, 20, 20}));
      EXPECT_EQ(PixelAt(dark, 7, 0), (Bgr{255, 255, 255}));
      const DecodedImage light = MustDecode(InkWithAlpha(240, static_cast<uint8_t>(hidden), colour_type));
      EXPECT_EQ(PixelAt(light, 0, 0), (Bgr{240, 240, 240}));
      EXPECT_EQ(PixelAt(light, 7, 0), (Bgr{0, 0, 0}));
    }
    const DecodedImage dropped = MustDecode(InkWithAlpha(20, 77, colour_type), DropAlpha());
    EXPECT_EQ(PixelAt(dropped, 7, 0), (Bgr{77, 77, 77}));
  }
}

TEST(PngTest, HalfAlphaIsMixed) {
  PngSpec spec;
  spec.width = 1;
  spec.height = 1;
  spec.colour_type = 6;
  EXPECT_EQ(PixelAt(MustDecode(WritePng(spec, {100, 100, 100, 128})), 0, 0), (Bgr{177, 177, 177}));
  EXPECT_EQ(PixelAt(MustDecode(WritePng(spec, {100, 100, 100, 0})), 0, 0), (Bgr{255, 255, 255}));
}

TEST(PngTest, ClearColoursOfPalettesAndGreyAreAlpha) {
  PngSpec spec;
  spec.width = 8;
  spec.height = 1;
  spec.depth = 1;
  spec.colour_type = 3;
  spec.palette = {10, 10, 10, 10, 10, 10};
  spec.palette_alpha = {255, 0};
  const DecodedImage palette = MustDecode(WritePng(spec, {0x0F}));
  EXPECT_EQ(PixelAt(palette, 0, 0), (Bgr{10, 10, 10}));
  EXPECT_EQ(PixelAt(palette, 7, 0), (Bgr{255, 255, 255}));

  PngSpec grey;
  grey.width = 2;
  grey.height = 1;
  grey.colour_type = 0;
  grey.clear_grey = 30;
  const DecodedImage image = MustDecode(WritePng(grey, {31, 30}));
  EXPECT_EQ(PixelAt(image, 0, 0), (Bgr{31, 31, 31}));
  EXPECT_EQ(PixelAt(image, 1, 0), (Bgr{255, 255, 255}));
}

// A PNG with another chunk behind its header.
Bytes WithChunk(const std::string& name, const Bytes& data, uint32_t crc_change = 0) {
  Bytes named(name.begin(), name.end());
  named.insert(named.end(), data.begin(), data.end());
  const auto append32 = [](uint32_t value, Bytes* bytes) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes->push_back(static_cast<uint8_t>(value >> shift));
  };
  Bytes chunk;
  append32(static_cast<uint32_t>(data.size()), &chunk);
  chunk.insert(chunk.end(), named.begin(), named.end());
  append32(static_cast<uint32_t>(crc32(0, named.data(), static_cast<uInt>(named.size()))) ^ crc_change, &chunk);
  constexpr ptrdiff_t kAfterHeader = 33;
  Bytes png = WritePng({}, Samples(16, 16, 3));
  png.insert(png.begin() + kAfterHeader, chunk.begin(), chunk.end());
  return png;
}

TEST(PngTest, ChunksThatThePixelsDoNotNeedPassWithoutAWord) {
  const Bytes samples = Samples(16, 16, 3);
  const std::pair<const char*, Bytes> chunks[] = {
      {"pHYs", {0, 0, 46, 35, 0, 0, 46, 35, 1}},
      {"gAMA", {0, 0, 177, 143}},
      {"gAMA", {0, 0, 0, 0}},
      {"sRGB", {0}},
      {"iCCP", {'p', 0, 0, 1, 2, 3}},
      {"tEXt", {'a', 0, 'b'}},
      {"zTXt", {'a', 0, 0}},
      {"iTXt", {}},
      {"tIME", {1}},
      {"prVt", Bytes(100'000, 7)},
      {"caBX", {}},
  };
  for (const auto& [name, data] : chunks) {
    const DecodedImage image = MustDecode(WithChunk(name, data));
    EXPECT_EQ(image.warnings, std::vector<std::string>()) << name;
    EXPECT_EQ(LargestDifference(image, samples, 3), 0) << name;
  }
  EXPECT_EQ(LargestDifference(MustDecode(WithChunk("tEXt", {'a', 0, 'b'}, 1)), samples, 3), 0);  // a wrong checksum
}

TEST(PngTest, AnAnimationSaysSoAndACriticalChunkOfUnknownMeaningIsRefused) {
  const DecodedImage image = MustDecode(WithChunk("acTL", {0, 0, 0, 12, 0, 0, 0, 0}));
  EXPECT_EQ(image.warnings, std::vector<std::string>{"PNG: an animation of 12 frames; the first is read"});
  EXPECT_TRUE(Contains(MustFail(WithChunk("ABCD", {1})).message(), "ABCD"));
}

// Samples that do not compress, so that the file grows with every row.
Bytes Noise(size_t size) {
  Bytes noise;
  uint32_t state = 1;
  for (size_t i = 0; i < size; ++i)
    noise.push_back(static_cast<uint8_t>((state = state * 1664525u + 1013904223u) >> 24));
  return noise;
}

TEST(PngTest, ACutFileKeepsItsBeginningAndSaysWhere) {
  PngSpec spec;
  spec.width = 64;
  spec.height = 100;
  const Bytes samples = Noise(64 * 100 * 3);
  const Bytes whole = WritePng(spec, samples);
  const DecodedImage image = MustDecode(Prefix(whole, whole.size() / 2));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_TRUE(Contains(image.warnings[0], "PNG: truncated at row 4")) << image.warnings[0];  // 4x of 100
  EXPECT_EQ(PixelAt(image, 5, 40),
            (Bgr{samples[3 * (40 * 64 + 5) + 2], samples[3 * (40 * 64 + 5) + 1], samples[3 * (40 * 64 + 5)]}));
  EXPECT_EQ(PixelAt(image, 5, 99), (Bgr{255, 255, 255}));
}

TEST(PngTest, ACutInterlacedFileSaysItsPass) {
  PngSpec spec;
  spec.width = 64;
  spec.height = 64;
  spec.interlaced = true;
  const Bytes whole = WritePng(spec, Noise(64 * 64 * 3));
  const DecodedImage image = MustDecode(Prefix(whole, whole.size() * 8 / 10));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_TRUE(Contains(image.warnings[0], "in pass 7 of 7")) << image.warnings[0];
}

TEST(PngTest, AChangedByteIsNoticed) {
  PngSpec spec;
  spec.width = 64;
  spec.height = 64;
  Bytes bytes = WritePng(spec, Noise(64 * 64 * 3));
  bytes[bytes.size() / 2] ^= 0x55;
  const auto image = DecodeImage(bytes, {});
  if (image.ok()) {
    EXPECT_FALSE(image->warnings.empty());
  }
}

TEST(PngTest, AHeaderThatIsTooLargeIsRefusedBeforeMemoryIsTaken) {
  PngSpec spec;
  spec.width = 4;
  spec.height = 4;
  spec.colour_type = 0;
  Bytes bytes = WritePng(spec, Bytes(16));
  // 30,000 x 30,000 in the header. The wrong checksum is only a warning.
  const uint8_t side[4] = {0, 0, 0x75, 0x30};
  std::memcpy(bytes.data() + 16, side, 4);
  std::memcpy(bytes.data() + 20, side, 4);
  const Status status = MustFail(bytes);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "PNG header: 30000 x 30000 px are more than the limit of 100000000 pixels (max_pixels)");
}

TEST(PngTest, EncodesWhatItDecodes) {
  for (PixelFormat format :
       {PixelFormat::kGray8, PixelFormat::kBgr24, PixelFormat::kRgb24, PixelFormat::kBgra32, PixelFormat::kRgba32}) {
    const int channels = BytesPerPixel(format);
    Bytes samples = Samples(6, 4, channels);
    if (channels == 4) {
      for (size_t i = 3; i < samples.size(); i += 4) samples[i] = 255;
    }
    // Bottom row first, for a negative stride.
    const ptrdiff_t row = 6 * channels;
    const ImageView view = {samples.data() + 3 * row, 6, 4, -row, format};
    const auto png = EncodePng(view);
    ASSERT_TRUE(png.ok()) << png.status().message();
    const DecodedImage image = MustDecode(*png);
    const bool blue_first = format == PixelFormat::kBgr24 || format == PixelFormat::kBgra32;
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 6; ++x) {
        const uint8_t* in = view.pixels + y * view.stride_bytes + x * channels;
        const Bgr want = channels == 1 ? Bgr{in[0], in[0], in[0]}
                         : blue_first  ? Bgr{in[0], in[1], in[2]}
                                       : Bgr{in[2], in[1], in[0]};
        ASSERT_EQ(PixelAt(image, x, y), want) << static_cast<int>(format);
      }
    }
  }
}

TEST(PngTest, RefusesToEncodeWhatIsNoImage) {
  const Bytes pixels(12);
  for (const ImageView& view :
       {ImageView{nullptr, 2, 2, 6, PixelFormat::kBgr24}, ImageView{pixels.data(), 0, 2, 6, PixelFormat::kBgr24},
        ImageView{pixels.data(), 2, 2, 5, PixelFormat::kBgr24}}) {
    EXPECT_EQ(EncodePng(view).status().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace inkread::test
