#include "codec/test_decode.h"

namespace inkread::test {
namespace {

const Bytes kFourColours = {0, 0, 0, 0, 255, 255, 255, 0, 10, 20, 30, 0, 40, 50, 60, 0};  // blue, green, red, unused

TEST(BmpTest, ReadsEveryDepth) {
  struct Case {
    const char* why;
    BmpSpec spec;
    Bgr first, last;  // top left, bottom right
  };
  const std::vector<Case> cases = {
      {"1 bit, rows upwards",
       {9, 2, 1, 0, 40, {}, kFourColours, {0x00, 0x80, 0, 0, 0x80, 0x00, 0, 0}},
       {255, 255, 255},
       {255, 255, 255}},
      {"1 bit, rows downwards",
       {9, -2, 1, 0, 40, {}, kFourColours, {0x00, 0x80, 0, 0, 0x80, 0x00, 0, 0}},
       {0, 0, 0},
       {0, 0, 0}},
      {"2 bits", {5, 1, 2, 0, 40, {}, kFourColours, {0xB1, 0xC0, 0, 0}}, {10, 20, 30}, {40, 50, 60}},
      {"4 bits", {3, 1, 4, 0, 40, {}, kFourColours, {0x21, 0x30, 0, 0}}, {10, 20, 30}, {40, 50, 60}},
      {"8 bits", {2, 1, 8, 0, 40, {}, kFourColours, {2, 3, 0, 0}}, {10, 20, 30}, {40, 50, 60}},
      {"8 bits, OS/2", {2, 1, 8, 0, 12, {}, Bytes(768, 7), {2, 3, 0, 0}}, {7, 7, 7}, {7, 7, 7}},
      {"16 bits, 555", {2, 1, 16, 0, 40, {}, {}, {0x1F, 0x00, 0x00, 0x7C}}, {255, 0, 0}, {0, 0, 255}},
      {"16 bits, 565",
       {2, 1, 16, 3, 40, {0xF800, 0x07E0, 0x001F}, {}, {0xE0, 0x07, 0x00, 0xF8}},
       {0, 255, 0},
       {0, 0, 255}},
      {"24 bits, last row not padded", {1, 2, 24, 0, 40, {}, {}, {1, 2, 3, 0, 4, 5, 6}}, {4, 5, 6}, {1, 2, 3}},
      {"32 bits, fourth byte unused", {2, 1, 32, 0, 40, {}, {}, {1, 2, 3, 0, 4, 5, 6, 9}}, {1, 2, 3}, {4, 5, 6}},
      {"32 bits, other masks", {1, 1, 32, 3, 40, {0xFF, 0xFF00, 0xFF0000}, {}, {1, 2, 3, 0}}, {3, 2, 1}, {3, 2, 1}},
  };
  for (const Case& c : cases) {
    const DecodedImage image = MustDecode(WriteBmp(c.spec));
    ASSERT_EQ(image.width_px, c.spec.width) << c.why;
    ASSERT_EQ(image.height_px, std::abs(c.spec.height)) << c.why;
    EXPECT_EQ(PixelAt(image, 0, 0), c.first) << c.why;
    EXPECT_EQ(PixelAt(image, image.width_px - 1, image.height_px - 1), c.last) << c.why;
    EXPECT_TRUE(image.warnings.empty()) << c.why;
  }
}

TEST(BmpTest, HonoursAlphaOfItsMaskUnlessAllOfItIsClear) {
  BmpSpec spec = {2, 1, 32, 3, 56, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, {}, {9, 9, 9, 255, 9, 9, 9, 0}};
  EXPECT_EQ(PixelAt(MustDecode(WriteBmp(spec)), 1, 0), (Bgr{255, 255, 255}));
  EXPECT_EQ(PixelAt(MustDecode(WriteBmp(spec), DropAlpha()), 1, 0), (Bgr{9, 9, 9}));
  spec.data = {9, 9, 9, 0, 8, 8, 8, 0};
  EXPECT_EQ(PixelAt(MustDecode(WriteBmp(spec)), 1, 0), (Bgr{8, 8, 8}));
}

TEST(BmpTest, ReadsRuns) {
  // 8 bits: three of colour 2, end of row; two literal pixels, a move, end.
  const BmpSpec eight = {4, 2, 8, 1, 40, {}, kFourColours, {3, 2, 0, 0, 0, 3, 3, 1, 3, 0, 0, 1}};
  const DecodedImage a = MustDecode(WriteBmp(eight));
  EXPECT_EQ(PixelAt(a, 0, 1), (Bgr{10, 20, 30}));
  EXPECT_EQ(PixelAt(a, 2, 1), (Bgr{10, 20, 30}));
  EXPECT_EQ(PixelAt(a, 0, 0), (Bgr{40, 50, 60}));
  EXPECT_EQ(PixelAt(a, 1, 0), (Bgr{255, 255, 255}));
  EXPECT_TRUE(a.warnings.empty());
  // 4 bits: a run of alternating colours.
  const BmpSpec four = {4, 1, 4, 2, 40, {}, kFourColours, {4, 0x23, 0, 1}};
  const DecodedImage b = MustDecode(WriteBmp(four));
  EXPECT_EQ(PixelAt(b, 2, 0), (Bgr{10, 20, 30}));
  EXPECT_EQ(PixelAt(b, 3, 0), (Bgr{40, 50, 60}));
}

TEST(BmpTest, RunsThatLeaveTheImageAreContained) {
  for (const Bytes& data : {Bytes{255, 2, 255, 2, 0, 2, 255, 255, 9, 1}, Bytes{0, 2, 3}, Bytes{0, 200, 1, 2},
                            Bytes{0, 0, 0, 0, 0, 0, 5, 1}}) {
    const auto image = DecodeImage(WriteBmp({4, 2, 8, 1, 40, {}, kFourColours, data}), {});
    if (image.ok()) {
      EXPECT_EQ(image->width_px, 4);
    }
  }
}

TEST(BmpTest, ACutFileKeepsItsBeginningAndSaysWhere) {
  const BmpSpec spec = {4, 10, 24, 0, 40, {}, {}, Bytes(12 * 6 + 5, 77)};
  const DecodedImage image = MustDecode(WriteBmp(spec));
  ASSERT_EQ(image.warnings.size(), 1u);
  EXPECT_EQ(image.warnings[0], "BMP: truncated at row 6 of 10, counted from the bottom; the rest is blank");
  EXPECT_EQ(PixelAt(image, 0, 9), (Bgr{77, 77, 77}));
  EXPECT_EQ(PixelAt(image, 0, 0), (Bgr{255, 255, 255}));
}

TEST(BmpTest, RefusesHeadersThatCannotBe) {
  struct Case {
    const char* why;
    BmpSpec spec;
    StatusCode code;
  };
  for (const Case& c : std::vector<Case>{
           {"no width", {0, 4, 24, 0, 40, {}, {}, Bytes(99)}, StatusCode::kCorruptImage},
           {"negative width", {-4, 4, 24, 0, 40, {}, {}, Bytes(99)}, StatusCode::kCorruptImage},
           {"smallest height", {4, INT32_MIN, 24, 0, 40, {}, {}, Bytes(99)}, StatusCode::kInvalidArgument},
           {"too large", {100000, 100000, 24, 0, 40, {}, {}, Bytes(99)}, StatusCode::kInvalidArgument},
           {"64 bits", {4, 4, 64, 0, 40, {}, {}, Bytes(999)}, StatusCode::kUnsupported},
           {"PNG inside", {4, 4, 24, 5, 40, {}, {}, Bytes(99)}, StatusCode::kUnsupported},
           {"mask with a gap", {1, 1, 32, 3, 40, {0xF0F, 0xF000, 0xF0000}, {}, Bytes(4)}, StatusCode::kCorruptImage},
           {"no pixels", {4, 4, 24, 0, 40, {}, {}, {}}, StatusCode::kCorruptImage}}) {
    EXPECT_EQ(MustFail(WriteBmp(c.spec)).code(), c.code) << c.why;
  }
}

TEST(BmpTest, AnotherFilesCodingWithinItIsNamed) {
  EXPECT_TRUE(Contains(MustFail(WriteBmp({4, 4, 0, 4, 40, {}, {}, Bytes(64)})).message(), "JPEG"));
  EXPECT_TRUE(Contains(MustFail(WriteBmp({4, 4, 0, 5, 40, {}, {}, Bytes(64)})).message(), "PNG"));
}

}  // namespace
}  // namespace inkread::test
