// Size rule and normalisation of the detector's input.
#include "ocr/det_input.h"

#include <algorithm>
#include <cmath>

namespace inkread {
namespace {

constexpr int kMultiple = 32;  // the detector halves its input five times

bool IsTiny(int height, int width) { return int64_t{height} + width < 64; }

int Snapped(int side) { return std::max(kMultiple, static_cast<int>(std::lrint(side / 32.0)) * kMultiple); }

// The source on a black canvas of at least 32 x 32 px, at the top left, when it is tiny.
BgrImage TinyCanvas(const ImageView& source) {
  if (!IsTiny(source.height_px, source.width_px)) return BgrImage();
  BgrImage canvas(std::max(source.width_px, kMultiple), std::max(source.height_px, kMultiple));
  CopyBgr(source, 0, 0, source.width_px, source.height_px, canvas.pixels.data(),
          static_cast<ptrdiff_t>(canvas.width_px) * 3);
  return canvas;
}

}  // namespace

Size DetInputSize(int height, int width, const DetParams& params) {
  INKREAD_CHECK(height >= 1 && width >= 1);
  if (IsTiny(height, width)) {
    height = std::max(height, kMultiple);
    width = std::max(width, kMultiple);
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

DetSource::DetSource(const ImageView& source, const DetParams& params)
    : canvas_(TinyCanvas(source)),
      view_(canvas_.pixels.empty() ? source : canvas_.view()),
      size_(DetInputSize(source.height_px, source.width_px, params)) {}

ImageRule DetSource::rule() const {
  ImageRule rule;
  rule.source_width = view_.width_px;
  rule.source_height = view_.height_px;
  rule.format = view_.format;
  rule.height = size_.height;
  rule.width = rule.row_width = size_.width;
  rule.normalisation = ImageNetNormalisation();
  return rule;
}

DetInput::DetInput(const ImageView& source, const DetParams& params)
    : source_(source, params),
      plan_(source_.view().width_px, source_.view().height_px, source_.size().width, source_.size().height) {}

void DetInput::FillRows(int row_begin, int row_end, float* out) const {
  ResizeNormalise(source_.view(), plan_, ImageNetNormalisation(), row_begin, row_end, plan_.width(), out);
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
