// Inputs made of an image on the host, with and without crops cut out before, and the decision who makes them.
#include "runtime/source_image.h"

#include <gtest/gtest.h>

#include <thread>

#include "backends/reference/reference_backend.h"
#include "runtime/task.h"

namespace inkread {
namespace {

// The reference backend with a limit on the images that it reads.
class ImageBackend : public Backend {
 public:
  explicit ImageBackend(uint64_t max_image_bytes) : real_(MakeReferenceBackend(16)), caps_(real_->Caps()) {
    caps_.max_image_bytes = max_image_bytes;
  }
  const DeviceCaps& Caps() const override { return caps_; }
  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void> owner) override {
    return real_->Upload(weights, std::move(owner));
  }
  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    return real_->Compile(std::move(schedule), std::move(weights));
  }
  Status Run(std::span<const Job> jobs) override { return real_->Run(jobs); }

 private:
  std::unique_ptr<Backend> real_;
  DeviceCaps caps_;
};

std::shared_ptr<FallbackChain> ChainOf(uint64_t max_image_bytes) {
  std::vector<FallbackChain::Entry> entries;
  entries.push_back({"test", std::make_unique<ImageBackend>(max_image_bytes)});
  return std::make_shared<FallbackChain>(std::move(entries), true);
}

constexpr int kWidth = 90, kHeight = 70;

BgrImage Drawn() {
  BgrImage image(kWidth, kHeight);
  uint32_t state = 1;
  for (uint8_t& byte : image.pixels) byte = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return image;
}

ImageRule RuleOf(int quarter_turns, float left) {
  ImageRule rule;
  rule.source_width = kWidth;
  rule.source_height = kHeight;
  rule.crop = {{PointF{left, 3}, PointF{left + 40, 5}, PointF{left + 39, 21}, PointF{left - 1, 19}}, 40, 16};
  rule.quarter_turns = quarter_turns;
  rule.height = 24;
  rule.width = 50;
  rule.row_width = 56;
  rule.normalisation = {{0x1p-8f, 0x1p-8f, 0x1p-8f}, {}, {-0.5f, -0.5f, -0.5f}, 2};
  return rule;
}

std::vector<float> Filled(const SourceImage& image, const ImageRule& rule, ThreadPool& pool) {
  std::vector<float> out(size_t{3} * rule.height * rule.row_width, 9.0f);
  image.Fill(rule, pool, out.data());
  return out;
}

TEST(SourceImageTest, TheHostMakesInputsOfImagesThatAreTooLargeForTheDevice) {
  const BgrImage image = Drawn();
  EXPECT_TRUE(SourceImage(image.view(), ChainOf(kWidth * kHeight * 3 - 1)).is_made_on_host());
  EXPECT_FALSE(SourceImage(image.view(), ChainOf(kWidth * kHeight * 3)).is_made_on_host());
}

TEST(SourceImageTest, ACropCutOutBeforeGivesTheSameBits) {
  ThreadPool pool(2);
  const BgrImage image = Drawn();
  const SourceImage plain(image.view(), ChainOf(0));
  SourceImage prepared(image.view(), ChainOf(0));
  const ImageRule level = RuleOf(0, 10), standing = RuleOf(1, 30);
  const ImageRule rules[] = {level, standing, level};  // twice the same quad
  prepared.CutOutCrops(rules, pool);
  for (const ImageRule& first : rules) {
    ImageRule rule = first;
    for (rule.quarter_turns = 0; rule.quarter_turns < 4; ++rule.quarter_turns)
      EXPECT_EQ(Filled(prepared, rule, pool), Filled(plain, rule, pool)) << rule.quarter_turns;
  }
}

TEST(SourceImageTest, AWholeImageIsResizedByRows) {
  ThreadPool pool(3);
  const BgrImage image = Drawn();
  const SourceImage source(image.view(), ChainOf(0));
  ImageRule rule = RuleOf(0, 0);
  rule.crop.reset();
  rule.height = 97;  // not a multiple of what a thread takes
  std::vector<float> expected(size_t{3} * rule.height * rule.row_width, 9.0f);
  InputRows(image.view(), rule).FillAll(expected.data());
  EXPECT_EQ(Filled(source, rule, pool), expected);
}

TEST(MakeInputsTest, ReplacesTheImagesThatTheHostReadsAndNoOthers) {
  ThreadPool pool(2);
  const BgrImage image = Drawn();
  SourceImage on_host(image.view(), ChainOf(0)), on_device(image.view(), ChainOf(UINT64_MAX));
  const ImageRule one = RuleOf(0, 10), two = RuleOf(2, 30);
  const size_t floats = size_t{3} * one.height * one.row_width;
  const ImageInput host_parts[] = {{&on_host, one, floats}, {&on_host, two, 0}}, device_part[] = {{&on_device, one, 0}};
  const float values[1] = {};
  Task tasks[] = {
      {{1, 24, 56}, device_part}, {{2, 24, 56}, host_parts}, {{1, 1, 1}, values}, {{1, 24, 56}, host_parts}};
  AlignedBuffer buffer;
  ASSERT_TRUE(MakeInputs(tasks, pool, buffer).ok());
  EXPECT_EQ(std::get<std::span<const ImageInput>>(tasks[0].input).data(), device_part);
  EXPECT_EQ(std::get<const float*>(tasks[2].input), values);
  std::vector<float> expected = Filled(on_host, two, pool);
  const std::vector<float> more = Filled(on_host, one, pool);
  expected.insert(expected.end(), more.begin(), more.end());
  for (int task : {1, 3}) {
    const float* const made = std::get<const float*>(tasks[task].input);
    EXPECT_EQ(std::vector<float>(made, made + 2 * floats), expected);
  }
}

}  // namespace
}  // namespace inkread
