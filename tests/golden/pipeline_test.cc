// Compares the whole pipeline with the golden files of the official one: boxes, classes, texts, scores.
#include "ocr/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "api/load.h"
#include "base/model_folder.h"
#include "ocr/reading_order.h"
#include "runtime/backend_registry.h"
#include "tests/golden/golden_files.h"

namespace inkread {
namespace {

using nlohmann::json;

class PipelineGoldenTest : public testing::TestWithParam<const char*> {
 protected:
  // Loads the models of the size; skips the test if they or the golden files are missing.
  void SetUp() override {
    files_ = LoadGoldenFiles();
    if (files_.empty()) GTEST_SKIP() << MissingGoldenFiles();
    const Result<std::string> all = ModelFolder();
    ASSERT_TRUE(all.ok()) << all.status().message();
    const std::string folder = ModelSizeFolder(*all, GetParam());
    if (!std::filesystem::exists(folder + "/settings.txt")) GTEST_SKIP() << "no models at " << folder;
    Result<std::unique_ptr<Backend>> backend = OpenBackend("cpu", &pool_);
    ASSERT_TRUE(backend.ok());
    std::vector<FallbackChain::Entry> entries;
    entries.push_back({"cpu", std::move(backend).value()});
    Result<LoadedModels> models = LoadModels(FilesOfSize(folder, GetParam()), false,
                                             std::make_shared<FallbackChain>(std::move(entries), true), &pool_);
    ASSERT_TRUE(models.ok()) << models.status().message();
    models_ = std::move(models).value();
  }

  void Compare(const json& golden) {
    const Result<DecodedImage> decoded = DecodeGoldenImage(golden);
    ASSERT_TRUE(decoded.ok()) << decoded.status().message();
    const ImageView view = decoded->view();
    const DetParams params = GoldenDetParams(golden);
    const Networks& networks = models_.networks;

    SourceImage image(view, networks.det->chain());
    PipelineTimes ms;
    const Result<ProbabilityMap> map =
        DetectMap(image, DetInputSize(view.height_px, view.width_px, params), networks, workspace_, ms);
    ASSERT_TRUE(map.ok()) << map.status().message();
    EXPECT_EQ(map->size.height, golden.at("det_input")[0]);
    EXPECT_EQ(map->size.width, golden.at("det_input")[1]);
    const std::span<const float> prob = map->values;
    EXPECT_NEAR(*std::max_element(prob.begin(), prob.end()), golden.at("checks").at("prob_max").get<double>(), 1e-4);

    MapReport report;
    const std::vector<DetBox> unordered =
        BoxesFromMap(prob, map->size.height, map->size.width, view.height_px, view.width_px, params, &report);
    std::vector<Quad> quads;
    for (const DetBox& box : unordered) quads.push_back(box.quad);
    std::vector<DetBox> boxes;
    for (const int i : OfficialOrder(quads)) boxes.push_back(unordered[static_cast<size_t>(i)]);
    const std::vector<LineShape> shapes = CropLines(image, std::nullopt, boxes, pool_);
    const json& lines = golden.at("lines");
    ASSERT_EQ(boxes.size(), lines.size());
    const Result<std::vector<RecognisedLine>> recognised =
        RecogniseLines(image, shapes, {RecWidthRule::kOfficial, false}, networks);
    ASSERT_TRUE(recognised.ok()) << recognised.status().message();
    for (size_t i = 0; i < lines.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "line " << i);
      Quad expected;
      for (size_t k = 0; k < 4; ++k) expected[k] = {lines[i].at("box")[k][0], lines[i].at("box")[k][1]};
      EXPECT_EQ(boxes[i].quad, expected);
      EXPECT_NEAR(boxes[i].score, lines[i].at("det_score").get<double>(), 1e-4);
      std::vector<int> classes;
      for (const CtcStep& step : (*recognised)[i].steps) classes.push_back(step.index);
      const json& single = lines[i].at("single");
      EXPECT_EQ(classes, single.at("argmax").get<std::vector<int>>());
      const CtcText text = DecodeCtc((*recognised)[i].steps, *networks.dictionary);
      EXPECT_EQ(text.text, single.at("text").get<std::string>());
      EXPECT_NEAR(text.score, single.at("score").get<double>(), 1e-3);
      ++num_lines_;
    }
  }

  ThreadPool pool_{2};
  std::vector<GoldenFile> files_;
  LoadedModels models_;
  Workspace workspace_;
  int num_lines_ = 0;
};

TEST_P(PipelineGoldenTest, GivesTheGoldenBoxesClassesAndTexts) {
  int num_files = 0;
  for (const GoldenFile& file : files_) {
    if (file.name.find(std::string(".") + GetParam() + ".") == std::string::npos) continue;
    SCOPED_TRACE(file.name);
    Compare(file.json);
    ++num_files;
  }
  EXPECT_EQ(num_files, 18);
  std::printf("%d files, %d lines\n", num_files, num_lines_);
}

INSTANTIATE_TEST_SUITE_P(Sizes, PipelineGoldenTest, testing::Values("tiny", "small"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace inkread
