#include <algorithm>
#include <array>
#include <cmath>

#include "apps/overlay_files.h"
#include "apps/test_files.h"
#include "inkread/formats.h"

namespace inkread::test {
namespace {

DecodedImage White(int width, int height, PixelFormat format) {
  DecodedImage image;
  image.width_px = width;
  image.height_px = height;
  image.format = format;
  image.stride_bytes = ptrdiff_t{width} * BytesPerPixel(format);
  image.pixels.assign(static_cast<size_t>(image.stride_bytes) * height, 255);
  return image;
}

std::array<int, 3> At(const DecodedImage& image, int x, int y) {
  const uint8_t* p = image.pixels.data() + y * image.stride_bytes + 3 * x;
  return {p[0], p[1], p[2]};
}

TEST(OverlayTest, DrawsTheOutlineAndTheNumberAboveIt) {
  Line line;
  line.quad = {Point{20, 30}, Point{60, 30}, Point{60, 50}, Point{20, 50}};
  for (PixelFormat format : {PixelFormat::kBgr24, PixelFormat::kGray8}) {
    const auto png = DrawOverlay(White(100, 80, format), std::vector<Line>{line});
    ASSERT_TRUE(png.ok()) << png.status().message();
    const auto image = DecodeImage(*png, {});
    ASSERT_TRUE(image.ok());
    const std::array<int, 3> red = {0, 0, 230}, plate = {0, 0, 200}, white = {255, 255, 255};
    EXPECT_EQ(At(*image, 40, 30), red);
    EXPECT_EQ(At(*image, 60, 40), red);
    EXPECT_EQ(At(*image, 40, 40), white);
    EXPECT_EQ(At(*image, 20, 25), plate);
    EXPECT_EQ(At(*image, 23, 25), white);  // the stem of the 1
    EXPECT_EQ(At(*image, 30, 25), white);  // beyond the plate
  }
}

// W3C's WCAG 2.1: relative luminance, and the contrast of two of them.
double Contrast(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  const auto luminance = [](const std::array<int, 3>& bgr) {
    const auto linear = [](int value) {
      const double v = value / 255.0;
      return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(bgr[2]) + 0.7152 * linear(bgr[1]) + 0.0722 * linear(bgr[0]);
  };
  const double lighter = std::max(luminance(a), luminance(b)), darker = std::min(luminance(a), luminance(b));
  return (lighter + 0.05) / (darker + 0.05);
}

TEST(OverlayTest, StandsOutFromAnyGround) {
  for (const std::array<int, 3> ground :
       {std::array{0, 0, 0}, {255, 255, 255}, {0, 0, 230}, {220, 110, 0}, {0, 140, 0}, {128, 128, 128}}) {
    for (const int side : {200, 2800}) {
      DecodedImage image = White(side, side, PixelFormat::kBgr24);
      for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(ground[i % 3]);
      Line line;
      const int a = side / 4, b = side / 2;
      line.quad = {Point{a, a}, Point{b, a}, Point{b, b}, Point{a, b}};
      const auto png = DrawOverlay(image, std::vector<Line>{line});
      ASSERT_TRUE(png.ok());
      const auto drawn = DecodeImage(*png, {});
      ASSERT_TRUE(drawn.ok());
      // Across the lower edge: how long the strongest step is, and how wide what stands out.
      double best = 0;
      int wide = 0;
      for (int y = b - side / 20; y < b + side / 20; ++y) {
        best = std::max(best, Contrast(At(*drawn, (a + b) / 2, y), At(*drawn, (a + b) / 2, y + 1)));
        wide += At(*drawn, (a + b) / 2, y) != ground;
      }
      EXPECT_GE(best, 3) << ground[0] << ' ' << ground[1] << ' ' << ground[2];
      EXPECT_GE(wide, std::max(1, side / 700));
    }
  }
}

TEST(OverlayTest, IsAJpegWhereThatIsAskedFor) {
  const auto jpeg = DrawOverlay(White(100, 80, PixelFormat::kGray8), {}, OverlayFormat::kJpeg);
  ASSERT_TRUE(jpeg.ok()) << jpeg.status().message();
  EXPECT_EQ(SniffImage(*jpeg), ImageKind::kJpeg);
  EXPECT_EQ(DrawOverlay(White(1, 1, PixelFormat::kGray8), {}, static_cast<OverlayFormat>(9)).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(OverlayTest, DrawsWordsAndCharactersWhereLinesHaveThem) {
  Line line;
  line.quad = {Point{20, 30}, Point{60, 30}, Point{60, 50}, Point{20, 50}};
  const auto box = [](int left, int right) {
    return std::array<Point, 4>{Point{left, 34}, Point{right, 34}, Point{right, 46}, Point{left, 46}};
  };
  line.words = {{box(24, 36), "ab", 1}};
  line.chars = {{box(24, 30), "a", 1}, {box(30, 36), "b", 1}};
  const auto png = DrawOverlay(White(100, 80, PixelFormat::kGray8), std::vector<Line>{line});
  ASSERT_TRUE(png.ok()) << png.status().message();
  const auto image = DecodeImage(*png, {});
  ASSERT_TRUE(image.ok());
  const std::array<int, 3> word = {220, 110, 0}, character = {0, 140, 0}, red = {0, 0, 230};
  EXPECT_EQ(At(*image, 24, 40), word);
  EXPECT_EQ(At(*image, 36, 40), word);
  EXPECT_EQ(At(*image, 30, 40), character);
  EXPECT_EQ(At(*image, 60, 40), red);
}

TEST(OverlayTest, StaysWithinTheSmallestImage) {
  std::vector<Line> lines(12);
  for (Line& line : lines) line.quad = {Point{-5, -5}, Point{70000, 0}, Point{2, 90}, Point{0, 3}};
  EXPECT_TRUE(DrawOverlay(White(1, 1, PixelFormat::kGray8), lines).ok());
}

TEST(OverlayFilesTest, TheNameSaysWhatIsWritten) {
  const TemporaryFolder folder;
  const std::string file = folder.Put("file", "");
  for (const std::string& path : {folder / "", folder / "new", folder / "new/", folder / "new.d", folder / "x.png/"})
    EXPECT_TRUE(IsOverlayFolder(path)) << path;
  for (const std::string& path : {file, folder / "new.png", folder / "new.JPG", folder / "new.jpeg"})
    EXPECT_FALSE(IsOverlayFolder(path)) << path;
  EXPECT_EQ(OverlayFormatOf(folder / "new.JPG"), OverlayFormat::kJpeg);
  EXPECT_EQ(OverlayFormatOf(folder / "new.png"), OverlayFormat::kPng);
  EXPECT_EQ(OverlayFormatOf(folder / "new"), OverlayFormat::kPng);
  OverlayFiles pages(folder / "boxes.jpg", false, {});
  EXPECT_TRUE(pages.Write("a/x.pdf", 2, 3, std::vector<uint8_t>{1}).ok());
  EXPECT_TRUE(std::filesystem::exists(folder / "boxes.page2.jpg"));
}

TEST(OverlayFilesTest, NamesFilesAfterTheImagesAndNeverTwice) {
  const TemporaryFolder folder;
  const std::vector<uint8_t> png = {1, 2, 3};
  OverlayFiles files(folder / "out", true, {});
  EXPECT_TRUE(files.Write("a/x.jpg", 1, 1, png).ok());
  EXPECT_TRUE(files.Write("b/x.jpg", 1, 1, png).ok());
  EXPECT_TRUE(files.Write("b/x.tif", 2, 3, png).ok());
  EXPECT_TRUE(files.Write("-", 1, 1, png).ok());
  EXPECT_TRUE(files.Write("b/x.png", 1, 1, png).ok());
  for (const char* name :
       {"x.overlay.png", "x-2.overlay.png", "x-3.overlay.png", "x.page2.overlay.png", "stdin.overlay.png"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / (std::string("out/") + name))) << name;
  }
  OverlayFiles single(folder / "one.png", false, {});
  EXPECT_TRUE(single.Write("a/x.jpg", 1, 1, png).ok());
  EXPECT_EQ(std::filesystem::file_size(folder / "one.png"), 3u);
  const Status status = OverlayFiles(folder / "missing/one.png", false, {}).Write("x.jpg", 1, 1, png);
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_NE(status.message().find("missing/one.png"), std::string::npos);
  EXPECT_FALSE(OverlayFiles(folder / "one.png", true, {}).Write("x.jpg", 1, 1, png).ok());  // a file is in the way
}

TEST(OverlayFilesTest, WriteOverNothingThatTheRunReadsOrWrote) {
  const TemporaryFolder folder;
  const std::vector<uint8_t> png = {1, 2, 3};
  const std::string input = folder.Put("x.overlay.png", "an image");
  FilesInUse in_use;
  in_use.AddInputs({{input, false, Status()}});
  OverlayFiles files(folder / "", true, in_use);
  const Status over_input = files.Write("x.png", 1, 1, png);
  EXPECT_EQ(over_input.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(over_input.message().find("x.overlay.png: "), std::string::npos) << over_input.message();
  EXPECT_EQ(std::filesystem::file_size(input), 8u);
  std::filesystem::create_symlink("y.overlay.png", folder / "z.overlay.png");
  EXPECT_TRUE(files.Write("y.png", 1, 1, png).ok());
  EXPECT_NE(files.Write("z.png", 1, 1, png).message().find("is the overlay of y.png"), std::string::npos);
  EXPECT_TRUE(OverlayFiles(folder / "", true, {}).Write("y.png", 1, 1, png).ok());  // of an earlier run
}

}  // namespace
}  // namespace inkread::test
