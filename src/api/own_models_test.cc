// Networks of the caller's own in place of a size's: which files are used, and what is said of those that cannot be.
// Needs the tiny models (`inkread models fetch tiny`); skips, saying so, where they are missing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"
#include "tests/onnx_writer.h"

namespace inkread {
namespace {

namespace fs = std::filesystem;

class OwnModelsTest : public testing::Test {
 protected:
  void SetUp() override {
    const Result<std::string> all = ModelFolder();
    const std::string tiny = all.ok() ? ModelSizeFolder(*all, "tiny") : "";
    if (!fs::exists(tiny + "/settings.txt")) GTEST_SKIP() << "no models at " << tiny;
    folder_ = fs::path(testing::TempDir()) / ("inkread_own_models_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    for (const auto& [from, to] :
         {std::pair("det.onnx", "my_det.onnx"), {"rec.onnx", "my_rec.onnx"}, {"dictionary.txt", "my_characters.txt"}})
      fs::copy_file(tiny + "/" + from, folder_ / to, fs::copy_options::overwrite_existing);
    options_.size = ModelSize::kTiny;
    options_.num_threads = 2;
    options_.backend = OcrBackend::kCpu;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::string File(const char* name) const { return folder_ / name; }
  EngineOptions Own() const {
    EngineOptions options = options_;
    options.model_folder = File("no/models/here");
    options.det_file = File("my_det.onnx");
    options.rec_file = File("my_rec.onnx");
    options.dictionary_file = File("my_characters.txt");
    return options;
  }
  static Status StatusOf(const EngineOptions& options) { return Engine::Create(options).status(); }
  static std::string TextOf(const EngineOptions& options) {
    const Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
    if (!engine.ok()) return engine.status().message();
    const Result<MappedFile> file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png");
    const Result<DecodedImage> image = DecodeImage(file->bytes(), {});
    const Result<Reading> reading = (*engine)->Read(image->view());
    if (!reading.ok()) return reading.status().message();
    std::string text;
    for (const Line& line : reading->lines) text += line.text + "\n";
    return text;
  }
  static void ExpectError(const EngineOptions& options, StatusCode code, const std::string& reason) {
    const Status status = StatusOf(options);
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_NE(status.message().find(reason), std::string::npos) << status.message();
  }

  fs::path folder_;
  EngineOptions options_;
};

TEST_F(OwnModelsTest, BothNetworksNeedNoFolderOfModels) {
  const std::string expected = TextOf(options_);
  EXPECT_NE(expected.find("Fountain pen"), std::string::npos) << expected;
  EXPECT_EQ(TextOf(Own()), expected);
}

TEST_F(OwnModelsTest, OneOfThemTakesTheRestFromTheSize) {
  const std::string expected = TextOf(options_);
  EngineOptions options = options_;
  options.det_file = File("my_det.onnx");
  EXPECT_EQ(TextOf(options), expected);
  options = options_;
  options.rec_file = File("my_rec.onnx");
  options.dictionary_file = File("my_characters.txt");
  EXPECT_EQ(TextOf(options), expected);
  options.model_folder = File("no/models/here");
  ExpectError(options, StatusCode::kNotFound,
              "det.onnx: missing; `inkread models fetch tiny --models " + options.model_folder + "` fetches it");
}

TEST_F(OwnModelsTest, WhatCannotBeUsedIsNamed) {
  EngineOptions options = Own();
  options.det_file = File("my_rec.onnx");
  ExpectError(options, StatusCode::kCorruptModel, "my_rec.onnx: not a detector");
  options = Own();
  options.rec_file = File("my_det.onnx");
  ExpectError(options, StatusCode::kCorruptModel, "my_det.onnx: not a recogniser");
  options = Own();
  options.rec_file = File("nothing.onnx");
  ExpectError(options, StatusCode::kNotFound, "nothing.onnx: no such file");
  options = Own();
  options.dictionary_file = File("nothing.txt");
  ExpectError(options, StatusCode::kNotFound, "nothing.txt: no such file");
  options = Own();
  options.dictionary_file.clear();  // the size's is another recogniser's
  ExpectError(options, StatusCode::kNotFound, "my_rec.onnx: carries no dictionary (metadata 'character')");
  options = Own();
  options.rec_file.clear();
  ExpectError(options, StatusCode::kInvalidArgument, "a dictionary belongs to its recogniser");
  std::ofstream(File("my_characters.txt"), std::ios::app) << "one more\n";
  std::ofstream(File("my_characters.txt"), std::ios::app) << "and another\n";
  ExpectError(Own(), StatusCode::kCorruptModel, "my_characters.txt: has 6906 entries, expected 6904");
}

TEST_F(OwnModelsTest, CheckNetworkSaysWhatAFileIs) {
  const auto check = [&](const std::string& file, const std::string& dictionary = "") {
    const Result<NetworkCheck> checked = CheckNetwork(file, dictionary, 1);
    EXPECT_TRUE(checked.ok()) << checked.status().message();
    return checked.ok() ? *checked : NetworkCheck();
  };
  const NetworkCheck det = check(File("my_det.onnx"));
  EXPECT_EQ(det.kind, NetworkKind::kDetector);
  EXPECT_EQ(det.problem, "");
  EXPECT_GT(det.ms, 0);
  const NetworkCheck rec = check(File("my_rec.onnx"), File("my_characters.txt"));
  EXPECT_EQ(rec.kind, NetworkKind::kRecogniser);
  EXPECT_EQ(rec.num_classes, 6906);
  EXPECT_EQ(rec.problem, "");
  EXPECT_NE(check(File("my_rec.onnx")).problem.find("carries no dictionary"), std::string::npos);
  EXPECT_NE(check(File("my_characters.txt")).problem.find("my_characters.txt: "), std::string::npos);
  EXPECT_EQ(CheckNetwork(File("nothing.onnx")).status().code(), StatusCode::kNotFound);
  WriteModel(OnnxWriter().Input({-1, 3, -1, -1}).Output().Node("Relu", {"x"}, {"y"}), File("relu.onnx"));
  const NetworkCheck relu = check(File("relu.onnx"));
  EXPECT_EQ(relu.kind, NetworkKind::kNone);
  EXPECT_NE(relu.problem.find("neither detector, recogniser nor classifier"), std::string::npos) << relu.problem;
}

// Paddle's exports with fixed shapes declare them, and most run at any.
TEST_F(OwnModelsTest, SizesThatAreOnlyDeclaredDoNotMatter) {
  OnnxWriter free_of_sizes;
  free_of_sizes.Input({1, 3, 640, 640}).Output().Initializer(OnnxFloats("w", {1, 3, 1, 1}, {1, 1, 1}));
  free_of_sizes.Node("Conv", {"x", "w"}, {"c"}, {OnnxInts("kernel_shape", {1, 1})}).Node("Sigmoid", {"c"}, {"y"});
  WriteModel(free_of_sizes, File("declared.onnx"));
  EXPECT_EQ(CheckNetwork(File("declared.onnx"), "", 1)->kind, NetworkKind::kDetector);
  OnnxWriter bound;
  bound.Input({1, 3, 640, 640}).Output().Initializer(OnnxInt64s("s", {4}, {1, 1, 640, 1920}));
  bound.Node("Reshape", {"x", "s"}, {"y"});
  WriteModel(bound, File("bound.onnx"));
  const Result<NetworkCheck> check = CheckNetwork(File("bound.onnx"), "", 1);
  EXPECT_EQ(check->kind, NetworkKind::kNone);
  EXPECT_NE(check->problem.find("export it with dynamic shapes"), std::string::npos) << check->problem;
  EngineOptions options = Own();
  options.det_file = File("bound.onnx");
  ExpectError(options, StatusCode::kInvalidArgument, "exported for inputs of [1, 3, 640, 640]");
}

}  // namespace
}  // namespace inkread
