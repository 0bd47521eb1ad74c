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

std::optional<LineShape> ShapeOfLine(const Quad& box) {
  LineShape line;
  line.corners = OrderedCorners(MinAreaRectOfQuad(box));
  const auto& [top_left, top_right, bottom_right, bottom_left] = line.corners;
  line.crop_width = static_cast<int>(std::max(Distance(top_left, top_right), Distance(bottom_right, bottom_left)));
  line.crop_height = static_cast<int>(std::max(Distance(top_left, bottom_left), Distance(top_right, bottom_right)));
  if (line.crop_width < 1 || line.crop_height < 1) return std::nullopt;
  line.is_turned = static_cast<double>(line.crop_height) / line.crop_width >= kStanding;
  return line;
}

BgrImage CutOut(const ImageView& source, const LineShape& line) {
  BgrImage image = WarpQuad(source, line.corners, line.crop_width, line.crop_height);
  if (line.is_turned) image = RotatedCounterClockwise(image);
  if (line.is_upside_down) image = RotatedHalfTurn(image);
  return image;
}

std::optional<LineCrop> CropLine(const ImageView& source, const Quad& box) {
  const std::optional<LineShape> line = ShapeOfLine(box);
  if (!line) return std::nullopt;
  return LineCrop{*line, CutOut(source, *line)};
}

ImageRule CropRuleOf(const ImageView& source, const LineShape& line) {
  ImageRule rule;
  rule.source_width = source.width_px;
  rule.source_height = source.height_px;
  rule.format = source.format;
  rule.crop = {TargetToSource(line.corners, line.crop_width, line.crop_height), line.crop_width, line.crop_height};
  rule.quarter_turns = (line.is_turned ? 1 : 0) + (line.is_upside_down ? 2 : 0);
  return rule;
}

}  // namespace inkread
