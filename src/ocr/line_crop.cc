// PaddleOCR's get_minarea_rect_crop.
#include "ocr/line_crop.h"

#include <algorithm>
#include <cmath>

#include "image/min_area_rect.h"

namespace inkread {
namespace {

constexpr double kStanding = 1.5;  // height / width from which a line counts as written downwards

float Distance(PointF p, PointF q) {
  const float dx = p.x - q.x, dy = p.y - q.y;
  return std::sqrt(dx * dx + dy * dy);
}

}  // namespace

std::optional<LineShape> ShapeOfLine(const Quad& box) {
  LineShape line;
  CropRule& crop = line.crop;
  crop.corners = OrderedCorners(MinAreaRectOfQuad(box));
  const auto& [top_left, top_right, bottom_right, bottom_left] = crop.corners;
  crop.width = static_cast<int>(std::max(Distance(top_left, top_right), Distance(bottom_right, bottom_left)));
  crop.height = static_cast<int>(std::max(Distance(top_left, bottom_left), Distance(top_right, bottom_right)));
  if (crop.width < 1 || crop.height < 1) return std::nullopt;
  line.is_turned = static_cast<double>(crop.height) / crop.width >= kStanding;
  return line;
}

ImageRule CropRuleOf(const ImageView& source, const LineShape& line) {
  ImageRule rule;
  rule.source_width = source.width_px;
  rule.source_height = source.height_px;
  rule.format = source.format;
  rule.crop = line.crop;
  rule.quarter_turns = line.quarter_turns();
  return rule;
}

}  // namespace inkread
