// The published networks on Metal against the reference backend, which runs the same schedules, on a piece of an
// image: as a whole, and every step by itself. Skipped where the models are not on this machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "backends/metal/metal_backend.h"
#include "backends/reference/reference_backend.h"
#include "base/f16.h"
#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "base/round.h"
#include "graph/import.h"
#include "inkread/codec.h"
#include "planner/plan.h"
#include "tests/tolerance.h"

namespace inkread {
namespace {

constexpr double kUlp = 1.0 / 1024;          // of f16, as a share of the value
constexpr double kF32Tolerance = 1e-4;       // of a probability, behind a hundred layers in f32
constexpr double kCtcTolerance = 16 * kUlp;  // of the best class's, in f16

struct OneJob {
  std::shared_ptr<const Schedule> schedule;
  std::vector<float> input;
};

// An image and where in it a line of text begins that is 48 px high.
class Image {
 public:
  // A photograph where there is one, else a sample, which the project has drawn.
  static Image Load() {
    const std::string photograph = INKREAD_SHARED_DIR "/data/images/bank.jpg";
    if (std::filesystem::exists(photograph)) return Image(photograph, 151, 62);
    return Image(INKREAD_SOURCE_DIR "/samples/receipt.png", 230, 107);
  }
  // A network's input of this shape: n pieces side by side, the line `above` px below their upper edge.
  std::vector<float> Piece(const Shape& shape, uint32_t above) const {
    std::vector<float> piece;
    for (uint32_t i = 0; i < shape.num_pixels() * shape.c; ++i) {
      const uint32_t c = i % shape.c, x = i / shape.c % shape.w, y = i / shape.c / shape.w % shape.h;
      const uint32_t n = i / shape.c / shape.w / shape.h;
      const ptrdiff_t at = (line_y_ + y - above) * image_.stride_bytes + (line_x_ + x + n * shape.w) * 3 + c;
      piece.push_back(static_cast<float>(image_.pixels[static_cast<size_t>(at)]) / 127.5f - 1);
    }
    return piece;
  }

 private:
  Image(const std::string& file, uint32_t line_x, uint32_t line_y) : line_x_(line_x), line_y_(line_y) {
    const MappedFile mapped = MappedFile::Open(file).value();
    image_ = DecodeImage(mapped.bytes(), {}).value();
    EXPECT_EQ(image_.format, PixelFormat::kBgr24);
  }

  uint32_t line_x_, line_y_;
  DecodedImage image_;
};

// A network packed for Metal, on Metal and on the reference backend.
class PlannedNetwork {
 public:
  // file  "tiny/det.onnx"
  static Result<PlannedNetwork> Load(const std::string& file, bool fast) {
    INKREAD_ASSIGN_OR_RETURN(const std::string all, ModelFolder());
    const std::string path = all + "/" + file;
    INKREAD_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path));
    INKREAD_ASSIGN_OR_RETURN(Graph graph, ImportOnnx(std::make_shared<const MappedFile>(std::move(mapped)), path));
    PlannedNetwork made;
    MetalOptions options;
    options.fast = fast;
    INKREAD_ASSIGN_OR_RETURN(made.metal_, MakeMetalBackend(options));
    made.reference_ = MakeReferenceBackend(made.metal_->Caps().conv_panel);
    INKREAD_ASSIGN_OR_RETURN(made.network_, PrepareNetwork(std::move(graph), made.metal_->Caps()));
    return made;
  }

  // For the piece of the image that begins with the line, or `above` px higher.
  OneJob JobFor(const Dims& dims, Head head, uint32_t above = 0) const {
    OneJob job{std::make_shared<const Schedule>(Plan(*network_, dims, head).value()), {}};
    job.input = image_.Piece(job.schedule->input, above);
    return job;
  }

  // The outputs of jobs that run together.
  std::vector<std::vector<float>> OnMetal(const std::vector<OneJob>& jobs) const { return RunOn(*metal_, jobs); }
  std::vector<std::vector<float>> OnReference(const std::vector<OneJob>& jobs) const {
    return RunOn(*reference_, jobs);
  }

 private:
  std::vector<std::vector<float>> RunOn(Backend& backend, const std::vector<OneJob>& jobs) const {
    const auto weights = backend.Upload({network_->weights.data(), network_->weights_bytes}, network_).value();
    std::vector<std::unique_ptr<const Program>> programs;
    std::vector<std::vector<float>> inputs, outputs;
    for (const OneJob& job : jobs) {
      programs.push_back(backend.Compile(job.schedule, weights).value());
      inputs.push_back(job.input);
      inputs.back().resize(job.input.size() + 16);  // what may be read behind it
      outputs.emplace_back(job.schedule->output.num_pixels() * job.schedule->output.c);
    }
    std::vector<Job> all;
    for (size_t i = 0; i < jobs.size(); ++i) all.push_back({programs[i].get(), inputs[i].data(), outputs[i].data()});
    const Status status = backend.Run(all);
    EXPECT_TRUE(status.ok()) << status.message();
    return outputs;
  }

  std::unique_ptr<Backend> metal_, reference_;
  std::shared_ptr<const Network> network_;
  Image image_ = Image::Load();
};

double LargestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

// A size of the models: "tiny".
class NetworksTest : public testing::TestWithParam<const char*> {
 protected:
  // Rounding in f32 adds up to little. That of f16 is the schedule's own: Metal's results lie as far from f32 as the
  // reference's do, give or take a factor (two largest errors of hundreds of like size), or by less than a rounding
  // where all probabilities are near 0 or 1.
  void ExpectAgreement(const std::string& file, const Dims& dims, uint32_t above) {
    std::vector<float> in_f32;
    for (bool fast : {false, true}) {
      const auto network = PlannedNetwork::Load(GetParam() + ("/" + file), fast);
      if (!network.ok()) GTEST_SKIP() << network.status().message();
      const std::vector<OneJob> jobs = {network->JobFor(dims, Head::kNetwork, above)};
      const auto expected = network->OnReference(jobs)[0], actual = network->OnMetal(jobs)[0];
      if (!fast) in_f32 = expected;
      const double difference = LargestDifference(actual, in_f32), references = LargestDifference(expected, in_f32);
      const double largest = *std::max_element(in_f32.begin(), in_f32.end());
      std::printf("%s: largest probability %.2g, largest difference %.2g, the reference's %.2g\n", fast ? "f16" : "f32",
                  largest, difference, references);
      EXPECT_LE(difference, fast ? std::max(4 * references, kUlp * largest) : kF32Tolerance);
    }
  }
};

TEST_P(NetworksTest, TheDetectorAgrees) { ExpectAgreement("det.onnx", {1, 3, 64, 128}, 8); }
TEST_P(NetworksTest, TheRecogniserAgrees) { ExpectAgreement("rec.onnx", {1, 3, 48, 64}, 0); }

// medium_test.py runs those of medium with its stand-in.
INSTANTIATE_TEST_SUITE_P(Sizes, NetworksTest, testing::Values("tiny", "small", "medium"),
                         [](const auto& test) { return std::string(test.param); });

// Networks that were trained: random weights have no best class.
class TrainedNetworksTest : public testing::TestWithParam<const char*> {};

// Lines of several widths in one run.
TEST_P(TrainedNetworksTest, TheRecognisersClassesAgree) {
  for (bool fast : {false, true}) {
    const auto network = PlannedNetwork::Load(GetParam() + std::string("/rec.onnx"), fast);
    if (!network.ok()) GTEST_SKIP() << network.status().message();
    const std::vector<OneJob> jobs = {network->JobFor({2, 3, 48, 96}, Head::kCtc),
                                      network->JobFor({1, 3, 48, 64}, Head::kCtc)};
    const auto expected = network->OnReference(jobs), actual = network->OnMetal(jobs);
    double worst = 0;
    size_t num_letters = 0;
    for (size_t job = 0; job < jobs.size(); ++job) {
      for (size_t i = 0; i < expected[job].size(); i += 3) {
        uint32_t a, b;
        std::memcpy(&a, &expected[job][i], 4);
        std::memcpy(&b, &actual[job][i], 4);
        const float probability = expected[job][i + 1];
        // In f16 two classes may be equally probable.
        if (!fast || probability > 0.5f + static_cast<float>(kCtcTolerance)) {
          EXPECT_EQ(a, b) << "job " << job << " step " << i / 3;
        }
        if (a != 0) ++num_letters;
        worst = std::max<double>(worst, std::fabs(probability - actual[job][i + 1]));
        if (a == b) worst = std::max<double>(worst, std::fabs(expected[job][i + 2] - actual[job][i + 2]));
      }
    }
    EXPECT_GT(num_letters, 3u);
    std::printf("%s: %zu steps with letters, largest difference of a probability %.2g\n", fast ? "f16" : "f32",
                num_letters, worst);
    EXPECT_LE(worst, fast ? kCtcTolerance : kF32Tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, TrainedNetworksTest, testing::Values("tiny", "small"),
                         [](const auto& test) { return std::string(test.param); });

// A step alone between the same memory before and after it: the arena, then the network's input, then its output.
class StepAlone {
 public:
  StepAlone(const Schedule& schedule, size_t index) {
    const uint64_t arena = DivideUp(schedule.arena_bytes, 4), input = schedule.input.num_pixels() * schedule.input.c,
                   output = schedule.output.num_pixels() * schedule.output.c;
    num_words_ = arena + input + output;
    const auto into_arena = [&](Operand& o) {
      if (o.space == Space::kInput) o.offset_bytes += arena * 4;
      if (o.space == Space::kOutput) o.offset_bytes += (arena + input) * 4;
      if (o.present() && o.space != Space::kWeights) o.space = Space::kArena;
    };
    step_ = schedule.steps[index];
    for (Operand& o : step_.reads) into_arena(o);
    for (Operand& o : step_.writes) into_arena(o);
    step_.level = 1;
    schedule_.network = schedule.network;
    schedule_.input = schedule_.output = {1, 1, 1, static_cast<uint32_t>(num_words_)};
    schedule_.arena_bytes = num_words_ * 4;
    schedule_.weights_bytes = schedule.weights_bytes;
    schedule_.steps = {WholeCopy(Space::kInput, Space::kArena, 0), step_, WholeCopy(Space::kArena, Space::kOutput, 2)};
  }
  uint64_t num_words() const { return num_words_; }
  const Step& step() const { return step_; }
  OneJob JobFor(const std::vector<float>& memory) const {
    return {std::make_shared<const Schedule>(schedule_), memory};
  }

 private:
  Step WholeCopy(Space from, Space to, uint32_t level) const {
    const auto count = static_cast<uint32_t>(num_words_);
    Step copy;
    copy.params = CopyParams{{1, 1, 1, 1, count}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
    copy.reads[0] = {from, 0, {1, 1, 1, count}, count};
    copy.writes[0] = {to, 0, {1, 1, 1, count}, count};
    copy.level = level;
    return copy;
  }

  uint64_t num_words_ = 0;
  Step step_;
  Schedule schedule_;
};

// The elements of an operand, pixel by pixel.
std::vector<double> ElementsOf(const std::vector<float>& memory, const Operand& operand) {
  std::vector<double> elements;
  const char* const start = reinterpret_cast<const char*>(memory.data()) + operand.offset_bytes;
  for (uint64_t pixel = 0; pixel < operand.shape.num_pixels(); ++pixel) {
    for (uint32_t c = 0; c < operand.shape.c; ++c) {
      const char* const at = start + (pixel * operand.ld + c) * ElementBytes(operand.element);
      if (operand.element == INKREAD_ELEMENT_F16) {
        uint16_t value;
        std::memcpy(&value, at, 2);
        elements.push_back(FromF16(value));
      } else {
        float value;
        std::memcpy(&value, at, 4);
        elements.push_back(value);
      }
    }
  }
  return elements;
}

uint64_t TermsOf(const StepParams& params) {
  return std::visit(
      [](const auto& p) -> uint64_t {
        if constexpr (requires { p.kh* p.kw* p.ic; }) return uint64_t{p.kh} * p.kw * p.ic;
        if constexpr (requires { p.c + p.mid; }) return uint64_t{p.c} + p.mid;
        if constexpr (requires { p.kh* p.kw; }) return uint64_t{p.kh} * p.kw;
        if constexpr (requires { p.h* p.w; }) return uint64_t{p.h} * p.w;
        return 1;
      },
      params);
}

// Each step reads the reference's values, so that differences do not add up.
TEST(StepsTest, EveryStepOfTheDetectorAgrees) {
  for (bool fast : {false, true}) {
    const auto network = PlannedNetwork::Load("tiny/det.onnx", fast);
    if (!network.ok()) GTEST_SKIP() << network.status().message();
    const OneJob whole = network->JobFor({1, 3, 64, 96}, Head::kNetwork);
    const Schedule& schedule = *whole.schedule;
    std::vector<float> memory(StepAlone(schedule, 0).num_words());
    std::copy(whole.input.begin(), whole.input.end(), memory.begin() + DivideUp(schedule.arena_bytes, 4));
    double worst = 0;
    for (size_t i = 0; i < schedule.steps.size(); ++i) {
      const StepAlone alone(schedule, i);
      const OneJob job = alone.JobFor(memory);
      const std::vector<float> expected = network->OnReference({job})[0], actual = network->OnMetal({job})[0];
      for (const Operand& y : alone.step().writes) {
        if (!y.present()) continue;
        const std::vector<double> wanted = ElementsOf(expected, y), got = ElementsOf(actual, y);
        double largest = 0;
        for (double v : wanted) largest = std::fmax(largest, std::fabs(v));
        // Sums that may differ in their last bits, one rounding each to what is stored.
        const double sums = RoundingTolerance(TermsOf(alone.step().params), std::max(1.0, largest));
        const double ulp = y.element == INKREAD_ELEMENT_F16 ? kUlp : 0;
        for (size_t k = 0; k < wanted.size(); ++k) {
          const double tolerance = sums + kActivationTolerance + ulp * std::fabs(wanted[k]);
          const double difference = std::fabs(wanted[k] - got[k]);
          // A copy leaves the elements between those that it moves as they were.
          if (std::isnan(wanted[k]) && std::isnan(got[k]) && alone.step().kind() == StepKind::kCopy) continue;
          ASSERT_TRUE(difference <= tolerance)
              << "step " << i << " " << StepKindName(alone.step().kind()) << " " << alone.step().node << " element "
              << k << ": " << got[k] << ", expected " << wanted[k];
          worst = std::max(worst, difference / tolerance);
        }
      }
      memory = expected;
    }
    std::printf("%s: %zu steps, largest share of the tolerance %.3f\n", fast ? "f16" : "f32", schedule.steps.size(),
                worst);
  }
}

}  // namespace
}  // namespace inkread
