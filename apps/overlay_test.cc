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
  const std::array<int, 3> word = {220, 120, 0}, character = {0, 150, 0}, red = {0, 0, 230};
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
