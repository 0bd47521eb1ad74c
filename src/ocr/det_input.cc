// Size rule and normalisation of the detector's input.
#include "ocr/det_input.h"

#include <algorithm>
#include <cmath>

namespace inkread {
namespace {

bool IsTiny(int height, int width) { return int64_t{height} + width < 64; }

int Snapped(int side) { return std::max(kDetMultiple, static_cast<int>(std::lrint(side / 32.0)) * kDetMultiple); }

}  // namespace

Size DetInputSize(int height, int width, const DetParams& params) {
  INKREAD_CHECK(height >= 1 && width >= 1);
  if (IsTiny(height, width)) {
    height = std::max(height, kDetMultiple);
    width = std::max(width, kDetMultiple);
  }
  const int shorter = std::min(height, width), longer = std::max(height, width);
  double ratio = 1;
  if (params.limit_type == LimitType::kMin && shorter < params.limit_side) {
    ratio = static_cast<double>(params.limit_side) / shorter;
  } else if (params.limit_type == LimitType::kMax && longer > params.limit_side) {
    ratio = static_cast<double>(params.limit_side) / longer;
  }
  double h = std::trunc(height * ratio), w = std::trunc(width * ratio);  // in double: 1 px by 2^31 px must not overflow
  if (std::max(h, w) > params.max_side_limit) {
    ratio = params.max_side_limit / std::max(h, w);
    h = std::trunc(h * ratio);
    w = std::trunc(w * ratio);
  }
  return {Snapped(static_cast<int>(h)), Snapped(static_cast<int>(w))};
}

bool NeedsCanvas(const ImageView& source) { return IsTiny(source.height_px, source.width_px); }

BgrImage OnCanvas(const ImageView& source) {
  BgrImage canvas(std::max(source.width_px, kDetMultiple), std::max(source.height_px, kDetMultiple));
  CopyBgr(source, 0, 0, source.width_px, source.height_px, canvas.pixels.data(),
          static_cast<ptrdiff_t>(canvas.width_px) * 3);
  return canvas;
}

ImageRule DetInputRule(const ImageView& source, const Size& size) {
  ImageRule rule;
  rule.source_width = source.width_px;
  rule.source_height = source.height_px;
  rule.format = source.format;
  rule.height = size.height;
  rule.width = rule.row_width = size.width;
  rule.normalisation = ImageNetNormalisation();
  return rule;
}

const Normalisation& ImageNetNormalisation() {
  static const Normalisation normalisation = [] {
    constexpr double kMean[3] = {0.485, 0.456, 0.406}, kDeviation[3] = {0.229, 0.224, 0.225};
    Normalisation n = {{}, {}, {}, 1};
    for (int c = 0; c < 3; ++c) {
      n.high[c] = static_cast<float>(1.0 / 255.0 / kDeviation[c]);
      n.shift[c] = static_cast<float>(-kMean[c] / kDeviation[c]);
    }
    return n;
  }();
  return normalisation;
}

}  // namespace inkread
