// Reads that do less than all: without detector or recogniser, of given boxes, of a region, cancelled, late.
// Needs the tiny models (`inkread models fetch tiny`); skips, saying so, where they are missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <limits>
#include <thread>

#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

std::string TinyFolder() {
  const Result<std::string> all = ModelFolder();
  return all.ok() ? ModelSizeFolder(*all, "tiny") : "";
}

std::vector<std::array<Point, 4>> QuadsOf(const Reading& reading) {
  std::vector<std::array<Point, 4>> quads;
  for (const Line& line : reading.lines) quads.push_back(line.quad);
  return quads;
}

std::vector<std::string> TextsOf(const Reading& reading) {
  std::vector<std::string> texts;
  for (const Line& line : reading.lines) texts.push_back(line.text);
  return texts;
}

class ReadModesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(TinyFolder() + "/settings.txt")) GTEST_SKIP() << "no models at " << TinyFolder();
    EngineOptions options;
    options.size = ModelSize::kTiny;
    options.num_threads = 2;
    options.backend = OcrBackend::kCpu;
    Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(engine).value();
    const Result<MappedFile> file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png");
    ASSERT_TRUE(file.ok()) << file.status().message();
    Result<DecodedImage> image = DecodeImage(file->bytes(), {});
    ASSERT_TRUE(image.ok()) << image.status().message();
    image_ = std::move(image).value();
    words_.words = true;
    whole_ = Read(words_);
  }

  Reading Read(const ReadOptions& options) {
    Result<Reading> reading = engine_->Read(image_.view(), options);
    EXPECT_TRUE(reading.ok()) << reading.status().message();
    return reading.ok() ? *std::move(reading) : Reading();
  }
  Status Error(const ReadOptions& options) { return engine_->Read(image_.view(), options).status(); }

  const Line& LineOf(const std::string& text) {
    const auto line =
        std::find_if(whole_.lines.begin(), whole_.lines.end(), [&](const Line& l) { return l.text == text; });
    return line == whole_.lines.end() ? whole_.lines.at(0) : *line;
  }

  std::unique_ptr<Engine> engine_;
  DecodedImage image_;
  ReadOptions words_;
  Reading whole_;
};

TEST_F(ReadModesTest, DetectingAloneGivesTheSameBoxesInTheSameOrder) {
  ReadOptions options = words_;
  options.recognise = false;
  options.score_thresh = 0.5;  // of texts that nobody asked for
  const Reading boxes = Read(options);
  EXPECT_EQ(QuadsOf(boxes), QuadsOf(whole_));
  EXPECT_EQ(boxes.dropped, 0);
  for (size_t i = 0; i < boxes.lines.size(); ++i) {
    EXPECT_EQ(boxes.lines[i].text, "");
    EXPECT_EQ(boxes.lines[i].score, 0);
    EXPECT_TRUE(boxes.lines[i].words.empty());
    EXPECT_EQ(boxes.lines[i].det_score, whole_.lines[i].det_score);
  }
}

TEST_F(ReadModesTest, TheBoxesOfAReadingGiveItsLinesAgainInTheOrderGiven) {
  for (const bool official : {false, true}) {
    ReadOptions options = words_;
    options.official = official;
    Reading first = Read(options);
    std::reverse(first.lines.begin(), first.lines.end());
    options.boxes = QuadsOf(first);
    const Reading again = Read(options);
    ASSERT_EQ(again.lines.size(), first.lines.size());
    for (size_t i = 0; i < again.lines.size(); ++i) {
      EXPECT_EQ(again.lines[i].text, first.lines[i].text);
      EXPECT_EQ(again.lines[i].score, first.lines[i].score);
      EXPECT_EQ(again.lines[i].quad, first.lines[i].quad);
      EXPECT_EQ(again.lines[i].words, first.lines[i].words);
    }
  }
}

// "2" in a box that is nearly twice as high as wide is no column.
TEST_F(ReadModesTest, ANarrowCharacterIsReadUpright) {
  ReadOptions options;
  options.chars = true;
  const Reading chars = Read(options);
  const auto line =
      std::find_if(chars.lines.begin(), chars.lines.end(), [](const Line& l) { return l.text == "24.00"; });
  ASSERT_NE(line, chars.lines.end());
  const std::array<Point, 4> q = line->chars.at(0).quad;
  const int left = q[0].x - 1, right = q[1].x + 1, top = q[0].y - 3, bottom = q[2].y + 3;
  options.boxes = {{{{left, top}, {right, top}, {right, bottom}, {left, bottom}}}};
  ASSERT_GT(bottom - top, (right - left) * 3 / 2);
  const Reading digit = Read(options);
  ASSERT_EQ(digit.lines.size(), 1u);
  EXPECT_EQ(digit.lines[0].text, "2");
  EXPECT_EQ(digit.lines[0].quad, options.boxes[0]);
}

// The image turned clockwise: its lines run down. An upright box is read downwards, one whose corners begin at the top
// left of the text as it says.
TEST_F(ReadModesTest, ABoxIsReadDownwardsWhereThatIsItsText) {
  const int width = image_.height_px, height = image_.width_px;
  std::vector<uint8_t> pixels(size_t{3} * width * height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const uint8_t* from = image_.view().row(image_.height_px - 1 - x) + size_t{3} * y;
      std::copy(from, from + 3, &pixels[size_t{3} * (size_t(y) * width + x)]);
    }
  }
  const Line& line = LineOf("Fountain pen");
  const auto turned = [&](Point p) { return Point{width - p.y, p.x}; };
  const Point a = turned(line.quad[3]), b = turned(line.quad[1]);  // top left and bottom right of the box
  ReadOptions options = words_;
  options.boxes = {{{a, {b.x, a.y}, b, {a.x, b.y}}},
                   {{turned(line.quad[0]), turned(line.quad[1]), turned(line.quad[2]), turned(line.quad[3])}}};
  const Result<Reading> reading =
      engine_->Read({pixels.data(), width, height, ptrdiff_t{3} * width, PixelFormat::kBgr24}, options);
  ASSERT_TRUE(reading.ok()) << reading.status().message();
  ASSERT_EQ(reading->lines.size(), 2u);
  for (const Line& read : reading->lines) {
    EXPECT_EQ(read.text, line.text);
    ASSERT_EQ(read.words.size(), 2u);
    EXPECT_LT(read.words[0].quad[0].y, read.words[1].quad[0].y);
  }
  // Corner i of a word is the one towards corner i of the box.
  const auto is_left_of = [](Point p, Point q) { return p.x < q.x; };
  EXPECT_TRUE(is_left_of(reading->lines[0].words[0].quad[0], reading->lines[0].words[0].quad[1]));
  EXPECT_TRUE(is_left_of(reading->lines[1].words[0].quad[3], reading->lines[1].words[0].quad[0]));
}

TEST_F(ReadModesTest, ABoxWithoutAreaKeepsItsPlace) {
  ReadOptions options;
  options.boxes = QuadsOf(whole_);
  options.boxes[1] = {{{5, 5}, {5, 5}, {5, 5}, {5, 5}}};
  const Reading reading = Read(options);
  ASSERT_EQ(reading.lines.size(), whole_.lines.size());
  EXPECT_EQ(reading.lines[1].text, "");
  EXPECT_EQ(reading.lines[2].text, whole_.lines[2].text);
}

TEST_F(ReadModesTest, AnImageThatIsOneLineIsReadWithoutTheDetector) {
  const Line& line = LineOf("Fountain pen");
  const Rect around{line.quad[0].x, line.quad[0].y, line.quad[2].x - line.quad[0].x, line.quad[2].y - line.quad[0].y};
  for (const bool official : {false, true}) {
    ReadOptions options = words_;
    options.official = official;
    options.detect = false;
    options.region = around;
    const Reading reading = Read(options);
    ASSERT_EQ(reading.lines.size(), 1u);
    EXPECT_EQ(reading.lines[0].text, line.text);
    EXPECT_EQ(reading.lines[0].quad[0], (Point{around.x, around.y}));
    EXPECT_EQ(reading.lines[0].quad[2], (Point{around.x + around.width, around.y + around.height}));
    EXPECT_EQ(reading.ms.detect, 0);
    ASSERT_FALSE(reading.lines[0].words.empty());
    EXPECT_GE(reading.lines[0].words[0].quad[0].x, around.x);
  }
}

TEST_F(ReadModesTest, ARegionIsReadAsIfItWereCutOut) {
  ReadOptions options = words_;
  options.region = {7, 3, image_.width_px - 20, image_.height_px / 2};
  const Reading region = Read(options);
  ImageView cut = image_.view();
  cut.pixels = cut.row(3) + 7 * BytesPerPixel(cut.format);
  cut.width_px = options.region.width;
  cut.height_px = options.region.height;
  const Result<Reading> alone = engine_->Read(cut, words_);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(region.width_px, image_.width_px);
  ASSERT_EQ(TextsOf(region), TextsOf(*alone));
  ASSERT_FALSE(region.lines.empty());
  EXPECT_LT(region.lines.size(), whole_.lines.size());
  for (size_t i = 0; i < region.lines.size(); ++i) {
    const Line &of_region = region.lines[i], &of_cut = alone->lines[i];
    for (int k = 0; k < 4; ++k) EXPECT_EQ(of_region.quad[k], (Point{of_cut.quad[k].x + 7, of_cut.quad[k].y + 3}));
    ASSERT_EQ(of_region.words.size(), of_cut.words.size());
    EXPECT_EQ(of_region.words[0].quad[0], (Point{of_cut.words[0].quad[0].x + 7, of_cut.words[0].quad[0].y + 3}));
  }
}

TEST_F(ReadModesTest, OptionsThatDoNotFitAreRefusedWithTheReason) {
  const auto refused = [&](auto change, const std::string& reason) {
    ReadOptions options;
    change(options);
    const Status error = Error(options);
    EXPECT_EQ(error.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(error.message().find(reason), std::string::npos) << error.message();
  };
  constexpr int kMax = std::numeric_limits<int>::max();
  refused([](ReadOptions& o) { o.detect = o.recognise = false; }, "both false");
  refused([](ReadOptions& o) { o.recognise = false, o.boxes.emplace_back(); }, "recognise is false");
  refused([](ReadOptions& o) { o.region = {0, 0, kMax, 1}; }, "not inside the image");
  refused([](ReadOptions& o) { o.region = {-1, 0, 5, 5}; }, "not inside the image");
  refused([](ReadOptions& o) { o.region = {kMax, kMax, 1, 1}; }, "not inside the image");
  refused([](ReadOptions& o) { o.region = {1, 1, 0, 0}; }, "not inside the image");
  refused([](ReadOptions& o) { o.boxes = {{{{0, 0}, {kMax, 0}, {9, 9}, {0, 9}}}}; }, "boxes[0] has a corner at");
  refused([](ReadOptions& o) { o.boxes = {{{{0, 0}, {9, -1}, {9, 9}, {0, 9}}}}; }, "boxes[0] has a corner at");
  refused([](ReadOptions& o) { o.time_limit_ms = -1; }, "time_limit_ms is -1");
  refused([](ReadOptions& o) { o.time_limit_ms = std::numeric_limits<double>::quiet_NaN(); }, "time_limit_ms");
}

TEST_F(ReadModesTest, ACancelledReadEndsAndTheNextIsAsEver) {
  std::atomic<bool> cancel = true;
  ReadOptions options = words_;
  options.cancel = &cancel;
  EXPECT_EQ(Error(options).code(), StatusCode::kCancelled);
  cancel = false;
  EXPECT_EQ(TextsOf(Read(options)), TextsOf(whole_));
}

TEST_F(ReadModesTest, ATimeLimitEndsARead) {
  ReadOptions options;
  options.time_limit_ms = 1e-6;
  EXPECT_EQ(Error(options).code(), StatusCode::kDeadlineExceeded);
  options.time_limit_ms = std::numeric_limits<double>::infinity();
  EXPECT_EQ(TextsOf(Read(options)), TextsOf(whole_));
}

// A large image, cancelled at some moment of its detector: most of the steps are left out.
TEST_F(ReadModesTest, CancellingFromAnotherThreadEndsALongRead) {
  const std::vector<uint8_t> white(size_t{3} * 3000 * 3000, 255);
  const ImageView large{white.data(), 3000, 3000, 9000, PixelFormat::kBgr24};
  std::atomic<bool> cancel = false;
  ReadOptions options;
  options.profile = Profile::kPipeline;
  options.cancel = &cancel;
  Status status;
  std::thread reader([&] { status = engine_->Read(large, options).status(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  cancel = true;
  reader.join();
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  EXPECT_EQ(TextsOf(Read(words_)), TextsOf(whole_));
}

TEST_F(ReadModesTest, EachImageOfManyHasItsOwnTime) {
  std::vector<ImageView> views(3, image_.view());
  ReadOptions options;
  options.time_limit_ms = 1e-6;
  for (const Result<Reading>& reading : engine_->ReadMany(views, options))
    EXPECT_EQ(reading.status().code(), StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace inkread
