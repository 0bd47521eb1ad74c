// PaddleOCR's get_minarea_rect_crop.
#include "ocr/line_crop.h"

#include <algorithm>
#include <cmath>

#include "image/min_area_rect.h"
#include "image/warp.h"

namespace inkread {
namespace {

constexpr double kStanding = 1.5;  // height / width from which a line is taken to be written downwards

float Distance(PointF p, PointF q) {
  const float dx = p.x - q.x, dy = p.y - q.y;
  return std::sqrt(dx * dx + dy * dy);
}

}  // namespace

std::optional<LineCrop> CropLine(const ImageView& source, const Quad& box) {
  LineCrop crop;
  crop.corners = OrderedCorners(MinAreaRectOfQuad(box));
  const auto& [top_left, top_right, bottom_right, bottom_left] = crop.corners;
  const int width = static_cast<int>(std::max(Distance(top_left, top_right), Distance(bottom_right, bottom_left)));
  const int height = static_cast<int>(std::max(Distance(top_left, bottom_left), Distance(top_right, bottom_right)));
  if (width < 1 || height < 1) return std::nullopt;
  crop.picture = WarpQuad(source, crop.corners, width, height);
  crop.is_turned = static_cast<double>(height) / width >= kStanding;
  if (crop.is_turned) crop.picture = RotatedCounterClockwise(crop.picture);
  return crop;
}

}  // namespace inkread
