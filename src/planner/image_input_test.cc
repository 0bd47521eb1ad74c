#include "planner/image_input.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "image/warp.h"

namespace inkread {
namespace {

BgrImage Drawn(int width, int height) {
  BgrImage image(width, height);
  uint32_t state = 1;
  for (uint8_t& byte : image.pixels) byte = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return image;
}

const Normalisation kNormalisation = {{0x1.01p-8f, 0x1.02p-8f, 0x1.03p-8f}, {1e-6f, 1e-6f, 1e-6f}, {-1, -2, -3}, 2};
const QuadF kQuad = {PointF{3.5f, 2}, PointF{33, 6.25f}, PointF{31, 20}, PointF{1.5f, 16}};

ImageRule CropOf(const ImageView& source) {
  ImageRule rule;
  rule.source_width = source.width_px;
  rule.source_height = source.height_px;
  rule.format = source.format;
  rule.crop = {kQuad, 29, 14};
  rule.height = 8;
  rule.width = 17;
  rule.row_width = 20;
  rule.normalisation = kNormalisation;
  return rule;
}

std::vector<float> OnReference(const ImageView& source, const ImageRule& rule) {
  auto backend = MakeReferenceBackend(16);
  auto schedule = std::make_shared<const Schedule>(PlanImageInput(rule));
  EXPECT_EQ(CheckSchedule(*schedule).message(), "");
  auto weights = *backend->Upload(std::as_bytes(CubicWarpWeights()), nullptr);
  auto program = *backend->Compile(schedule, weights);
  auto image = *backend->UploadImage(source);
  std::vector<float> y(schedule->output.num_pixels() * schedule->output.c, -9);
  const Job job{program.get(), image.get(), y.data()};
  EXPECT_TRUE(backend->Run({&job, 1}).ok());
  return y;
}

std::vector<float> OnHost(const ImageView& line, const ImageRule& rule) {
  std::vector<float> y(size_t{3} * rule.height * rule.row_width);
  const ResizePlan plan(line.width_px, line.height_px, rule.width, rule.height);
  ResizeNormalise(line, plan, rule.normalisation, 0, rule.height, rule.row_width, y.data());
  return y;
}

TEST(PlanImageInputTest, GivesWhatTheHostMakes) {
  const BgrImage source = Drawn(37, 23);
  ImageRule rule = CropOf(source.view());
  BgrImage line = WarpQuad(source.view(), kQuad, 29, 14);
  for (rule.quarter_turns = 0; rule.quarter_turns < 4; ++rule.quarter_turns) {
    EXPECT_EQ(OnReference(source.view(), rule), OnHost(line.view(), rule)) << rule.quarter_turns;
    line = RotatedCounterClockwise(line);
  }
  rule.quarter_turns = 0;
  rule.crop.reset();
  EXPECT_EQ(OnReference(source.view(), rule), OnHost(source.view(), rule));
}

TEST(PlanImageInputTest, ReadsAnyLayoutAndStride) {
  const std::vector<uint8_t> bytes = Drawn(50, 40).pixels;
  for (PixelFormat format :
       {PixelFormat::kBgr24, PixelFormat::kRgb24, PixelFormat::kBgra32, PixelFormat::kRgba32, PixelFormat::kGray8}) {
    const ImageView bottom_up{bytes.data() + 22 * 150, 37, 23, -150, format};
    const ImageRule rule = CropOf(bottom_up);
    EXPECT_EQ(OnReference(bottom_up, rule), OnHost(WarpQuad(bottom_up, kQuad, 29, 14).view(), rule));
  }
}

TEST(PlanImageInputTest, ChannelsCanBeTheOtherWayRound) {
  const BgrImage source = Drawn(37, 23);
  ImageRule rule = CropOf(source.view());
  rule.is_red_first = true;
  for (const bool has_crop : {true, false}) {
    const BgrImage line = has_crop ? WarpQuad(source.view(), kQuad, 29, 14) : source;
    if (!has_crop) rule.crop.reset();
    ImageView swapped = line.view();
    swapped.format = PixelFormat::kRgb24;
    EXPECT_EQ(OnReference(source.view(), rule), OnHost(swapped, rule));
  }
}

TEST(PlanImageInputTest, PrintsAsOtherSchedulesDo) {
  const BgrImage source = Drawn(37, 23);
  EXPECT_EQ(PrintSchedule(PlanImageInput(CropOf(source.view()))),
            "image [1,23,37,3] -> [1,8,20,3] arena=1664 weights=32768 macs=0\n"
            "0 @0 image_warp x=input+0 [1,23,37,3] u8 w=w+0 [1,1,1,8192] y=arena+0 [1,14,29,4] u8\n"
            "1 @1 image_resize 17x8 x=arena+0 [1,14,29,4] u8 y=output+0 [1,8,20,3]\n");
}

}  // namespace
}  // namespace inkread
