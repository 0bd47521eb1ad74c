#include "planner/image_input.h"

#include <bit>

#include "base/round.h"
#include "image/warp.h"

namespace inkread {
namespace {

void SetWords(double value, uint (&words)[2]) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  words[0] = static_cast<uint>(bits);
  words[1] = static_cast<uint>(bits >> 32);
}

Operand Bytes(Space space, int height, int width, uint32_t pixel_bytes) {
  Operand o{space, 0, {1, static_cast<uint32_t>(height), static_cast<uint32_t>(width), pixel_bytes}, pixel_bytes};
  o.element = INKREAD_ELEMENT_U8;
  return o;
}

// The bytes of channels B, G and R in a pixel; of R, G and B where red is first.
template <typename P>
void SetPixel(PixelFormat format, bool is_red_first, P& p) {
  WithLayout(format, [&](auto layout) {
    using L = decltype(layout);
    p.pixel_bytes = L::bytes;
    p.at[0] = is_red_first ? L::r : L::b;
    p.at[1] = L::g;
    p.at[2] = is_red_first ? L::b : L::r;
  });
}

// Adds the step that cuts the crop out of `image`. Returns what it writes: BGRA pixels in the arena.
Operand AddWarp(const ImageRule& rule, const Operand& image, Schedule& schedule) {
  const CropRule& crop = *rule.crop;
  ImageWarpParams p{};
  p.ih = image.shape.h;
  p.iw = image.shape.w;
  SetPixel(rule.format, false, p);
  p.oh = static_cast<uint>(crop.height);
  p.ow = static_cast<uint>(crop.width);
  const Homography target_to_source = TargetToSource(crop.corners, crop.width, crop.height);
  for (size_t i = 0; i < target_to_source.size(); ++i) {
    uint words[2];
    SetWords(target_to_source[i], words);
    p.m[2 * i] = words[0];
    p.m[2 * i + 1] = words[1];
  }
  Step& step = schedule.steps.emplace_back();
  step.params = p;
  step.reads[0] = image;
  const auto words = static_cast<uint32_t>(schedule.weights_bytes / 4);
  step.weights[0] = {Space::kWeights, 0, {1, 1, 1, words}, words};
  step.writes[0] = Bytes(Space::kArena, crop.height, crop.width, 4);
  step.node = "crop";
  schedule.arena_bytes = RoundUp(step.writes[0].extent_bytes(), 64);
  return step.writes[0];
}

// Adds the step that turns, resizes and normalises x, an image of that format, into the schedule's output.
void AddResize(const ImageRule& rule, const Operand& x, PixelFormat format, Schedule& schedule) {
  const Normalisation& n = rule.normalisation;
  INKREAD_CHECK(n.low[0] == n.low[1] && n.low[1] == n.low[2]);
  ImageResizeParams p{};
  p.ih = x.shape.h;
  p.iw = x.shape.w;
  SetPixel(format, rule.is_red_first, p);
  p.quarter_turns = static_cast<uint>(rule.quarter_turns);
  p.oh = static_cast<uint>(rule.height);
  p.ow = static_cast<uint>(rule.width);
  p.y_w = static_cast<uint>(rule.row_width);
  const bool is_turned = rule.quarter_turns % 2 != 0;
  SetWords(1.0 / (static_cast<double>(rule.width) / (is_turned ? x.shape.h : x.shape.w)), p.scale_x);
  SetWords(1.0 / (static_cast<double>(rule.height) / (is_turned ? x.shape.w : x.shape.h)), p.scale_y);
  for (int c = 0; c < 3; ++c) {
    p.high[c] = n.high[c];
    p.shift[c] = n.shift[c];
  }
  p.low = n.low[0];
  p.gain = n.gain;
  schedule.output = {1, p.oh, p.y_w, 3};
  Step& step = schedule.steps.emplace_back();
  step.level = static_cast<uint32_t>(schedule.steps.size()) - 1;
  step.params = p;
  step.reads[0] = x;
  step.writes[0] = {Space::kOutput, 0, schedule.output, 3};
  step.node = "resize";
}

}  // namespace

Schedule PlanImageInput(const ImageRule& rule) {
  Schedule schedule;
  schedule.network = "image";
  schedule.weights_bytes = CubicWarpWeights().size_bytes();
  const Operand image =
      Bytes(Space::kInput, rule.source_height, rule.source_width, static_cast<uint32_t>(BytesPerPixel(rule.format)));
  schedule.input = image.shape;
  schedule.input_element = INKREAD_ELEMENT_U8;
  if (rule.crop) {
    AddResize(rule, AddWarp(rule, image, schedule), PixelFormat::kBgra32, schedule);
  } else {
    AddResize(rule, image, rule.format, schedule);
  }
  return schedule;
}

}  // namespace inkread
