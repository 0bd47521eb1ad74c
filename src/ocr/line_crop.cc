// PaddleOCR's get_minarea_rect_crop, and the direction of lines.
#include "ocr/line_crop.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "image/min_area_rect.h"

namespace inkread {
namespace {

constexpr double kStanding = 1.5;  // height / width from which a line counts as written downwards
// Lines are read to the right up to this angle. Slanting text is seldom steeper, a leaning column seldom less steep.
constexpr double kSteepDeg = 67.5;

float Distance(PointF p, PointF q) {
  const float dx = p.x - q.x, dy = p.y - q.y;
  return std::sqrt(dx * dx + dy * dy);
}

template <typename P>
double DegreesFrom(const P& p, const P& q) {
  return std::atan2(static_cast<double>(q.y) - p.y, static_cast<double>(q.x) - p.x) * 180 / std::numbers::pi;
}

// In [begin, begin + period).
double Folded(double deg, double begin, double period) { return deg - std::floor((deg - begin) / period) * period; }

PointF Between(PointF p, PointF q, double share) {
  return {static_cast<float>(p.x + (q.x - p.x) * share), static_cast<float>(p.y + (q.y - p.y) * share)};
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

std::optional<LineShape> ShapeOfLine(const Quad& box, double tilt_deg) {
  std::optional<LineShape> line = ShapeOfLine(box);
  if (!line) return line;
  const CropRule& crop = line->crop;
  const double top_deg = DegreesFrom(crop.corners[0], crop.corners[1]);
  double direction_deg = tilt_deg;
  if (std::max(crop.width, crop.height) >= kStanding * std::min(crop.width, crop.height)) {
    const double long_deg = crop.width > crop.height ? top_deg : top_deg + 90;
    direction_deg += Folded(long_deg - tilt_deg, -kSteepDeg, 180);
  }
  line->is_turned = line->is_upside_down = false;
  return TurnedBy(*line, static_cast<int>(std::lround((direction_deg - top_deg) / 90)));
}

LineShape TurnedBy(LineShape line, int quarter_turns) {
  const int turns = (line.quarter_turns() + quarter_turns % 4 + 4) % 4;
  line.is_turned = turns % 2 == 1;
  line.is_upside_down = turns >= 2;
  return line;
}

LineShape PartOf(const LineShape& line, double begin, double end) {
  if (line.is_upside_down) {
    const double last = 1 - begin;
    begin = 1 - end;
    end = last;
  }
  LineShape part = line;
  const auto& [top_left, top_right, bottom_right, bottom_left] = line.crop.corners;
  if (line.is_turned) {
    part.crop.corners = {Between(top_left, bottom_left, begin), Between(top_right, bottom_right, begin),
                         Between(top_right, bottom_right, end), Between(top_left, bottom_left, end)};
    part.crop.height = std::max(1, static_cast<int>(line.crop.height * (end - begin)));
  } else {
    part.crop.corners = {Between(top_left, top_right, begin), Between(top_left, top_right, end),
                         Between(bottom_left, bottom_right, end), Between(bottom_left, bottom_right, begin)};
    part.crop.width = std::max(1, static_cast<int>(line.crop.width * (end - begin)));
  }
  return part;
}

double DirectionOf(const LineShape& line) {
  const double top_deg = DegreesFrom(line.crop.corners[0], line.crop.corners[1]);
  return Folded(top_deg + 90 * line.quarter_turns(), -180, 360);
}

bool IsStanding(const LineShape& line, double tilt_deg) {
  return Folded(DirectionOf(line) - tilt_deg, -kSteepDeg, 180) > kSteepDeg;
}

bool RunsDown(const LineShape& line, double tilt_deg) {
  return IsStanding(line, tilt_deg) && Folded(DirectionOf(line) - tilt_deg, -180, 360) > 0;
}

Quad BeginningAlong(const Quad& box, double direction_deg) {
  size_t first = 0;
  double best = 360;
  for (size_t i = 0; i < 4; ++i) {
    const double away = std::abs(Folded(DegreesFrom(box[i], box[(i + 1) % 4]) - direction_deg, -180, 360));
    if (away < best) {
      best = away;
      first = i;
    }
  }
  return {box[first], box[(first + 1) % 4], box[(first + 2) % 4], box[(first + 3) % 4]};
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
