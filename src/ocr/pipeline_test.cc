// The stages with a device that makes the networks' inputs of the image, against the host making them: the same bits.
#include "ocr/pipeline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "backends/cpu/cpu_backend.h"
#include "ocr/strips.h"
#include "tests/onnx_writer.h"

namespace inkread {
namespace {

// The CPU backend as a device that makes inputs of images itself. Counts the images that are uploaded to it.
class ReadsImages : public Backend {
 public:
  ReadsImages(std::unique_ptr<Backend> real, std::atomic<int>* num_images)
      : real_(std::move(real)), caps_(real_->Caps()), num_images_(num_images) {
    caps_.max_image_bytes = 400 * 300 * 3;
    caps_.prefers_batched_runs = true;
  }
  const DeviceCaps& Caps() const override { return caps_; }
  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void> owner) override {
    return real_->Upload(weights, std::move(owner));
  }
  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override {
    ++*num_images_;
    return real_->UploadImage(image);
  }
  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    return real_->Compile(std::move(schedule), std::move(weights));
  }
  Status Run(std::span<const Job> jobs) override { return real_->Run(jobs); }

 private:
  std::unique_ptr<Backend> real_;
  DeviceCaps caps_;
  std::atomic<int>* num_images_;
};

class PipelineTest : public ::testing::Test {
 protected:
  PipelineTest() {
    folder_ = std::filesystem::temp_directory_path() / StrCat("inkread_pipeline_test_", getpid());
    std::filesystem::create_directories(folder_);
    // A pixel's probability is how dark it is, so that dark bars are text.
    OnnxWriter det;
    det.Input({-1, 3, -1, -1}).Output();
    det.Initializer(OnnxFloats("w", {1, 3, 1, 1}, {-3, -3, -3}));
    det.Node("Conv", {"x", "w"}, {"c"}, {OnnxInts("kernel_shape", {1, 1})}).Node("Sigmoid", {"c"}, {"y"});
    WriteModel(det, folder_ / "det.onnx");
    // Upside down: more blue than red on the whole.
    OnnxWriter cls;
    cls.Input({-1, 3, 48, 192}).Output();
    cls.Initializer(OnnxFloats("w", {2, 3, 1, 1}, {-9, 0, 9, 9, 0, -9}));
    cls.Node("Conv", {"x", "w"}, {"c"}, {OnnxInts("kernel_shape", {1, 1})});
    cls.Node("GlobalAveragePool", {"c"}, {"g"}).Node("Squeeze", {"g", "axes"}, {"f"});
    cls.Initializer(OnnxInt64s("axes", {2}, {2, 3}));
    cls.Node("Softmax", {"f"}, {"y"}, {OnnxInt("axis", 1)});
    WriteModel(cls, folder_ / "cls.onnx");
    // Seven classes of an eighth of a line.
    OnnxWriter rec;
    std::vector<float> window(5 * 3 * 48 * 8), classes(5 * 7);
    for (size_t i = 0; i < window.size(); ++i) window[i] = static_cast<float>(i * 29 % 97) * 1e-3f - 0.05f;
    for (size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<float>(i * 13 % 23) * 0.1f - 1;
    rec.Input({-1, 3, 48, -1}).Output();
    rec.Initializer(OnnxFloats("w", {5, 3, 48, 8}, window)).Initializer(OnnxFloats("m", {5, 7}, classes));
    rec.Node("Conv", {"x", "w"}, {"c"}, {OnnxInts("kernel_shape", {48, 8}), OnnxInts("strides", {48, 8})});
    rec.Initializer(OnnxInt64s("axes", {1}, {2}));
    rec.Node("Squeeze", {"c", "axes"}, {"s"}).Node("Transpose", {"s"}, {"t"}, {OnnxInts("perm", {0, 2, 1})});
    rec.Node("MatMul", {"t", "m"}, {"l"}).Node("Softmax", {"l"}, {"y"}, {OnnxInt("axis", 2)});
    WriteModel(rec, folder_ / "rec.onnx");
  }
  ~PipelineTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Model> LoadModel(const std::string& name, const std::shared_ptr<FallbackChain>& chain) {
    auto model = Model::Load(folder_ / name, chain);
    EXPECT_TRUE(model.ok()) << model.status().message();
    return std::move(model).value();
  }

  Networks Load(bool reads_images) {
    std::unique_ptr<Backend> backend = MakeCpuBackend(&pool_, {});
    if (reads_images) backend = std::make_unique<ReadsImages>(std::move(backend), &num_images_);
    std::vector<FallbackChain::Entry> entries;
    entries.push_back({"cpu", std::move(backend)});
    auto chain = std::make_shared<FallbackChain>(std::move(entries), false);
    Networks networks;
    networks.det = LoadModel("det.onnx", chain);
    networks.rec = LoadModel("rec.onnx", chain);
    networks.cls = LoadModel("cls.onnx", chain);
    networks.dictionary =
        std::make_unique<Dictionary>(Dictionary::FromText("a\nb\nc\n国\n，", "dictionary.txt", 7).value());
    networks.pool = &pool_;
    networks.detector_gate = std::make_unique<DetectorGate>(&pool_);
    return networks;
  }

  std::filesystem::path folder_;
  ThreadPool pool_{2};
  std::atomic<int> num_images_ = 0;  // uploaded to the device
};

// White, with dark bars of several slants, some reddish and some bluish.
BgrImage Bars(int width, int height) {
  BgrImage image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      uint8_t* p = image.row(y) + x * 3;
      const int bar = (y + x * (y / 50 % 3) / 16) % 50;
      const bool is_level = bar > 15 && bar < 34 && x > 20 && x < width - 40;
      const bool is_standing = x > width - 30 && x < width - 12 && y > 20 && y < height - 20;
      const bool is_dark = is_level || is_standing;
      p[0] = static_cast<uint8_t>(is_dark ? (y / 50 % 2) * 60 + x % 7 : 255 - x % 3);
      p[1] = static_cast<uint8_t>(is_dark ? y % 11 : 250);
      p[2] = static_cast<uint8_t>(is_dark ? (1 - y / 50 % 2) * 60 + y % 5 : 255);
    }
  }
  return image;
}

struct Seen {
  std::vector<float> map;
  std::vector<bool> upside_down;
  std::vector<std::vector<CtcStep>> lines;
  std::vector<LineParts> parts;
};

Seen See(const ImageView& view, const Networks& networks) {
  Seen seen;
  SourceImage image(view, networks.det->chain());
  const DetParams params;
  Workspace workspace;
  PipelineTimes ms;
  const Size size = DetInputSize(view.height_px, view.width_px, params);
  const ProbabilityMap map = DetectMap(image, size, networks, workspace, ms).value();
  seen.map.assign(map.values.begin(), map.values.end());
  MapReport report;
  std::vector<DetBox> boxes =
      BoxesFromMap(map.values, map.size.height, map.size.width, view.height_px, view.width_px, params, &report);
  std::vector<LineShape> lines = CropLines(image, std::nullopt, boxes, *networks.pool);
  EXPECT_TRUE(TurnLines(image, lines, networks).ok());
  for (const LineShape& line : lines) seen.upside_down.push_back(line.is_upside_down);
  auto recognised = RecogniseLines(image, lines, RecParams(), networks).value();
  PipelineOptions options;
  options.words = options.chars = true;
  seen.parts = FindParts(view, lines, recognised, options, networks);
  for (RecognisedLine& line : recognised) seen.lines.push_back(std::move(line.steps));
  return seen;
}

TEST_F(PipelineTest, DevicesMakeTheHostsInputsToTheBit) {
  const Networks host = Load(false), device = Load(true);
  for (const auto& [width, height] : {std::pair{400, 300}, {333, 257}, {25, 20}, {401, 300}}) {
    const BgrImage image = Bars(width, height);
    num_images_ = 0;
    const Seen expected = See(image.view(), host);
    EXPECT_EQ(num_images_, 0);
    const Seen actual = See(image.view(), device);
    // The last one is too large for the device. Of the tiny one the detector reads a canvas; no line is found in it.
    EXPECT_EQ(num_images_, width <= 400 ? 1 : 0) << width;
    EXPECT_EQ(actual.map, expected.map);
    EXPECT_EQ(actual.upside_down, expected.upside_down);
    ASSERT_EQ(actual.lines.size(), expected.lines.size());
    for (size_t i = 0; i < expected.lines.size(); ++i) {
      EXPECT_TRUE(actual.parts[i].words == expected.parts[i].words);
      EXPECT_TRUE(actual.parts[i].chars == expected.parts[i].chars);
      EXPECT_FALSE(expected.parts[i].words.empty());
      ASSERT_EQ(actual.lines[i].size(), expected.lines[i].size());
      for (size_t k = 0; k < expected.lines[i].size(); ++k) {
        EXPECT_EQ(actual.lines[i][k].index, expected.lines[i][k].index);
        EXPECT_EQ(actual.lines[i][k].probability, expected.lines[i][k].probability);
        EXPECT_EQ(actual.lines[i][k].space, expected.lines[i][k].space);
      }
    }
    if (width != 400) continue;
    // The image has lines of both directions.
    EXPECT_GE(expected.lines.size(), 5u);
    const auto turned = std::count(expected.upside_down.begin(), expected.upside_down.end(), true);
    EXPECT_GT(turned, 0);
    EXPECT_LT(turned, static_cast<ptrdiff_t>(expected.upside_down.size()));
  }
}

// White with dark bars, and nothing else that the detector takes for text.
BgrImage WithBars(int width, int height, std::span<const Rect> bars) {
  BgrImage image(width, height);
  std::fill(image.pixels.begin(), image.pixels.end(), uint8_t{255});
  for (const Rect& bar : bars) {
    for (int y = bar.y; y < bar.y + bar.height; ++y)
      std::fill_n(image.row(y) + bar.x * 3, size_t{3} * bar.width, uint8_t{0});
  }
  return image;
}

std::vector<Quad> QuadsRead(const ImageView& image, const PipelineOptions& options, const Networks& networks) {
  const Result<PipelineResult> result = ReadText(image, options, networks);
  EXPECT_TRUE(result.ok()) << result.status().message();
  std::vector<Quad> quads;
  for (const PipelineLine& line : result->lines) quads.push_back(line.quad);
  return quads;
}

std::vector<float> MapOf(const ImageView& view, const Size& size, const Networks& networks) {
  SourceImage image(view, networks.det->chain());
  Workspace workspace;
  PipelineTimes ms;
  const ProbabilityMap map = DetectMap(image, size, networks, workspace, ms).value();
  EXPECT_EQ(map.size, size);
  return {map.values.begin(), map.values.end()};
}

// The detector of this test looks at single pixels, so the map of a piece is a piece of the map.
TEST_F(PipelineTest, TheMapInStripsIsThatOfThePieces) {
  const Networks networks = Load(false);
  constexpr int kPiece = 2112;  // short enough for a map without strips
  for (const bool is_wide : {false, true}) {
    const BgrImage image = is_wide ? Bars(2 * kPiece, 96) : Bars(96, 2 * kPiece);
    const ImageView whole = image.view();
    ASSERT_TRUE(NeedsStrips({whole.height_px, whole.width_px}));
    std::vector<float> expected(size_t{96} * 2 * kPiece);
    for (const int begin : {0, kPiece}) {
      const Strip piece{begin, begin + kPiece, begin, begin + kPiece};
      const Size map{whole.height_px, whole.width_px};
      CopyOwnPart(MapOf(PartOf(whole, map, piece), SizeOf(piece, map), networks), piece, map, expected);
    }
    EXPECT_EQ(MapOf(whole, {whole.height_px, whole.width_px}, networks), expected);
  }
}

TEST_F(PipelineTest, LinesAcrossTheBordersOfStripsAreFoundWholeAndOnce) {
  const Networks networks = Load(false);
  PipelineOptions options;
  options.recognise = false;
  options.det.fits_page = true;
  constexpr int kLength = 6400;
  std::vector<int> borders;
  for (const Strip& strip : MakeStrips(kLength))
    borders.insert(borders.end(), {strip.begin, strip.own_begin, strip.end});
  std::sort(borders.begin(), borders.end());
  for (int shift = -24; shift <= 24; shift += 6) {
    std::vector<Rect> down, along;
    for (const int border : borders) {
      const int at = std::clamp(border + shift, 140, kLength - 240);
      if (!down.empty() && at - down.back().y < 100) continue;
      down.push_back({60, at - 12, 300, 24});
      if (along.empty() || at - along.back().x > 400) along.push_back({at - 100, 40, 200, 24});
    }
    const BgrImage tall = WithBars(512, kLength, down), wide = WithBars(kLength, 128, along);
    for (const auto& [image, bars] : {std::pair(&tall, &down), {&wide, &along}}) {
      std::vector<Quad> quads = QuadsRead(image->view(), options, networks);
      ASSERT_EQ(quads.size(), bars->size()) << shift << (image == &tall ? " tall" : " wide");
      std::sort(quads.begin(), quads.end(),
                [](const Quad& a, const Quad& b) { return a[0].x + a[0].y < b[0].x + b[0].y; });
      for (size_t i = 0; i < quads.size(); ++i) {
        const Rect& bar = (*bars)[i];
        const int grown = quads[0][2].y - quads[0][0].y;  // all have the same size
        EXPECT_EQ(quads[i][2].x - quads[i][0].x, quads[0][2].x - quads[0][0].x);
        EXPECT_EQ(quads[i][2].y - quads[i][0].y, grown);
        EXPECT_TRUE(quads[i][0].x <= bar.x && quads[i][2].x >= bar.x + bar.width);
        EXPECT_TRUE(quads[i][0].y <= bar.y && quads[i][2].y >= bar.y + bar.height);
      }
    }
  }
}

TEST_F(PipelineTest, APageWithLargeTextIsLookedAtOnce) {
  const Networks networks = Load(false);
  PipelineOptions fitting, once, full;
  fitting.recognise = once.recognise = full.recognise = false;
  fitting.det.fits_page = true;
  once.det.limit_type = LimitType::kMax;
  once.det.limit_side = 960;
  const Rect large{100, 100, 600, 40}, small{100, 400, 300, 8}, apart{100, 800, 900, 60};
  const auto read = [&](std::initializer_list<Rect> bars, const PipelineOptions& options) {
    const BgrImage image = WithBars(1920, 1344, bars);
    return QuadsRead(image.view(), options, networks);
  };
  EXPECT_EQ(read({large, apart}, fitting), read({large, apart}, once));
  EXPECT_NE(read({large, apart}, fitting), read({large, apart}, full));
  EXPECT_EQ(read({large, small, apart}, fitting), read({large, small, apart}, full));
  EXPECT_EQ(read({}, fitting), std::vector<Quad>());
}

// A pixel is text here if it is dark and those 12 px above and below are light, so bars of 24 px and more are not seen.
TEST_F(PipelineTest, APageInWhichTwoLooksFindNothingIsLookedAtOnceMore) {
  OnnxWriter det;
  det.Input({-1, 3, -1, -1}).Output();
  std::vector<float> column(3 * 25);
  for (size_t channel = 0; channel < 3; ++channel) {
    column[channel * 25 + 12] = -1;
    column[channel * 25] = column[channel * 25 + 24] = 1;
  }
  det.Initializer(OnnxFloats("w", {1, 3, 25, 1}, column)).Initializer(OnnxFloats("b", {1}, {-14}));
  det.Node("Conv", {"x", "w", "b"}, {"c"}, {OnnxInts("kernel_shape", {25, 1}), OnnxInts("pads", {12, 0, 12, 0})});
  det.Node("Sigmoid", {"c"}, {"y"});
  WriteModel(det, folder_ / "det.onnx");
  const Networks networks = Load(false);
  PipelineOptions fitting, last, full;
  fitting.recognise = last.recognise = full.recognise = false;
  fitting.det.fits_page = true;
  last.det.limit_type = LimitType::kMax;
  last.det.limit_side = 800;
  const Rect thick{200, 600, 800, 66}, thin{200, 1600, 800, 10};
  const auto read = [&](std::initializer_list<Rect> bars, const PipelineOptions& options) {
    const BgrImage image = WithBars(1300, 3000, bars);
    return QuadsRead(image.view(), options, networks);
  };
  EXPECT_EQ(read({thick}, full), std::vector<Quad>());
  EXPECT_EQ(read({thick}, fitting).size(), 1u);
  EXPECT_EQ(read({thick}, fitting), read({thick}, last));
  // Not where something was found.
  EXPECT_EQ(read({thick, thin}, fitting).size(), 1u);
  EXPECT_EQ(read({thick, thin}, fitting), read({thin}, full));
}

}  // namespace
}  // namespace inkread
