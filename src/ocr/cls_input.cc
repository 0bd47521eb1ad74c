// Inputs and decision rules of the line classifiers.
#include "ocr/cls_input.h"

#include <algorithm>
#include <cmath>

#include "ocr/rec_input.h"

namespace inkread {
namespace {

constexpr Size kLegacySize = {48, 192}, kLcnetSize = {80, 160};
constexpr float kLegacyThreshold = 0.9f;

// Columns of the legacy input that a line of width x height px fills.
int LegacyColumns(int width, int height) {
  const double columns = std::ceil(kLegacySize.height * (static_cast<double>(width) / height));
  return static_cast<int>(std::min<double>(kLegacySize.width, columns));
}

}  // namespace

Size ClsInputSize(ClsKind kind) { return kind == ClsKind::kLegacy ? kLegacySize : kLcnetSize; }

void SetClsInput(ClsKind kind, int width, int height, ImageRule& rule) {
  const Size size = ClsInputSize(kind);
  rule.height = size.height;
  rule.row_width = size.width;
  rule.width = kind == ClsKind::kLcnet ? size.width : LegacyColumns(width, height);
  rule.is_red_first = kind == ClsKind::kLcnet;
  rule.normalisation = kind == ClsKind::kLcnet ? ImageNetNormalisation() : HalfNormalisation();
}

bool IsUpsideDown(ClsKind kind, float upright, float upside_down) {
  return upside_down > upright && (kind == ClsKind::kLcnet || upside_down > kLegacyThreshold);
}

}  // namespace inkread
