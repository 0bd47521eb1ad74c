// The steps that read images, on every backend against the reference, to the bit: alone, and as the input of another
// job of the same run.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "backends/reference/reference_backend.h"
#include "image/warp.h"
#include "planner/image_input.h"
#include "tests/conformance/backends.h"

namespace inkread::conformance {
namespace {

struct DrawnImage {
  std::vector<uint8_t> bytes;
  ImageView view;
};

// Noise, with runs of the extreme values, which bicubic weights overshoot.
DrawnImage Draw(int width, int height, PixelFormat format, ptrdiff_t gap) {
  const ptrdiff_t stride = ptrdiff_t{width} * BytesPerPixel(format) + gap;
  DrawnImage drawn;
  drawn.bytes.resize(static_cast<size_t>(stride * height));
  std::mt19937 random(static_cast<uint32_t>(width * 31 + height));
  for (size_t i = 0; i < drawn.bytes.size(); ++i)
    drawn.bytes[i] = i / 64 % 3 == 0 ? static_cast<uint8_t>(random()) : (random() % 2 != 0 ? 255 : 0);
  drawn.view = {drawn.bytes.data(), width, height, stride, format};
  return drawn;
}

struct ImageCase {
  const char* why;
  int source_width, source_height;
  PixelFormat format;
  int crop_width, crop_height;  // 0: the image itself
  float degrees, stretch;       // of the crop; a stretch other than 1 leans its right side
  int quarter_turns;
  int width, height, row_width;
  bool is_red_first = false;
};

constexpr PixelFormat kBgr = PixelFormat::kBgr24, kGrey = PixelFormat::kGray8;
const ImageCase kCases[] = {
    {"smallest", 1, 1, kBgr, 0, 0, 0, 1, 0, 1, 1, 1},
    {"a detector's input", 230, 118, kBgr, 0, 0, 0, 1, 0, 224, 128, 224},
    {"equal sizes copy", 64, 32, PixelFormat::kRgb24, 0, 0, 0, 1, 0, 64, 32, 64},
    {"halves take means", 66, 62, PixelFormat::kBgra32, 0, 0, 0, 1, 0, 33, 31, 40},
    {"half in one axis only", 64, 33, kBgr, 0, 0, 0, 1, 0, 32, 33, 32},
    {"much larger", 7, 5, PixelFormat::kRgba32, 0, 0, 0, 1, 0, 160, 96, 160},
    {"much smaller", 401, 299, kGrey, 0, 0, 0, 1, 0, 32, 32, 32},
    {"a row of one pixel", 300, 1, kBgr, 0, 0, 0, 1, 0, 96, 32, 96},
    {"a level line", 300, 120, kBgr, 180, 30, 0, 1, 0, 288, 48, 320},
    {"a slanting line", 300, 120, PixelFormat::kRgb24, 180, 30, 3.7f, 1, 0, 288, 48, 288},
    {"a line in perspective", 300, 120, PixelFormat::kRgba32, 150, 24, -7, 0.8f, 0, 300, 48, 304},
    {"a grey line, out of the image", 90, 40, kGrey, 120, 30, 11, 1.1f, 0, 192, 48, 192},
    {"a standing line", 120, 300, kBgr, 28, 170, 1, 1, 1, 291, 48, 296},
    {"upside down", 300, 120, PixelFormat::kBgra32, 180, 30, 0.4f, 1, 2, 288, 48, 288},
    {"standing, upside down", 120, 300, kBgr, 28, 170, -2, 1, 3, 291, 48, 296},
    {"a line wider than a block of the original", 1500, 60, kBgr, 1400, 20, 0.2f, 1, 0, 1024, 48, 1024},
    {"a line of one row", 200, 40, kBgr, 150, 1, 0.1f, 1, 0, 200, 48, 200},
    {"red first", 300, 120, kBgr, 170, 30, 2, 1, 0, 160, 80, 160, true},
};

ImageRule RuleOf(const ImageCase& c) {
  ImageRule rule;
  rule.source_width = c.source_width;
  rule.source_height = c.source_height;
  rule.format = c.format;
  if (c.crop_width > 0) {
    const float angle = c.degrees * 3.14159265f / 180, cos = std::cos(angle), sin = std::sin(angle);
    const auto at = [&](float x, float y) {
      return PointF{static_cast<float>(c.source_width) / 2 + x * cos - y * sin,
                    static_cast<float>(c.source_height) / 2 + x * sin + y * cos};
    };
    const float w = static_cast<float>(c.crop_width) / 2, h = static_cast<float>(c.crop_height) / 2;
    const QuadF quad = {at(-w, -h), at(w, -h * c.stretch), at(w, h * c.stretch), at(-w, h)};
    rule.crop = {quad, c.crop_width, c.crop_height};
  }
  rule.quarter_turns = c.quarter_turns;
  rule.width = c.width;
  rule.height = c.height;
  rule.row_width = c.row_width;
  rule.is_red_first = c.is_red_first;
  rule.normalisation = {{0x1.01p-8f, 0x1.01p-8f, 0x1.01p-8f}, {1.5e-5f, 1.5e-5f, 1.5e-5f}, {-0.5f, -0.4f, -0.3f}, 2};
  return rule;
}

// Runs image schedules on one backend.
class Runner {
 public:
  explicit Runner(Backend& backend)
      : backend_(backend), weights_(*backend.Upload(std::as_bytes(CubicWarpWeights()), nullptr)) {}

  std::unique_ptr<const Program> Compile(const ImageRule& rule) const {
    auto schedule = std::make_shared<const Schedule>(PlanImageInput(rule));
    EXPECT_EQ(CheckSchedule(*schedule).message(), "");
    return *backend_.Compile(std::move(schedule), weights_);
  }
  // A schedule that copies its input, `lines` tensors of shape `line`, to its output.
  std::unique_ptr<const Program> CompileCopy(const Shape& line, uint32_t lines) const {
    auto schedule = std::make_shared<Schedule>();
    schedule->network = "copy";
    schedule->input = schedule->output = {lines, line.h, line.w, line.c};
    const auto words = static_cast<uint32_t>(schedule->input.num_pixels() * line.c);
    Step& step = schedule->steps.emplace_back();
    step.params = CopyParams{{1, 1, 1, 1, words}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
    step.reads[0] = {Space::kInput, 0, {1, 1, 1, words}, words};
    step.writes[0] = {Space::kOutput, 0, {1, 1, 1, words}, words};
    return *backend_.Compile(std::move(schedule), weights_);
  }
  std::vector<float> Run(const ImageCase& c, const ImageView& view) const {
    const auto program = Compile(RuleOf(c));
    const auto image = *backend_.UploadImage(view);
    const Shape& shape = program->schedule().output;
    std::vector<float> y(shape.num_pixels() * shape.c, -9);
    const Job job{program.get(), image.get(), y.data()};
    EXPECT_TRUE(backend_.Run({&job, 1}).ok());
    return y;
  }

 private:
  Backend& backend_;
  std::shared_ptr<const DeviceWeights> weights_;
};

bool HasKernels(const Backend& backend) {
  const auto has = [&backend](StepKind kind) { return backend.Caps().has_step[static_cast<size_t>(kind)]; };
  return has(StepKind::kImageResize) && has(StepKind::kImageWarp) && has(StepKind::kCopy);
}

void ExpectSame(const std::vector<float>& expected, const std::vector<float>& actual, const std::string& what) {
  ASSERT_EQ(expected.size(), actual.size());
  size_t wrong = 0, first = 0;
  for (size_t i = expected.size(); i-- > 0;) {
    if (std::memcmp(&expected[i], &actual[i], sizeof(float)) == 0) continue;
    ++wrong;
    first = i;
  }
  EXPECT_EQ(wrong, 0u) << what << ": float " << first << " is " << actual[first] << ", expected " << expected[first];
}

TEST(ImageConformanceTest, BackendsAgreeWithTheReferenceToTheBit) {
  const auto reference = MakeReferenceBackend(16);
  const Runner slow(*reference);
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(2);
    const auto backend = row.make(&pool);
    if (!HasKernels(*backend)) continue;  // conformance_test.cc says so
    const Runner runner(*backend);
    for (const ImageCase& c : kCases) {
      const DrawnImage image = Draw(c.source_width, c.source_height, c.format, 5);
      ExpectSame(slow.Run(c, image.view), runner.Run(c, image.view), row.name + ": " + c.why);
    }
  }
}

// Jobs of one run in no particular order: one whose input is three lines of two images, one whose input is an image, one
// that takes floats.
TEST(ImageConformanceTest, APartOfAnotherJobsInputIsWhatItsJobGivesAlone) {
  const ImageCase& level = kCases[8];
  ImageCase steep = level, other = level;
  steep.degrees = 5;
  other.crop_width = 100;
  const ImageCase& page = kCases[1];
  const DrawnImage first = Draw(level.source_width, level.source_height, level.format, 0),
                   second = Draw(level.source_width, level.source_height, level.format, 7),
                   third = Draw(page.source_width, page.source_height, page.format, 1);
  const auto reference = MakeReferenceBackend(16);
  for (const TestedBackend& row : TestedBackends()) {
    ThreadPool pool(4);
    const auto backend = row.make(&pool);
    if (!HasKernels(*backend)) continue;
    for (Backend* b : {reference.get(), backend.get()}) {
      const Runner runner(*b);
      const auto image1 = *b->UploadImage(first.view), image2 = *b->UploadImage(second.view),
                 image3 = *b->UploadImage(third.view);
      const auto one = runner.Compile(RuleOf(level)), two = runner.Compile(RuleOf(steep)),
                 three = runner.Compile(RuleOf(other)), whole = runner.Compile(RuleOf(page));
      const Shape line = one->schedule().output, map = whole->schedule().output;
      const size_t line_floats = line.num_pixels() * line.c;
      const auto lines = runner.CompileCopy(line, 3), copied_map = runner.CompileCopy(map, 1),
                 plain = runner.CompileCopy({1, 2, 3, 4}, 1);
      std::vector<float> y_lines(3 * line_floats, -9), y_map(map.num_pixels() * map.c, -9), y_plain(24, -9), x(24 + 16);
      for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
      using Parts = std::vector<InputPart>;
      const std::vector<Job> jobs = {
          {one.get(), image1.get()},
          {copied_map.get(), Parts{{6, 0}}, y_map.data()},
          {lines.get(), Parts{{3, 0}, {5, line_floats}, {0, 2 * line_floats}}, y_lines.data()},
          {two.get(), image2.get()},
          {plain.get(), x.data(), y_plain.data()},
          {three.get(), image1.get()},
          {whole.get(), image3.get()}};
      ASSERT_TRUE(b->Run(jobs).ok()) << row.name;
      std::vector<float> expected = runner.Run(steep, second.view);
      for (const auto& [c, view] : {std::pair<const ImageCase*, ImageView>{&other, first.view}, {&level, first.view}}) {
        const std::vector<float> more = runner.Run(*c, view);
        expected.insert(expected.end(), more.begin(), more.end());
      }
      ExpectSame(expected, y_lines, row.name + ": lines");
      ExpectSame(runner.Run(page, third.view), y_map, row.name + ": page");
      x.resize(24);
      ExpectSame(x, y_plain, row.name + ": floats");
    }
  }
}

}  // namespace
}  // namespace inkread::conformance
