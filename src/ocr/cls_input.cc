// Inputs and decision rules of the line classifiers.
#include "ocr/cls_input.h"

#include <algorithm>
#include <cmath>

#include "ocr/rec_input.h"

namespace inkread {
namespace {

constexpr Size kLegacySize = {48, 192}, kLcnetSize = {80, 160};
constexpr float kLegacyThreshold = 0.9f;

// The same pixels with B and R told apart the other way round, so that channels come out as R, G, B.
PictureView WithRedFirst(PictureView view) {
  switch (view.layout) {
    case PixelLayout::kBgr24:
      view.layout = PixelLayout::kRgb24;
      break;
    case PixelLayout::kRgb24:
      view.layout = PixelLayout::kBgr24;
      break;
    case PixelLayout::kBgra32:
      view.layout = PixelLayout::kRgba32;
      break;
    case PixelLayout::kRgba32:
      view.layout = PixelLayout::kBgra32;
      break;
    case PixelLayout::kGray8:
      break;
  }
  return view;
}

}  // namespace

Size ClsInputSize(ClsKind kind) { return kind == ClsKind::kLegacy ? kLegacySize : kLcnetSize; }

void FillClsInput(const PictureView& line, ClsKind kind, float* out) {
  const Size size = ClsInputSize(kind);
  if (kind == ClsKind::kLcnet) {
    const ResizePlan plan(line.width_px, line.height_px, size.width, size.height);
    ResizeNormalise(WithRedFirst(line), plan, ImageNetTable(), 0, size.height, size.width, out);
    return;
  }
  const double columns = std::ceil(size.height * (static_cast<double>(line.width_px) / line.height_px));
  const int used = static_cast<int>(std::min<double>(size.width, columns));
  const ResizePlan plan(line.width_px, line.height_px, used, size.height);
  ResizeNormalise(line, plan, HalfTable(), 0, size.height, size.width, out);
}

bool IsUpsideDown(ClsKind kind, float upright, float upside_down) {
  return upside_down > upright && (kind == ClsKind::kLcnet || upside_down > kLegacyThreshold);
}

}  // namespace inkread
