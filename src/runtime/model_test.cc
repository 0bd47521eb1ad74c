// Models on backends that fail: the next device answers, or the failure is an error, as FallbackChain says.
#include "runtime/model.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "backends/reference/reference_backend.h"
#include "base/log.h"
#include "image/warp.h"
#include "tests/onnx_writer.h"

namespace inkread {
namespace {

enum class Call { kUpload, kUploadImage, kCompile, kRun };

// The reference backend, which fails from the `nth` call of one kind on (from 1).
class FailingBackend : public Backend {
 public:
  FailingBackend(Call call, int nth, StatusCode code)
      : call_(call), nth_(nth), code_(code), real_(MakeReferenceBackend(16)) {}
  const DeviceCaps& Caps() const override { return real_->Caps(); }
  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void> owner) override {
    if (IsDue(Call::kUpload)) return Status(code_, "planted");
    return real_->Upload(weights, std::move(owner));
  }
  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override {
    if (IsDue(Call::kUploadImage)) return Status(code_, "planted");
    return real_->UploadImage(image);
  }
  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    if (IsDue(Call::kCompile)) return Status(code_, "planted");
    return real_->Compile(std::move(schedule), std::move(weights));
  }
  Status Run(std::span<const Job> jobs) override {
    if (IsDue(Call::kRun)) return Status(code_, "planted");
    return real_->Run(jobs);
  }

 private:
  bool IsDue(Call call) { return call == call_ && ++count_ >= nth_; }
  const Call call_;
  const int nth_;
  const StatusCode code_;
  std::atomic<int> count_ = 0;
  std::unique_ptr<Backend> real_;
};

class ModelTest : public ::testing::Test {
 protected:
  ModelTest() {
    path_ = (std::filesystem::temp_directory_path() / StrCat("inkread_model_test_", getpid(), ".onnx")).string();
    WriteModel(SmallConvolution(), path_);
    for (size_t i = 0; i < input_.size(); ++i) input_[i] = 0.01f * static_cast<float>(i);
    SetLogSink([this](const std::string& line) { log_.push_back(line); });
    const auto alone = MakeModel({});
    expected_ = Run(*alone).value();
  }
  ~ModelTest() override {
    SetLogSink(nullptr);
    std::filesystem::remove(path_);
  }

  std::shared_ptr<FallbackChain> MakeChain(std::unique_ptr<Backend> first, bool strict = false) {
    std::vector<FallbackChain::Entry> entries;
    if (first != nullptr) entries.push_back({"gpu", std::move(first)});
    entries.push_back({"cpu", MakeReferenceBackend(16)});
    return chain_ = std::make_shared<FallbackChain>(std::move(entries), strict);
  }
  std::unique_ptr<Model> MakeModel(std::unique_ptr<Backend> first, bool strict = false) {
    auto model = Model::Load(path_, MakeChain(std::move(first), strict));
    EXPECT_TRUE(model.ok()) << model.status().message();
    return model.ok() ? std::move(model).value() : nullptr;
  }
  Result<std::vector<float>> Run(Model& model) {
    std::vector<float> output(5 * 4 * 4);
    const Task task{{1, 5, 4, Head::kNetwork}, input_.data(), output.data()};
    INKREAD_RETURN_IF_ERROR(model.Run({&task, 1}));
    return output;
  }

  // Two images of 5 x 4, each made of a part of one image.
  static std::vector<uint8_t> Pixels() {
    std::vector<uint8_t> pixels(31 * 23 * 3);
    for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * 37 % 251);
    return pixels;
  }
  static ImageRule PartOf(const ImageView& view, float left) {
    ImageRule rule;
    rule.source_width = view.width_px;
    rule.source_height = view.height_px;
    rule.format = view.format;
    const QuadF quad = {PointF{left, 1}, PointF{left + 12, 3}, PointF{left + 11, 13}, PointF{left - 1, 11}};
    rule.crop = {quad, 12, 10};
    rule.height = 5;
    rule.width = 3;
    rule.row_width = 4;
    rule.normalisation = {{0x1p-8f, 0x1p-8f, 0x1p-8f}, {}, {-0.5f, -0.5f, -0.5f}, 2};
    return rule;
  }
  Result<std::vector<float>> RunImages(Model& model) {
    const std::vector<uint8_t> pixels = Pixels();
    const ImageView view{pixels.data(), 31, 23, 31 * 3, PixelFormat::kBgr24};
    SourceImage image(view, chain_);
    const ImageInput parts[] = {{&image, PartOf(view, 15), 60}, {&image, PartOf(view, 4), 0}};
    std::vector<float> output(2 * 5 * 4 * 4);
    const Task task{{2, 5, 4, Head::kNetwork}, parts, output.data()};
    INKREAD_RETURN_IF_ERROR(model.Run({&task, 1}));
    return output;
  }

  std::string path_;
  std::vector<float> input_ = std::vector<float>(5 * 4 * 3 + 16);
  std::vector<float> expected_;
  std::vector<std::string> log_;
  std::shared_ptr<FallbackChain> chain_;
};

constexpr StatusCode kDeviceFaults[] = {StatusCode::kDeviceLost, StatusCode::kOutOfMemory};
constexpr StatusCode kOurFaults[] = {StatusCode::kInternal, StatusCode::kInvalidArgument};

TEST_F(ModelTest, ADeviceThatFailsWhileRunningIsLeftForGoodAndNothingIsLost) {
  for (StatusCode code : kDeviceFaults) {
    for (Call call : {Call::kCompile, Call::kRun}) {
      for (int nth : {1, 2, 3}) {
        log_.clear();
        const auto model = MakeModel(std::make_unique<FailingBackend>(call, nth, code));
        for (int i = 1; i <= 4; ++i) {
          const auto result = Run(*model);
          ASSERT_TRUE(result.ok()) << result.status().message();
          EXPECT_EQ(*result, expected_);
          EXPECT_EQ(chain_->active(), i < nth ? 0 : 1);
        }
        EXPECT_EQ(log_.size(), 1u);
        EXPECT_EQ(chain_->fallback_reason(), "gpu: planted");
      }
    }
  }
}

TEST_F(ModelTest, ImagesGiveWhatTheirFloatsGive) {
  const auto model = MakeModel({});
  const std::vector<uint8_t> pixels = Pixels();
  const ImageView view{pixels.data(), 31, 23, 31 * 3, PixelFormat::kBgr24};
  std::vector<float> floats(2 * 5 * 4 * 3 + 16), output(2 * 5 * 4 * 4);
  for (int image : {0, 1}) {
    const ImageRule rule = PartOf(view, image == 0 ? 4 : 15);
    BgrImage line(12, 10);
    WarpRows(view, TargetToSource(rule.crop->corners, 12, 10), 12, 10, 0, 10, line.pixels.data());
    ResizeNormalise(line.view(), ResizePlan(12, 10, 3, 5), rule.normalisation, 0, 5, 4, &floats[image * 60]);
  }
  const Task task{{2, 5, 4, Head::kNetwork}, floats.data(), output.data()};
  ASSERT_TRUE(model->Run({&task, 1}).ok());
  EXPECT_EQ(RunImages(*model).value(), output);
}

TEST_F(ModelTest, ADeviceThatFailsWithImagesLeavesThemToTheNext) {
  const std::vector<float> expected = RunImages(*MakeModel({})).value();
  for (StatusCode code : kDeviceFaults) {
    for (const auto& [call, nth] : {std::pair{Call::kUploadImage, 1},
                                    {Call::kUploadImage, 2},
                                    {Call::kUpload, 2},
                                    {Call::kCompile, 1},
                                    {Call::kCompile, 3},
                                    {Call::kRun, 1},
                                    {Call::kRun, 2}}) {
      log_.clear();
      const auto model = MakeModel(std::make_unique<FailingBackend>(call, nth, code));
      for (int i = 0; i < 3; ++i) EXPECT_EQ(RunImages(*model).value(), expected);
      EXPECT_EQ(chain_->active(), 1);
      EXPECT_EQ(log_.size(), 1u);
      EXPECT_EQ(chain_->fallback_reason(), "gpu: planted");
    }
  }
}

// Records the schedules that a device which compiles ahead is told of.
class ExpectingBackend : public FailingBackend {
 public:
  explicit ExpectingBackend(bool compiles_ahead, std::vector<Shape>* expected)
      : FailingBackend(Call::kRun, 1000, StatusCode::kDeviceLost), caps_(FailingBackend::Caps()), expected_(expected) {
    caps_.compiles_ahead = compiles_ahead;
  }
  const DeviceCaps& Caps() const override { return caps_; }
  void Expect(const Schedule& schedule) override { expected_->push_back(schedule.input); }

 private:
  DeviceCaps caps_;
  std::vector<Shape>* expected_;
};

TEST_F(ModelTest, ADeviceThatCompilesAheadIsToldOfARunToCome) {
  for (bool compiles_ahead : {true, false}) {
    std::vector<Shape> expected;
    const auto model = MakeModel(std::make_unique<ExpectingBackend>(compiles_ahead, &expected));
    model->Expect({1, 50, 40, Head::kNetwork});
    model->Expect({1, 50, 40, Head::kCtc});  // which this network does not have
    EXPECT_EQ(expected, std::vector<Shape>(compiles_ahead ? 1 : 0, Shape{1, 50, 40, 3}));
    EXPECT_EQ(model->stats().misses, 0u);
    EXPECT_EQ(Run(*model).value(), expected_);
  }
}

TEST_F(ModelTest, ADeviceThatFailsWhileLoadingIsLeftToo) {
  for (StatusCode code : kDeviceFaults) {
    log_.clear();
    const auto model = MakeModel(std::make_unique<FailingBackend>(Call::kUpload, 1, code));
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(chain_->active(), 1);
    EXPECT_EQ(log_.size(), 1u);
    EXPECT_EQ(chain_->fallback_reason(), "gpu: planted");
    EXPECT_EQ(Run(*model).value(), expected_);
  }
}

// Another model of the engine has moved the chain: this one's weights go to the second device on its next run.
TEST_F(ModelTest, AModelFollowsTheEngineToTheOtherDevice) {
  const auto model = MakeModel(std::make_unique<FailingBackend>(Call::kRun, 1000, StatusCode::kDeviceLost));
  ASSERT_TRUE(chain_->FallBack(0, Status(StatusCode::kDeviceLost, "elsewhere")));
  EXPECT_EQ(model->OutputShape({1, 5, 4, Head::kNetwork}).value(), (Shape{1, 5, 4, 4}));
  EXPECT_EQ(Run(*model).value(), expected_);
  EXPECT_EQ(log_.size(), 1u);
}

// One convolution reads its input while it writes; a second one after it does not.
TEST_F(ModelTest, TheOutputMayOverwriteTheInputOnceThatIsRead) {
  const PlanKey shape{1, 5, 4, Head::kNetwork};
  EXPECT_FALSE(MakeModel({})->MayOverwriteInput(shape).value());
  OnnxWriter writer;
  writer.Input({-1, 3, -1, -1}).Output();
  writer.Initializer(OnnxFloats("v", {4, 3, 1, 1}, std::vector<float>(12, 0.25f)));
  writer.Initializer(OnnxFloats("w", {3, 4, 3, 3}, std::vector<float>(108, 0.5f)));
  writer.Node("Conv", {"x", "v"}, {"between"}, {OnnxInts("kernel_shape", {1, 1})});
  writer.Node("Conv", {"between", "w"}, {"y"}, {OnnxInts("kernel_shape", {3, 3}), OnnxInts("pads", {1, 1, 1, 1})});
  WriteModel(writer, path_);
  const auto model = MakeModel({});
  ASSERT_TRUE(model->MayOverwriteInput(shape).value());
  std::vector<float> apart(5 * 4 * 3), together = input_;
  const Task tasks[] = {{shape, input_.data(), apart.data()}, {shape, together.data(), together.data()}};
  for (const Task& task : tasks) ASSERT_TRUE(model->Run({&task, 1}).ok());
  together.resize(apart.size());
  EXPECT_EQ(together, apart);
  // Another device would have to begin anew with the input.
  const auto two = MakeModel(std::make_unique<FailingBackend>(Call::kRun, 1000, StatusCode::kDeviceLost));
  EXPECT_FALSE(two->MayOverwriteInput(shape).value());
}

// The reference backend without a kernel for pool, which counts its runs.
class BackendWithoutPool : public FailingBackend {
 public:
  explicit BackendWithoutPool(int* num_runs)
      : FailingBackend(Call::kRun, 1000, StatusCode::kDeviceLost), caps_(FailingBackend::Caps()), num_runs_(num_runs) {
    caps_.has_step[static_cast<size_t>(StepKind::kPool)] = false;
  }
  const DeviceCaps& Caps() const override { return caps_; }
  Status Run(std::span<const Job> jobs) override {
    ++*num_runs_;
    return FailingBackend::Run(jobs);
  }

 private:
  DeviceCaps caps_;
  int* num_runs_;
};

// A model with an operator that does not exist cannot be loaded. That says nothing about the device.
TEST_F(ModelTest, AModelThatIsNotSupportedLeavesTheDeviceAsItIs) {
  const std::string good = path_, bad = path_ + ".bad";
  OnnxWriter writer;
  writer.Input({-1, 3, -1, -1}).Output().Node("Divination", {"x"}, {"y"});
  WriteModel(writer, bad);
  int num_runs = 0;
  const auto chain = MakeChain(std::make_unique<BackendWithoutPool>(&num_runs));
  const auto loaded = Model::Load(bad, chain);
  std::filesystem::remove(bad);
  EXPECT_EQ(loaded.status().code(), StatusCode::kUnsupported);
  EXPECT_FALSE(chain->has_failed());
  EXPECT_EQ(chain->active(), 0);
  EXPECT_EQ(Run(*Model::Load(good, chain).value()).value(), expected_);
  EXPECT_EQ(num_runs, 1);
  EXPECT_TRUE(log_.empty());
}

// A read that the planner refuses is an error of that read, whichever of the model's functions meets it.
TEST_F(ModelTest, AReadThatIsNotSupportedLeavesTheDeviceAsItIs) {
  const std::string pooled = path_ + ".pooled";
  WriteModel(SmallConvolution("c").Node("MaxPool", {"c"}, {"y"}, {OnnxInts("kernel_shape", {2, 2})}), pooled);
  int num_runs = 0;
  const auto chain = MakeChain(std::make_unique<BackendWithoutPool>(&num_runs));
  const auto unsupported = Model::Load(pooled, chain).value(), good = Model::Load(path_, chain).value();
  std::filesystem::remove(pooled);
  const PlanKey shape{1, 5, 4, Head::kNetwork};
  EXPECT_EQ(Run(*unsupported).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(unsupported->OutputShape(shape).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(unsupported->ScratchBytes(shape).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(unsupported->MayOverwriteInput(shape).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(num_runs, 0);
  EXPECT_FALSE(chain->has_failed());
  EXPECT_EQ(chain->fallback_reason(), "");
  EXPECT_EQ(Run(*good).value(), expected_);
  EXPECT_EQ(num_runs, 1);
  EXPECT_EQ(chain->active(), 0);
  EXPECT_TRUE(log_.empty());
}

// What a backend itself does not support while it compiles is its fault, as is what it has no memory for.
TEST_F(ModelTest, ABackendThatCannotCompileIsLeft) {
  const auto model = MakeModel(std::make_unique<FailingBackend>(Call::kCompile, 1, StatusCode::kUnsupported));
  EXPECT_EQ(Run(*model).value(), expected_);
  EXPECT_TRUE(chain_->has_failed());
  EXPECT_EQ(chain_->active(), 1);
  EXPECT_EQ(log_.size(), 1u);
}

TEST_F(ModelTest, OurOwnFaultsNeverFallBack) {
  for (StatusCode code : kOurFaults) {
    for (Call call : {Call::kCompile, Call::kRun}) {
      const auto model = MakeModel(std::make_unique<FailingBackend>(call, 1, code));
      EXPECT_EQ(Run(*model).status().code(), code);
      EXPECT_EQ(chain_->active(), 0);
    }
    const auto loaded = Model::Load(path_, MakeChain(std::make_unique<FailingBackend>(Call::kUpload, 1, code)));
    EXPECT_EQ(loaded.status().code(), code);
    EXPECT_EQ(chain_->active(), 0);
  }
  EXPECT_TRUE(log_.empty());
}

TEST_F(ModelTest, StrictGivesTheError) {
  for (StatusCode code : kDeviceFaults) {
    for (Call call : {Call::kCompile, Call::kRun}) {
      const auto model = MakeModel(std::make_unique<FailingBackend>(call, 1, code), true);
      const auto result = Run(*model);
      EXPECT_EQ(result.status().code(), code);
      EXPECT_EQ(result.status().message(), "planted");
    }
    const auto loaded = Model::Load(path_, MakeChain(std::make_unique<FailingBackend>(Call::kUpload, 1, code), true));
    EXPECT_EQ(loaded.status().code(), code);
  }
  EXPECT_TRUE(log_.empty());
}

TEST_F(ModelTest, ThreadsThatFailAtOnceAllGetTheirResultsAndLogOneLine) {
  for (StatusCode code : kDeviceFaults) {
    log_.clear();
    const auto model = MakeModel(std::make_unique<FailingBackend>(Call::kRun, 3, code));
    std::vector<std::thread> threads;
    std::atomic<int> good = 0;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          const auto result = Run(*model);
          if (result.ok() && *result == expected_) ++good;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(good, 40);
    EXPECT_EQ(log_.size(), 1u);
  }
}

TEST_F(ModelTest, AMissingFileIsNotFoundOnAnyDevice) {
  const auto model = Model::Load(path_ + ".missing", MakeChain(MakeReferenceBackend(16)));
  EXPECT_EQ(model.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(chain_->active(), 0);
}

TEST_F(ModelTest, StatsCountPlansOfAllDevices) {
  const auto model = MakeModel(std::make_unique<FailingBackend>(Call::kRun, 3, StatusCode::kDeviceLost));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Run(*model).ok());
  // Three on the first device, of which one planned; two on the second, of which one planned.
  EXPECT_EQ(model->stats().misses, 2u);
  EXPECT_EQ(model->stats().hits, 3u);
}

}  // namespace
}  // namespace inkread
