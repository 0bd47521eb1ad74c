#include "apps/bench/result.h"

#include "apps/test_files.h"

namespace inkread::test {
namespace {

Line LineAt(const std::string& text, int x, int y) {
  Line line;
  line.text = text;
  line.quad = {Point{x, y}, Point{x + 30, y}, Point{x + 30, y + 10}, Point{x, y + 10}};
  line.score = 0.98765432f;
  return line;
}

PlacedLine TruthAt(const std::string& text, double x, double y) {
  return {text, {Corner{x, y}, Corner{x + 30, y}, Corner{x + 30, y + 10}, Corner{x, y + 10}}};
}

// Two images, the first read in 1, 2 and 9 ms, the second in 4 ms each time.
class BenchResultTest : public testing::Test {
 protected:
  BenchResultTest() {
    images_.resize(2);
    images_[0].file = "a.png";
    images_[0].image.width_px = 64;
    images_[0].image.height_px = 48;
    images_[0].image.pixels.resize(100);
    images_[1].file = "in/b.png";
    times_.images.resize(2);
    times_.images[0].rounds_ms = {9, 1, 2.00049};
    times_.images[0].reading.ms.detect = 1.5;
    times_.images[0].reading.lines = {LineAt("abc", 0, 0), LineAt("x", 0, 50)};
    times_.images[0].reading.lines[1].rotated_180 = true;
    times_.images[1].rounds_ms = {4, 4, 4};
    times_.images[1].reading.lines = {LineAt("Ｄ e", 0, 0)};
    times_.rounds_ms = {13, 5, 5};
    times_.used = {3.0, 18, 3};
    setup_.machine = {"Some CPU", 2, 1 << 20, "GCC 12"};
    setup_.run = {1, 1, 3};
    setup_.resident_after_load_bytes = 1000;
  }

  Json Document(const std::optional<std::vector<ImageLines>>& truth = {}) const {
    return BenchDocument(setup_, images_, times_, truth);
  }

  BenchSetup setup_;
  std::vector<BenchImage> images_;
  BenchTimes times_;
};

TEST_F(BenchResultTest, SummarisesTimes) {
  const Json summary = Document()["summary"];
  EXPECT_EQ(summary["images"], 2);
  EXPECT_EQ(summary["mean_ms"], 3.0);
  EXPECT_EQ(summary["median_ms"], 3.0);
  EXPECT_EQ(summary["p95_ms"], 4.0);
  EXPECT_EQ(summary["images_per_s"], 400.0);
  EXPECT_EQ(summary["cpu_ms_per_image"], 500.0);
  EXPECT_EQ(summary["switches_per_image"], 3.0);
  EXPECT_EQ(summary["page_faults_per_image"], 0.5);
  EXPECT_EQ(summary["lines"], 3);
  EXPECT_EQ(summary["decoded_bytes"], 100);
  EXPECT_EQ(summary["rss_after_load_bytes"], 1000);
  for (const char* unknown : {"rss_peak_bytes", "truth_lines", "exact_lines", "exact_images", "cer", "exact_lines_nfkc",
                              "exact_images_nfkc", "cer_nfkc", "pairs_in_order", "lines_turned"}) {
    EXPECT_TRUE(summary[unknown].is_null()) << unknown;
  }
  EXPECT_FALSE(summary.contains("pairs_in_order_by_kind"));
}

TEST_F(BenchResultTest, ScoresBothFormsAgainstTheTruth) {
  setup_.engine.has_classifier = true;
  const Json summary =
      Document({{{"a.png", {TruthAt("abc", 0, 0)}}, {"b.png", {TruthAt("De", 0.5, 0.25)}}}})["summary"];
  EXPECT_EQ(summary["truth_lines"], 2);
  EXPECT_EQ(summary["exact_lines"], 1);
  EXPECT_EQ(summary["exact_images"], 0);
  EXPECT_EQ(summary["cer"], 3.0 / 5);
  EXPECT_EQ(summary["exact_lines_nfkc"], 2);
  EXPECT_EQ(summary["exact_images_nfkc"], 1);
  EXPECT_EQ(summary["cer_nfkc"], 1.0 / 5);
  EXPECT_EQ(summary["lines_turned"], 1);
}

TEST_F(BenchResultTest, ScoresTheWordsThatWereAskedFor) {
  PlacedLine line = TruthAt("abc", 0, 0);
  line.words = {line.quad};
  const std::vector<ImageLines> truth = {{"a.png", {line}}, {"b.png", {TruthAt("De", 0, 0)}}};
  times_.images[0].reading.lines[0].words = {{{Point{0, 0}, Point{15, 0}, Point{15, 10}, Point{0, 10}}, "abc", 0.5f}};
  EXPECT_FALSE(Document(truth)["summary"].contains("word_iou"));
  EXPECT_FALSE(Document(truth)["images"][0]["lines"][0].contains("words"));
  setup_.read.words = true;
  const Json document = Document(truth);
  EXPECT_EQ(document["summary"]["words"], 1);
  EXPECT_EQ(document["summary"]["word_iou"], 0.5);
  EXPECT_EQ(document["summary"]["word_centres"], 1.0);
  EXPECT_TRUE(Document()["summary"]["word_iou"].is_null());
  EXPECT_EQ(document["engine"]["settings"], "words, 1 warming rounds, median of 3 rounds");
  EXPECT_EQ(document["images"][0]["lines"][0]["words"],
            Json::parse(R"([{"text": "abc", "score": 0.5, "quad": [[0, 0], [15, 0], [15, 10], [0, 10]]}])"));
}

TEST_F(BenchResultTest, ScoresTheOrderAlsoOfEachKind) {
  times_.images[1].reading.lines.push_back(LineAt("above", 0, 50));
  const std::vector<ImageLines> truth = {{"a.png", {TruthAt("abc", 0, 0), TruthAt("x", 0, 50)}, "form"},
                                         {"b.png", {TruthAt("above", 0, 50), TruthAt("De", 0, 0)}, "table"}};
  const Json summary = Document(truth)["summary"];
  EXPECT_EQ(summary["pairs_in_order"], 0.5);
  EXPECT_EQ(summary["pairs_in_order_by_kind"], Json::parse(R"({"form": 1.0, "table": 0.0})"));
}

TEST_F(BenchResultTest, TellsMachineEngineAndImages) {
  setup_.read.official = true;
  const Json document = Document();
  EXPECT_EQ(document["schema"], 2);
  EXPECT_EQ(document["machine"]["cpu"], "Some CPU");
  EXPECT_FALSE(document["machine"]["instruction_set"].get<std::string>().empty());
  EXPECT_FALSE(document["machine"]["commit"].get<std::string>().empty());
  EXPECT_TRUE(document["machine"]["gpu"].is_null());
  EXPECT_EQ(document["engine"]["name"], "inkread");
  EXPECT_EQ(document["engine"]["profile"], "pipeline");
  EXPECT_EQ(document["engine"]["workers"], 1);
  EXPECT_EQ(document["engine"]["settings"], "official, 1 warming rounds, median of 3 rounds");
  const Json& image = document["images"][0];
  EXPECT_EQ(image["file"], "a.png");
  EXPECT_EQ(image["width"], 64);
  EXPECT_EQ(image["ms"], 2.0);
  EXPECT_EQ(image["rounds_ms"], Json::parse("[9.0, 1.0, 2.0]"));
  EXPECT_EQ(image["stages"]["detect"], 1.5);
  EXPECT_EQ(image["lines"][0],
            Json::parse(R"({"text": "abc", "score": 0.987654, "quad": [[0, 0], [30, 0], [30, 10], [0, 10]]})"));
}

TEST_F(BenchResultTest, TellsTheDevicesThatRead) {
  EXPECT_FALSE(Document()["summary"].contains("reads_by_device"));
  setup_.engine.devices = {{OcrBackend::kVulkan, "vulkan First", 3, ""},
                           {OcrBackend::kVulkan, "vulkan Idle", 0, ""},
                           {OcrBackend::kVulkan, "vulkan First", 2, "lost"},
                           {OcrBackend::kCpu, "cpu avx3", 1, ""}};
  const Json document = Document();
  EXPECT_EQ(document["machine"]["gpu"], "vulkan First, vulkan First");
  EXPECT_EQ(document["summary"]["reads_by_device"], "vulkan 3, vulkan 0, vulkan 2, cpu 1");
}

TEST_F(BenchResultTest, WhatIsWrittenIsLoaded) {
  times_.images[1].reading.lines[0].text = "caf\xE9";  // no UTF-8
  const TemporaryFolder folder;
  const Json document = Document();
  const std::string path = folder.Put("a.json", BenchDocumentText(document));
  const Result<BenchResult> loaded = LoadBenchResult(path);
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  EXPECT_EQ(loaded->path, path);
  EXPECT_EQ(loaded->machine, document["machine"]);
  EXPECT_EQ(loaded->engine, document["engine"]);
  EXPECT_EQ(loaded->summary, document["summary"]);
  ASSERT_EQ(loaded->images.size(), 2u);
  EXPECT_EQ(loaded->images[1].file, "in/b.png");
  EXPECT_EQ(loaded->images[1].lines[0].text, "caf\xEF\xBF\xBD");
  EXPECT_EQ(loaded->images[0].lines[1].quad[2].y, 60);
}

TEST_F(BenchResultTest, FaultsAreNamed) {
  struct Case {
    const char* pointer;  // what is set, to what
    Json value;
    const char* message;
  };
  const TemporaryFolder folder;
  for (const Case& c :
       {Case{"/schema", 1, "schema: expected 2, got 1"},
        Case{"/engine", nullptr, "engine: expected an object, got null"},
        Case{"/summary", 3, "summary: expected an object, got 3"},
        Case{"/images", "none", "images: expected an array, got \"none\""},
        Case{"/images/1", 5, "images[1]: expected an object, got 5"},
        Case{"/images/1/file", nullptr, "images[1].file: expected a text, got null"},
        Case{"/images/1/file", "x/a.png", "images[1].file: expected a name that no other image has"},
        Case{"/images/0/lines", Json::object(), "images[0].lines: expected an array, got {}"},
        Case{"/images/0/kind", 7, "images[0].kind: expected a text, got 7"},
        Case{"/images/0/lines/1/text", 1, "images[0].lines[1].text: expected a text, got 1"},
        Case{"/images/0/lines/1/quad", {1, 2, 3, 4}, "images[0].lines[1].quad: expected four corners [x, y]"},
        Case{"/images/0/lines/1/quad/3", {1}, "images[0].lines[1].quad: expected four corners [x, y]"}}) {
    Json document = Document();
    document[Json::json_pointer(c.pointer)] = c.value;
    const std::string path = folder.Put("a.json", BenchDocumentText(document));
    const Result<BenchResult> loaded = LoadBenchResult(path);
    EXPECT_EQ(loaded.status().code(), StatusCode::kInvalidArgument) << c.pointer;
    EXPECT_EQ(loaded.status().message().find(path + ": " + c.message), 0u) << loaded.status().message();
  }
  EXPECT_EQ(LoadBenchResult(folder.Put("b.json", "{\"schema\": 2")).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(LoadBenchResult(folder.Put("c.json", "[]")).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(LoadBenchResult(folder / "missing.json").status().code(), StatusCode::kNotFound);
}

TEST(LoadTruthTest, TakesFractionsAndFurtherFields) {
  const TemporaryFolder folder;
  const auto truth = LoadTruth(folder.Put("truth.json", R"({"seed": 1, "images": [{"file": "a.png", "kind": "form",
      "lines": [{"text": "墨", "quad": [[0.5, 1], [2, 1], [2, 3.25], [0, 3]]}]}]})"));
  ASSERT_TRUE(truth.ok()) << truth.status().message();
  EXPECT_EQ((*truth)[0].file, "a.png");
  EXPECT_EQ((*truth)[0].lines[0].text, "墨");
  EXPECT_EQ((*truth)[0].lines[0].quad[0].x, 0.5);
  EXPECT_EQ((*truth)[0].lines[0].quad[2].y, 3.25);
  EXPECT_TRUE((*truth)[0].lines[0].words.empty());
  EXPECT_FALSE(LoadTruth(folder.Put("other.json", "{\"pages\": []}")).ok());
}

TEST(LoadTruthTest, TakesTheWordsOfLines) {
  const TemporaryFolder folder;
  const std::string start = R"({"images": [{"file": "a.png", "lines": [{"text": "墨", "quad":
      [[0, 1], [2, 1], [2, 3], [0, 3]], "words": )";
  const auto truth = LoadTruth(
      folder.Put("truth.json", start + R"([{"text": "墨", "quad": [[0, 1], [2, 1], [2, 2.5], [0, 3]]}]}]}]})"));
  ASSERT_TRUE(truth.ok()) << truth.status().message();
  ASSERT_EQ((*truth)[0].lines[0].words.size(), 1u);
  EXPECT_EQ((*truth)[0].lines[0].words[0][2].y, 2.5);
  for (const auto& [words, message] : {std::pair{"3", "words: expected an array, got 3"},
                                       {"[4]", "words[0]: expected an object, got 4"},
                                       {"[{}]", "words[0].quad: expected four corners [x, y], got nothing"}}) {
    const auto wrong = LoadTruth(folder.Put("wrong.json", start + words + "}]}]}"));
    EXPECT_NE(wrong.status().message().find(std::string("images[0].lines[0].") + message), std::string::npos)
        << wrong.status().message();
  }
}

}  // namespace
}  // namespace inkread::test
