// Compares the stages around the networks with the golden files: decoded pixels, sizes and means of the detector input,
// and the pixels of the lines cropped at the golden boxes. pipeline_test.cc also runs the networks.
#include <gtest/gtest.h>

#include "ocr/line_crop.h"
#include "ocr/rec_input.h"
#include "tests/golden/golden_files.h"

namespace inkread {
namespace {

class StagesGoldenTest : public testing::Test {
 protected:
  void SetUp() override {
    files_ = LoadGoldenFiles();
    if (files_.empty()) GTEST_SKIP() << MissingGoldenFiles();
    EXPECT_EQ(files_.size(), 36u);
  }

  // Calls body(golden, image) for each golden file.
  template <typename Body>
  void ForEachGolden(const Body& body) {
    for (const GoldenFile& file : files_) {
      SCOPED_TRACE(file.name);
      const Result<DecodedImage> image = DecodeGoldenImage(file.json);
      ASSERT_TRUE(image.ok()) << image.status().message();
      body(file.json, *image);
    }
  }

  std::vector<GoldenFile> files_;
};

TEST_F(StagesGoldenTest, PhotographsDecodeToTheGoldenPixels) {
  ForEachGolden([](const nlohmann::json& golden, const DecodedImage& image) {
    std::vector<uint8_t> bgr;
    for (uint8_t value : image.pixels) bgr.insert(bgr.end(), image.format == PixelFormat::kGray8 ? 3 : 1, value);
    EXPECT_EQ(Sha1Hex(bgr), golden.at("bgr_sha1"));
  });
}

TEST_F(StagesGoldenTest, DetectorInputsHaveTheGoldenSizesAndMeans) {
  ForEachGolden([](const nlohmann::json& golden, const DecodedImage& image) {
    const ImageView view = image.view();
    const Size size = DetInputSize(view.height_px, view.width_px, GoldenDetParams(golden));
    ASSERT_EQ(size, (Size{golden.at("det_input")[0], golden.at("det_input")[1]}));
    ASSERT_FALSE(NeedsCanvas(view));
    const size_t num_pixels = static_cast<size_t>(size.height) * static_cast<size_t>(size.width);
    std::vector<float> out(num_pixels * 3);
    InputRows(view, DetInputRule(view, size)).FillAll(out.data());
    for (size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (size_t i = c; i < out.size(); i += 3) sum += out[i];
      // The golden mean was summed pairwise in float by numpy and has six decimals.
      EXPECT_NEAR(sum / static_cast<double>(num_pixels), golden.at("checks").at("det_input_mean_per_plane")[c], 2e-6);
    }
  });
}

TEST_F(StagesGoldenTest, LinesHaveTheGoldenPixelsAndWidths) {
  int num_lines = 0;
  ForEachGolden([&](const nlohmann::json& golden, const DecodedImage& image) {
    for (const auto& line : golden.at("lines")) {
      Quad box;
      for (size_t i = 0; i < 4; ++i) box[i] = {line.at("box")[i][0], line.at("box")[i][1]};
      const std::optional<LineShape> shape = ShapeOfLine(box);
      ASSERT_TRUE(shape.has_value());
      const BgrImage crop = CutOut(image.view(), CropRuleOf(image.view(), *shape));
      EXPECT_EQ(crop.height_px, line.at("crop")[0]);
      EXPECT_EQ(crop.width_px, line.at("crop")[1]);
      EXPECT_EQ(Sha1Hex(crop.pixels), line.at("crop_sha1"));
      EXPECT_EQ(RecInputWidth(shape->width(), shape->height(), RecWidthRule::kOfficial).total, line.at("rec_width"));
      ++num_lines;
    }
  });
  EXPECT_EQ(num_lines, 1168);
}

}  // namespace
}  // namespace inkread
