#include "planner/image.h"

#include <bit>

#include "base/round.h"

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

// Where channels B, G and R stand.
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

}  // namespace

Schedule PlanImage(const ImageRule& rule) {
  const Normalisation& n = rule.normalisation;
  INKREAD_CHECK(n.low[0] == n.low[1] && n.low[1] == n.low[2]);
  Schedule schedule;
  schedule.network = "image";
  PixelFormat format = rule.format;
  int height = rule.source_height, width = rule.source_width;
  const Operand image = Bytes(Space::kInput, height, width, static_cast<uint32_t>(BytesPerPixel(format)));
  schedule.input = image.shape;
  schedule.input_element = INKREAD_ELEMENT_U8;
  schedule.weights_bytes = CubicWarpWeights().size_bytes();

  Operand x = image;
  if (rule.crop) {
    ImageWarpParams p{};
    p.ih = static_cast<uint>(height);
    p.iw = static_cast<uint>(width);
    SetPixel(format, false, p);
    height = rule.crop->height;
    width = rule.crop->width;
    p.oh = static_cast<uint>(height);
    p.ow = static_cast<uint>(width);
    for (size_t i = 0; i < rule.crop->target_to_source.size(); ++i) {
      uint words[2];
      SetWords(rule.crop->target_to_source[i], words);
      p.m[2 * i] = words[0];
      p.m[2 * i + 1] = words[1];
    }
    format = PixelFormat::kBgra32;
    Step& warp = schedule.steps.emplace_back();
    warp.params = p;
    warp.reads[0] = x;
    const auto words = static_cast<uint32_t>(schedule.weights_bytes / 4);
    warp.weights[0] = {Space::kWeights, 0, {1, 1, 1, words}, words};
    x = Bytes(Space::kArena, height, width, 4);
    warp.writes[0] = x;
    warp.node = "crop";
    schedule.arena_bytes = RoundUp(x.extent_bytes(), 64);
  }

  ImageResizeParams p{};
  p.ih = static_cast<uint>(height);
  p.iw = static_cast<uint>(width);
  SetPixel(format, rule.is_red_first, p);
  p.quarter_turns = static_cast<uint>(rule.quarter_turns);
  p.oh = static_cast<uint>(rule.height);
  p.ow = static_cast<uint>(rule.width);
  p.y_w = static_cast<uint>(rule.row_width);
  const bool is_turned = rule.quarter_turns % 2 != 0;
  SetWords(1.0 / (static_cast<double>(rule.width) / (is_turned ? height : width)), p.scale_x);
  SetWords(1.0 / (static_cast<double>(rule.height) / (is_turned ? width : height)), p.scale_y);
  for (int c = 0; c < 3; ++c) {
    p.high[c] = n.high[c];
    p.shift[c] = n.shift[c];
  }
  p.low = n.low[0];
  p.gain = n.gain;
  Step& resize = schedule.steps.emplace_back();
  resize.params = p;
  resize.reads[0] = x;
  schedule.output = {1, p.oh, p.y_w, 3};
  resize.writes[0] = {Space::kOutput, 0, schedule.output, 3};
  resize.level = rule.crop ? 1 : 0;
  resize.node = "resize";
  return schedule;
}

}  // namespace inkread
