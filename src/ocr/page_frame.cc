#include "ocr/page_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace inkread {
namespace {

constexpr double kClearlyLong = 2;  // length / thickness from which the direction of a line is beyond doubt
constexpr double kLong = 1.5;
// The boxes of shorter lines show the direction less exactly. On a page with fewer long ones than this, rows show it
// better, if there are any.
constexpr double kExactlyLong = 8;
constexpr size_t kEnoughLong = 4;
constexpr double kDoubt = 1, kDoubtOfShortLines = 2.5, kStep = 0.25;  // degrees
constexpr double kInRows = 0.6;     // RowAlignment of a page with rows that lies as assumed
constexpr double kPerDegree = 0.1;  // gain of RowAlignment that a degree must bring

// For the slopes of a photographed page.
constexpr double kLineError = 0.05;  // of a line's slope, times its length / height
constexpr double kRowError = 0.1;    // of the slope between two lines of a row, times their distance / height
constexpr double kMostHeights = 20;  // a longer line or distance is no more exact
constexpr double kSameRow = 0.4;     // heights between the middles of two lines that may be of one row
constexpr double kOutlier = 3;       // expected errors
constexpr double kRidge = 400;       // precision, squared, of no skew at all
constexpr int kRounds = 3;           // each finds more neighbours in rows
constexpr double kMuchBetter = 0.6;  // of the misfit
constexpr double kGain = 0.03;       // of RowAlignment

// A tall box of fewer line heights on a page of level lines is a digit, not a line that runs downwards.
constexpr double kSidewaysLength = 2;

// Of a line on a page with a tilt.
struct Extents {
  double mid_x = 0, mid_y = 0;
  double width = 0, height = 0;  // along the edges that are nearest to the page's level and plumb
  double tilt = 0;               // of the longer edges, radians, clockwise

  double length() const { return std::max(width, height); }
  double thickness() const { return std::min(width, height); }
};

Extents Measure(const Quad& quad, double page_tilt) {
  struct Corner {
    double x, y;
  };
  Extents extents;
  extents.mid_x = (quad[0].x + quad[1].x + quad[2].x + quad[3].x) / 4.0;
  extents.mid_y = (quad[0].y + quad[1].y + quad[2].y + quad[3].y) / 4.0;
  const double cos = std::cos(page_tilt), sin = std::sin(page_tilt);
  const auto corner = [&](size_t i) {  // on the page, from the middle of the quad
    const double x = quad[i].x - extents.mid_x, y = quad[i].y - extents.mid_y;
    return Corner{x * cos + y * sin, y * cos - x * sin};
  };
  const Corner a = corner(0), b = corner(1), c = corner(2), d = corner(3);
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
    extents.tilt = page_tilt + (level_x == 0 ? 0 : std::atan(level_y / level_x));
  } else {
    extents.tilt = page_tilt + (plumb_y == 0 ? 0 : std::atan(-plumb_x / plumb_y));
  }
  return extents;
}

bool IsClear(const Extents& line) { return line.length() > 0 && line.length() >= kClearlyLong * line.thickness(); }

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

// The tilt, at most `doubt` degrees from this one, at which the lines are best aligned in rows.
double TiltOfRows(std::span<const Extents> lines, double tilt, double doubt) {
  double best = std::max(kInRows, RowAlignment(Boxes(lines, tilt))), best_tilt = tilt;
  for (double degrees = -doubt; degrees <= doubt; degrees += kStep) {
    const double candidate = tilt + degrees * std::numbers::pi / 180;
    const double alignment = RowAlignment(Boxes(lines, candidate)) - kPerDegree * std::abs(degrees);
    if (alignment <= best) continue;
    best = alignment;
    best_tilt = candidate;
  }
  return best_tilt;
}

// A slope of text somewhere on a page: of a line, or between two neighbours in a row.
struct Slope {
  double x = 0, y = 0;   // where, in half page sizes from the middle of the page
  double slope = 0;      // against the page's tilt
  double precision = 0;  // inverse of its expected error
};

// How text lies on a photographed page. In the units of Slope, its slope is turn + fan * y + bend * x.
struct Skew {
  double turn = 0, fan = 0, bend = 0;

  double SlopeAt(double x, double y) const { return turn + fan * y + bend * x; }
  double RiseAt(double x, double y) const { return x * (turn + fan * y + bend * x / 2); }  // along the text from x = 0
};

// The middle of a page and half its size, px.
struct PageSize {
  explicit PageSize(std::span<const LayoutBox> boxes) {
    LayoutBox page = boxes[0];
    for (const LayoutBox& box : boxes) page.Cover(box);
    mid_x = page.mid_x();
    mid_y = page.mid_y();
    half = std::max({page.width(), page.height(), 2.0}) / 2;
  }
  Slope At(double x, double y) const { return {(x - mid_x) / half, (y - mid_y) / half, 0, 0}; }

  double mid_x = 0, mid_y = 0, half = 0;
};

std::vector<LayoutBox> Straightened(std::span<const LayoutBox> boxes, const PageSize& page, const Skew& skew) {
  std::vector<LayoutBox> straight(boxes.begin(), boxes.end());
  for (LayoutBox& box : straight) {
    const Slope at = page.At(box.mid_x(), box.mid_y());
    const double rise = page.half * skew.RiseAt(at.x, at.y);
    box.top -= rise;
    box.bottom -= rise;
  }
  return straight;
}

std::vector<Slope> SlopesOfLines(std::span<const Extents> lines, double tilt, std::span<const LayoutBox> boxes,
                                 const PageSize& page) {
  std::vector<Slope> slopes;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!IsClear(lines[i]) || lines[i].height > lines[i].width) continue;
    Slope& slope = slopes.emplace_back(page.At(boxes[i].mid_x(), boxes[i].mid_y()));
    slope.slope = lines[i].tilt - tilt;
    slope.precision = std::min(lines[i].length() / lines[i].thickness(), kMostHeights) / kLineError;
  }
  return slopes;
}

// Adds the slopes between neighbours that are nearly on one baseline once the page is straightened.
void AddSlopesOfRows(std::span<const LayoutBox> boxes, const PageSize& page, const Skew& skew,
                     std::vector<Slope>& slopes) {
  const std::vector<LayoutBox> straight = Straightened(boxes, page, skew);
  const std::vector<std::vector<int>> neighbours = NeighboursOnTheLeft(straight);
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (const int neighbour : neighbours[i]) {
      const auto j = static_cast<size_t>(neighbour);
      const LayoutBox &a = boxes[j], &b = boxes[i];
      const double height = std::max({a.height(), b.height(), 1.0}), distance = b.mid_x() - a.mid_x();
      if (distance < height || std::abs(straight[j].mid_y() - straight[i].mid_y()) > kSameRow * height) continue;
      Slope& slope = slopes.emplace_back(page.At((a.mid_x() + b.mid_x()) / 2, (a.mid_y() + b.mid_y()) / 2));
      slope.slope = (b.mid_y() - a.mid_y()) / distance;
      slope.precision = std::min(distance / height, kMostHeights) / kRowError;
    }
  }
}

// Least squares over the slopes that are near those of `start`. Few or inexact ones change little.
Skew FitSkew(std::span<const Slope> slopes, const Skew& start) {
  double a[3][4] = {{kRidge, 0, 0, 0}, {0, kRidge, 0, 0}, {0, 0, kRidge, 0}};
  for (const Slope& s : slopes) {
    if (std::abs(s.slope - start.SlopeAt(s.x, s.y)) * s.precision > kOutlier) continue;
    const double row[] = {1, s.y, s.x, s.slope}, weight = s.precision * s.precision;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) a[i][j] += weight * row[i] * row[j];
  }
  for (int i = 0; i < 3; ++i) {  // Gauss and Jordan; the matrix is positive definite
    for (int k = 0; k < 3; ++k) {
      if (k == i) continue;
      const double factor = a[k][i] / a[i][i];
      for (int j = i; j < 4; ++j) a[k][j] -= factor * a[i][j];
    }
  }
  return {a[0][3] / a[0][0], a[1][3] / a[1][1], a[2][3] / a[2][2]};
}

// How much the slopes differ from those of the skew, in expected errors.
double Misfit(std::span<const Slope> slopes, const Skew& skew) {
  double sum = 0;
  for (const Slope& s : slopes) sum += std::min(std::abs(s.slope - skew.SlopeAt(s.x, s.y)) * s.precision, kOutlier);
  return sum;
}

// The boxes of a photographed page, on which text lies differently here and there, as on a flat one. They stay as they
// are unless they are better aligned in rows then, or the slopes of the long lines fit much better.
std::vector<LayoutBox> Straighten(std::span<const Extents> lines, double tilt, std::vector<LayoutBox> boxes) {
  const PageSize page(boxes);
  const std::vector<Slope> of_lines = SlopesOfLines(lines, tilt, boxes, page);
  Skew skew = FitSkew(of_lines, {});
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Slope> slopes = of_lines;
    AddSlopesOfRows(boxes, page, skew, slopes);
    skew = FitSkew(slopes, skew);
  }
  std::vector<LayoutBox> straight = Straightened(boxes, page, skew);
  std::vector<Slope> exact;
  for (const Slope& slope : of_lines)
    if (slope.precision >= kExactlyLong / kLineError) exact.push_back(slope);
  const bool fits = exact.size() >= kEnoughLong && Misfit(exact, skew) < kMuchBetter * Misfit(exact, {});
  return fits || RowAlignment(straight) > RowAlignment(boxes) + kGain ? straight : boxes;
}

LayoutBox Quarter(const LayoutBox& box) { return {box.top, -box.right, box.bottom, -box.left}; }
LayoutBox QuarterBack(const LayoutBox& box) { return {-box.bottom, box.left, -box.top, box.right}; }

}  // namespace

PageFrame FindPageFrame(std::span<const Quad> quads, const PageAxis& axis) {
  PageFrame frame;
  frame.tilt = axis.tilt_deg * std::numbers::pi / 180;
  std::vector<Extents> lines;
  double level = 0, plumb = 0;
  size_t num_long = 0;
  for (const Quad& quad : quads) {
    const Extents& line = lines.emplace_back(Measure(quad, frame.tilt));
    if (!IsClear(line)) continue;
    (line.width >= line.height ? level : plumb) += line.length();
    if (line.length() >= kExactlyLong * line.thickness()) ++num_long;
  }
  frame.is_vertical = plumb > level;
  if (!frame.is_vertical && num_long < kEnoughLong)
    frame.tilt = TiltOfRows(lines, frame.tilt, num_long > 0 ? kDoubt : kDoubtOfShortLines);
  const double least = frame.is_vertical ? 0 : kSidewaysLength * MedianThickness(lines, false);
  std::vector<LayoutBox> boxes = Boxes(lines, frame.tilt);
  if (!frame.is_vertical && !boxes.empty()) boxes = Straighten(lines, frame.tilt, std::move(boxes));
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
