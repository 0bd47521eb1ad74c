#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "bench/lab/network.h"
#include "bench/lab/step_cost.h"
#include "schedule/step_facts.h"
#include "tests/onnx_writer.h"

namespace inkread::lab {
namespace {

TEST(LabShapeTest, TakesThreePositiveNumbersAndNothingElse) {
  const Result<PlanKey> shape = ParseShape("2x48x320");
  ASSERT_TRUE(shape.ok());
  EXPECT_EQ(*shape, (PlanKey{2, 48, 320, Head::kNetwork}));
  for (const char* bad : {"", "48x320", "1x48x320x3", "0x48x320", "1x48x320 ", "1x48x-320", "1x48x99999999", "axbxc"}) {
    EXPECT_EQ(ParseShape(bad).status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

class LabNetworkTest : public testing::TestWithParam<const char*> {
 protected:
  NetworkArguments Arguments() const {
    const std::string network = GetParam();
    NetworkArguments arguments;
    arguments.model = INKREAD_SOURCE_DIR "/tests/fuzz/corpus/onnx/" + network + ".onnx";
    arguments.shape = "2x32x64";
    arguments.backend.backend = "reference";
    arguments.backend.num_threads = 1;
    return arguments;
  }
};

TEST_P(LabNetworkTest, TheStepsMacsAddUpToTheSchedules) {
  const Result<OpenedNetwork> opened = OpenNetwork(Arguments());
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  uint64_t macs = 0;
  for (const Step& step : opened->schedule->steps) {
    macs += MultiplyAdds(step);
    EXPECT_GT(StepBytes(step), 0u) << step.node;
  }
  EXPECT_GT(macs, 0u);
  EXPECT_EQ(macs, opened->schedule->macs) << PrintSchedule(*opened->schedule);
}

TEST_P(LabNetworkTest, ReferenceProfilesWhatItRuns) {
  const Result<OpenedNetwork> opened = OpenNetwork(Arguments());
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  const Result<RunBuffers> run = RunBuffers::For(*opened->schedule), profiled = RunBuffers::For(*opened->schedule);
  ASSERT_TRUE(run.ok() && profiled.ok());
  const Job job = run->JobOf(*opened->program);
  ASSERT_TRUE(opened->device.backend->Run({&job, 1}).ok());
  std::vector<double> step_ms(opened->schedule->steps.size(), -1);
  ASSERT_TRUE(opened->device.backend->Profile(profiled->JobOf(*opened->program), step_ms).ok());
  for (double ms : step_ms) EXPECT_GT(ms, 0);
  EXPECT_TRUE(std::equal(run->output(), run->output() + run->num_output_words(), profiled->output()));
}

INSTANTIATE_TEST_SUITE_P(Networks, LabNetworkTest, testing::Values("detector", "classifier"),
                         [](const auto& network) { return std::string(network.param); });

// A recogniser for lines 8 high: one layer, then classes and their probabilities.
std::string SaveRecogniser() {
  const std::string bytes = OnnxWriter()
                                .Input({-1, 3, 8, -1})
                                .Output()
                                .Initializer(OnnxFloats("w", {5, 3, 8, 1}, std::vector<float>(120, 0.1f)))
                                .Initializer(OnnxInt64s("axes", {1}, {2}))
                                .Initializer(OnnxFloats("classes", {5, 9}, std::vector<float>(45, 0.2f)))
                                .Node("Conv", {"x", "w"}, {"c"})
                                .Node("Squeeze", {"c", "axes"}, {"s"})
                                .Node("Transpose", {"s"}, {"t"}, {OnnxInts("perm", {0, 2, 1})})
                                .Node("MatMul", {"t", "classes"}, {"l"})
                                .Node("Softmax", {"l"}, {"y"}, {OnnxInt("axis", 2)})
                                .Bytes();
  const std::string path = testing::TempDir() + "lab_test_recogniser.onnx";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(LabOpenTest, ACtcHeadCountsToo) {
  NetworkArguments arguments;
  arguments.model = SaveRecogniser();
  arguments.shape = "2x8x20";
  arguments.ctc = true;
  const Result<OpenedNetwork> opened = OpenNetwork(arguments);
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  uint64_t macs = 0;
  for (const Step& step : opened->schedule->steps) macs += MultiplyAdds(step);
  EXPECT_EQ(opened->schedule->steps.back().kind(), StepKind::kCtcHead);
  EXPECT_EQ(macs, 2u * 20 * 5 * 3 * 8 + 2 * 20 * 5 * 9);
  EXPECT_EQ(macs, opened->schedule->macs);
}

TEST(LabOpenTest, SaysWhereItLookedForAModel) {
  NetworkArguments arguments;
  arguments.shape = "1x32x64";
  for (const char* model : {"nowhere.onnx", "tiny/nonet", "a/b/c"}) {
    arguments.model = model;
    const Status status = OpenNetwork(arguments).status();
    EXPECT_EQ(status.code(), StatusCode::kNotFound) << model;
    EXPECT_EQ(status.message().find(model), 0u) << status.message();
  }
}

// What a backend answers that implements neither.
class PlainBackend : public Backend {
 public:
  PlainBackend() { caps_.device = "plain"; }
  const DeviceCaps& Caps() const override { return caps_; }
  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte>,
                                                      std::shared_ptr<const void>) override {
    return Internal("not called");
  }
  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView&) override { return Internal("not called"); }
  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule>,
                                                 std::shared_ptr<const DeviceWeights>) override {
    return Internal("not called");
  }
  Status Run(std::span<const Job>) override { return Internal("not called"); }

 private:
  DeviceCaps caps_;
};

TEST(BackendTest, MeasuringIsOptional) {
  PlainBackend backend;
  EXPECT_EQ(backend.Profile({}, {}).code(), StatusCode::kUnsupported);
  EXPECT_TRUE(backend.Probe().empty());
  EXPECT_EQ(ProbedPeak(backend), 0);
  EXPECT_EQ(backend.DeviceMs(), 0);
}

}  // namespace
}  // namespace inkread::lab
