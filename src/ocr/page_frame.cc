#include "ocr/page_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace inkread {
namespace {

constexpr double kClearlyLong = 2;  // length / thickness from which the direction of a line is beyond doubt
constexpr double kLong = 1.5;
// The direction of a shorter line is less exact. If a page has no longer ones, its rows show how it lies.
constexpr double kExactlyLong = 8;
constexpr double kDoubt = 2.5, kStep = 0.25;  // degrees
constexpr double kInRows = 0.6;               // RowAlignment of a page with rows that lies as assumed
// A tall box of fewer line heights on a page of level lines is a digit, not a line that runs downwards.
constexpr double kSidewaysLength = 2;

struct Extents {
  double mid_x = 0, mid_y = 0;
  double width = 0, height = 0;  // along the edges that are nearest to level and to plumb
  double tilt = 0;               // radians, clockwise, of the longer edges against level or plumb

  double length() const { return std::max(width, height); }
  double thickness() const { return std::min(width, height); }
};

Extents Measure(const Quad& quad) {
  const auto [a, b, c, d] = quad;
  Extents extents;
  extents.mid_x = (a.x + b.x + c.x + d.x) / 4.0;
  extents.mid_y = (a.y + b.y + c.y + d.y) / 4.0;
  // Means of opposite edges.
  double level_x = (b.x - a.x + c.x - d.x) / 2.0, level_y = (b.y - a.y + c.y - d.y) / 2.0;
  double plumb_x = (d.x - a.x + c.x - b.x) / 2.0, plumb_y = (d.y - a.y + c.y - b.y) / 2.0;
  if (std::abs(level_x) + std::abs(plumb_y) < std::abs(level_y) + std::abs(plumb_x)) {
    std::swap(level_x, plumb_x);
    std::swap(level_y, plumb_y);
  }
  extents.width = std::hypot(level_x, level_y);
  extents.height = std::hypot(plumb_x, plumb_y);
  if (extents.width >= extents.height) {
    extents.tilt = level_x == 0 ? 0 : std::atan(level_y / level_x);
  } else {
    extents.tilt = plumb_y == 0 ? 0 : std::atan(-plumb_x / plumb_y);
  }
  return extents;
}

bool IsClear(const Extents& line) { return line.length() >= kClearlyLong * line.thickness(); }

// Median of the tilts of the lines of one direction, weighted by their lengths.
double MedianTilt(std::span<const Extents> lines, bool vertical) {
  std::vector<std::pair<double, double>> tilts;  // tilt, length
  double total = 0;
  for (const Extents& line : lines) {
    if (!IsClear(line) || (line.height > line.width) != vertical) continue;
    tilts.emplace_back(line.tilt, line.length());
    total += line.length();
  }
  std::sort(tilts.begin(), tilts.end());
  double sum = 0;
  for (const auto& [tilt, length] : tilts) {
    sum += length;
    if (2 * sum >= total) return tilt;
  }
  return 0;
}

double MedianThickness(std::span<const Extents> lines, bool vertical) {
  std::vector<double> values;
  for (const Extents& line : lines)
    if (IsClear(line) && (line.height > line.width) == vertical) values.push_back(line.thickness());
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The boxes of the lines in a frame with this tilt.
std::vector<LayoutBox> Boxes(std::span<const Extents> lines, double tilt) {
  const double cos = std::cos(tilt), sin = std::sin(tilt);
  std::vector<LayoutBox> boxes;
  for (const Extents& line : lines) {
    const double x = line.mid_x * cos + line.mid_y * sin, y = line.mid_y * cos - line.mid_x * sin;
    boxes.push_back({x - line.width / 2, y - line.height / 2, x + line.width / 2, y + line.height / 2});
  }
  return boxes;
}

// The tilt near this one at which the lines are best aligned in rows.
double TiltOfRows(std::span<const Extents> lines, double tilt) {
  double best = std::max(kInRows, RowAlignment(Boxes(lines, tilt))), best_tilt = tilt;
  for (double degrees = -kDoubt; degrees <= kDoubt; degrees += kStep) {
    const double candidate = tilt + degrees * std::numbers::pi / 180;
    const double alignment = RowAlignment(Boxes(lines, candidate));
    if (alignment <= best) continue;
    best = alignment;
    best_tilt = candidate;
  }
  return best_tilt;
}

LayoutBox Quarter(const LayoutBox& box) { return {box.top, -box.right, box.bottom, -box.left}; }
LayoutBox QuarterBack(const LayoutBox& box) { return {-box.bottom, box.left, -box.top, box.right}; }

}  // namespace

PageFrame FindPageFrame(std::span<const Quad> quads) {
  std::vector<Extents> lines;
  double level = 0, plumb = 0;
  bool has_long_lines = false;
  for (const Quad& quad : quads) {
    const Extents& line = lines.emplace_back(Measure(quad));
    if (!IsClear(line)) continue;
    (line.width >= line.height ? level : plumb) += line.length();
    has_long_lines = has_long_lines || line.length() >= kExactlyLong * line.thickness();
  }
  PageFrame frame;
  frame.is_vertical = plumb > level;
  frame.tilt = MedianTilt(lines, frame.is_vertical);
  if (!has_long_lines && !frame.is_vertical) frame.tilt = TiltOfRows(lines, frame.tilt);
  const double least = frame.is_vertical ? 0 : kSidewaysLength * MedianThickness(lines, false);
  const std::vector<LayoutBox> boxes = Boxes(lines, frame.tilt);
  for (size_t i = 0; i < lines.size(); ++i) {
    const Extents& line = lines[i];
    const bool other = frame.is_vertical ? line.width > line.height : line.height > line.width;
    frame.lines.push_back({frame.is_vertical ? Quarter(boxes[i]) : boxes[i],
                           other && line.length() >= kLong * line.thickness() && line.length() >= least});
  }
  return frame;
}

LayoutBox ToSidewaysFrame(const LayoutBox& box, bool page_is_vertical) {
  return page_is_vertical ? QuarterBack(box) : Quarter(box);
}

LayoutBox FromSidewaysFrame(const LayoutBox& box, bool page_is_vertical) {
  return page_is_vertical ? Quarter(box) : QuarterBack(box);
}

}  // namespace inkread
