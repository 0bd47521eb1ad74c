#include "ocr/line_ink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "image/test_images.h"

namespace inkread {
namespace {

using Colour = std::array<uint8_t, 3>;
constexpr Colour kPaper = {240, 244, 250}, kDark = {30, 20, 40};

// Cuts out what it is asked for.
LineShape ShapeOf(int left, int top, int right, int bottom, bool is_upside_down = false) {
  LineShape line =
      ShapeOfLine({Point{left, top}, Point{right, top}, Point{right, bottom}, Point{left, bottom}}).value();
  line.is_upside_down = is_upside_down;
  return line;
}

class Page {
 public:
  Page(int width, int height, const Colour& paper) : image(width, height) { Fill(0, 0, width, height, paper); }
  void Fill(int x0, int y0, int x1, int y1, const Colour& colour) {
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) std::copy(colour.begin(), colour.end(), image.row(y) + x * 3);
    }
  }
  BgrImage image;
};

int Count(const LineInk& ink) { return static_cast<int>(std::count(ink.is_ink.begin(), ink.is_ink.end(), 1)); }

// The ink's bounds in the image, px, least and greatest of each axis.
std::array<double, 4> BoundsInImage(const LineInk& ink, const LevelLine& level) {
  std::array<double, 4> bounds = {1e9, 1e9, -1e9, -1e9};
  for (int y = 0; y < ink.height; ++y) {
    for (int x = 0; x < ink.width; ++x) {
      if (ink.row(y)[x] == 0) continue;
      for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 1}}) {
        const PointD p = level.At(static_cast<double>(x + dx) / ink.width, static_cast<double>(y + dy) / ink.height);
        bounds = {std::min(bounds[0], p.x), std::min(bounds[1], p.y), std::max(bounds[2], p.x),
                  std::max(bounds[3], p.y)};
      }
    }
  }
  return bounds;
}

TEST(LayLevelTest, BeginsWhereTheCropDoesOnceItIsLaidLevel) {
  struct Case {
    LineShape line;
    PointD origin, along, down;
  };
  const LineShape level = ShapeOf(10, 20, 74, 36), standing = ShapeOf(10, 20, 26, 84);
  LineShape upside_down = level, standing_upside_down = standing;
  upside_down.is_upside_down = standing_upside_down.is_upside_down = true;
  for (const Case& c :
       {Case{level, {10, 20}, {64, 0}, {0, 16}}, Case{upside_down, {74, 36}, {-64, 0}, {0, -16}},
        Case{standing, {26, 20}, {0, 64}, {-16, 0}}, Case{standing_upside_down, {10, 84}, {0, -64}, {16, 0}}}) {
    const LevelLine laid = LayLevel(c.line);
    EXPECT_EQ(laid.origin.x, c.origin.x);
    EXPECT_EQ(laid.origin.y, c.origin.y);
    EXPECT_EQ(laid.along.x, c.along.x);
    EXPECT_EQ(laid.along.y, c.along.y);
    EXPECT_EQ(laid.down.x, c.down.x);
    EXPECT_EQ(laid.down.y, c.down.y);
  }
}

TEST(FindInkTest, SeesThePixelsThatTheRecogniserSees) {
  std::mt19937 random(1);
  Page dots(90, 90, kPaper);
  for (int i = 0; i < 2500; ++i) {
    const int x = static_cast<int>(random() % 90), y = static_cast<int>(random() % 90);
    dots.Fill(x, y, x + 1, y + 1, kDark);
  }
  for (const bool upside_down : {false, true}) {
    for (const LineShape& line : {ShapeOf(8, 20, 72, 52, upside_down), ShapeOf(20, 8, 52, 72, upside_down)}) {
      const BgrImage crop = CutOut(dots.image.view(), CropRuleOf(dots.image.view(), line));
      // With the crop as an image of its own the line is the whole of it.
      const LineInk of_crop = FindInk(crop.view(), ShapeOf(0, 0, crop.width_px, crop.height_px));
      const LineInk ink = FindInk(dots.image.view(), line);
      EXPECT_EQ(ink.width, 64);
      EXPECT_EQ(ink.height, 32);
      EXPECT_EQ(ink.is_ink, of_crop.is_ink);
      EXPECT_GT(Count(ink), 100);
    }
  }
}

TEST(FindInkTest, FindsStrokesOfAnyColourOnAnyBackground) {
  const std::array<Colour, 2> pairs[] = {{kPaper, kDark},
                                         {kDark, kPaper},
                                         {Colour{200, 200, 200}, Colour{170, 170, 170}},
                                         // Red on green of the same brightness.
                                         {Colour{60, 120, 60}, Colour{60, 80, 140}}};
  for (const auto& [background, stroke] : pairs) {
    Page page(300, 60, background);
    page.Fill(50, 20, 90, 40, stroke);
    page.Fill(140, 24, 143, 38, stroke);
    const LineShape line = ShapeOf(40, 14, 168, 46);
    const LineInk ink = FindInk(page.image.view(), line);
    EXPECT_EQ(BoundsInImage(ink, LayLevel(line)), (std::array<double, 4>{50, 20, 143, 40}));
    EXPECT_EQ(Count(ink), 40 * 20 + 3 * 14);
  }
}

TEST(FindInkTest, ALargeLineIsReducedAndASmallOneEnlarged) {
  Page page(900, 200, kPaper);
  page.Fill(100, 50, 400, 150, kDark);
  const LineShape large = ShapeOf(50, 20, 690, 180), small = ShapeOf(360, 46, 424, 54);
  const LineInk reduced = FindInk(page.image.view(), large), enlarged = FindInk(page.image.view(), small);
  EXPECT_EQ(reduced.height, 48);
  EXPECT_EQ(reduced.width, 192);
  const auto bounds = BoundsInImage(reduced, LayLevel(large));
  EXPECT_NEAR(bounds[0], 100, 2);
  EXPECT_NEAR(bounds[1], 50, 2);
  EXPECT_NEAR(bounds[2], 400, 2);
  EXPECT_NEAR(bounds[3], 150, 2);
  EXPECT_EQ(enlarged.height, 16);
  EXPECT_EQ(enlarged.width, 128);
}

TEST(FindInkTest, RuledLinesAndNeighboursAreNoInk) {
  Page page(300, 60, kPaper);
  page.Fill(60, 20, 80, 40, kDark);
  const LineShape line = ShapeOf(40, 14, 168, 46);
  const LineInk alone = FindInk(page.image.view(), line);
  page.Fill(45, 0, 47, 60, kDark);    // a line between two cells of a table
  page.Fill(0, 43, 300, 45, kDark);   // and one below
  page.Fill(100, 0, 110, 17, kDark);  // a descender of the line above
  page.Fill(120, 42, 124, 60, kDark);
  EXPECT_EQ(FindInk(page.image.view(), line).is_ink, alone.is_ink);
}

TEST(FindInkTest, ALineThatIsADashKeepsIt) {
  Page page(300, 60, kPaper);
  page.Fill(60, 28, 120, 32, kDark);
  EXPECT_EQ(Count(FindInk(page.image.view(), ShapeOf(57, 22, 121, 38))), 60 * 4);
}

TEST(FindInkTest, ALineOfAnyLengthTakesLittleMemory) {
  Page page(300, 60, kPaper);
  LineShape line = ShapeOf(0, 20, 300, 22);
  line.crop.corners[1].x = line.crop.corners[2].x = 1e8f;
  line.crop.width = 100'000'000;
  EXPECT_LE(FindInk(page.image.view(), line).is_ink.size(), size_t{4} << 20);
}

TEST(FindInkTest, WhatTouchesTheEdgeAndReachesTheMiddleIsTheLines) {
  Page page(300, 60, kPaper);
  page.Fill(60, 14, 70, 40, kDark);
  page.Fill(90, 22, 100, 46, kDark);
  const LineShape line = ShapeOf(40, 14, 168, 46);
  EXPECT_EQ(Count(FindInk(page.image.view(), line)), 10 * 26 + 10 * 24);
}

TEST(FindInkTest, HardlyAnyContrastIsNoInk) {
  Page page(300, 60, kPaper);
  std::mt19937 random(3);
  for (uint8_t& value : page.image.pixels) value = static_cast<uint8_t>(200 + random() % 12);
  EXPECT_EQ(Count(FindInk(page.image.view(), ShapeOf(40, 14, 168, 46))), 0);
}

TEST(FindInkTest, BeyondTheImageThereIsNone) {
  Page page(100, 40, kDark);
  page.Fill(0, 0, 100, 30, kPaper);
  LineShape line = ShapeOf(60, 2, 140, 34);
  EXPECT_LE(BoundsInImage(FindInk(page.image.view(), line), LayLevel(line))[2], 100);
}

TEST(FindInkTest, EveryPixelFormatGivesTheSame) {
  std::mt19937 random(2);
  for (const PixelFormat format : kAllLayouts) {
    const TestImage image(90, 50, format, true, &random);
    BgrImage copy(90, 50);
    CopyBgr(image.view(), 0, 0, 90, 50, copy.pixels.data(), ptrdiff_t{90} * 3);
    const LineShape line = ShapeOf(3, 4, 80, 44);
    EXPECT_EQ(FindInk(image.view(), line).is_ink, FindInk(copy.view(), line).is_ink) << static_cast<int>(format);
  }
}

}  // namespace
}  // namespace inkread
