// Width rules and normalisation of the recogniser's input.
#include "ocr/rec_input.h"

#include <algorithm>
#include <cmath>

namespace inkread {
namespace {

constexpr int kOfficialMin = 320, kOfficialMax = 3200;  // PaddleX 3.7.2
constexpr int kMeasuredMin = 192, kMeasuredMultiple = 8, kMeasuredMax = 16000;

}  // namespace

RecWidth RecInputWidth(int width, int height, RecWidthRule rule) {
  INKREAD_CHECK(width >= 1 && height >= 1);
  const double ratio = static_cast<double>(width) / height;
  const double columns = std::ceil(kRecHeight * ratio);
  RecWidth out;
  if (rule == RecWidthRule::kOfficial) {
    const double total = std::trunc(kRecHeight * std::max(static_cast<double>(kOfficialMin) / kRecHeight, ratio));
    if (total > kOfficialMax) return {kOfficialMax, kOfficialMax};
    out.total = static_cast<int>(total);
  } else {
    if (columns > kMeasuredMax) return {kMeasuredMax, kMeasuredMax};
    const int eighths = static_cast<int>(std::ceil(kRecHeight * ratio / kMeasuredMultiple));
    out.total = std::max(kMeasuredMin, kMeasuredMultiple * eighths);
  }
  out.used = std::min(out.total, static_cast<int>(columns));
  return out;
}

void SetRecInput(RecWidth width, ImageRule& rule) {
  rule.height = kRecHeight;
  rule.width = width.used;
  rule.row_width = width.total;
  rule.normalisation = HalfNormalisation();
}

const Normalisation& HalfNormalisation() {
  // 1 / 255 in two parts. The first has nine bits, so the sum of the two products is u / 255, rounded once.
  constexpr float kHigh = 0x1.01p-8f, kLow = static_cast<float>(1.0 / 255.0 - double{kHigh});
  static constexpr Normalisation kNormalisation = {
      {kHigh, kHigh, kHigh}, {kLow, kLow, kLow}, {-0.5f, -0.5f, -0.5f}, 1 / 0.5f};
  return kNormalisation;
}

}  // namespace inkread
