// Scan-line fill including the outline, and the mean over the filled mask.
#include "image/polygon_score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace inkread {
namespace {

constexpr int kFractionBits = 16;  // fraction bits of the x at which an edge crosses a row
constexpr int64_t kHalf = int64_t{1} << (kFractionBits - 1);

enum Side { kLeft = 1, kRight = 2, kTop = 4, kBottom = 8 };

// The sides of a width x height area beyond which p is, as bits (Cohen-Sutherland).
int SidesOutside(Point p, int width, int height) {
  return (p.x < 0 ? kLeft : 0) | (p.x >= width ? kRight : 0) | (p.y < 0 ? kTop : 0) | (p.y >= height ? kBottom : 0);
}

// Moves p along the line from p to q onto the border row or column beyond which it is. The moved end is truncated,
// which can change the pixels of the line. This is on purpose: OpenCV does the same.
void MoveEndToRow(int row, Point q, Point* p) {
  p->x += static_cast<int>(static_cast<double>(row - p->y) * (q.x - p->x) / (q.y - p->y));
  p->y = row;
}
void MoveEndToColumn(int column, Point q, Point* p) {
  p->y += static_cast<int>(static_cast<double>(column - p->x) * (q.y - p->y) / (q.x - p->x));
  p->x = column;
}

// Clips the line to the area. False if nothing of it is left; its ends may have moved nevertheless.
bool ClipLine(int width, int height, Point* p, Point* q) {
  constexpr int kRows = kTop | kBottom;
  int p_sides = SidesOutside(*p, width, height), q_sides = SidesOutside(*q, width, height);
  if ((p_sides & q_sides) != 0) return false;
  if ((p_sides & kRows) != 0) {
    MoveEndToRow((p_sides & kTop) != 0 ? 0 : height - 1, *q, p);
    p_sides = SidesOutside(*p, width, height);
  }
  if ((q_sides & kRows) != 0) {
    MoveEndToRow((q_sides & kTop) != 0 ? 0 : height - 1, *p, q);
    q_sides = SidesOutside(*q, width, height);
  }
  if ((p_sides & q_sides) != 0) return false;
  if (p_sides != 0) MoveEndToColumn((p_sides & kLeft) != 0 ? 0 : width - 1, *q, p);
  if (q_sides != 0) MoveEndToColumn((q_sides & kLeft) != 0 ? 0 : width - 1, *p, q);
  return true;
}

struct Edge {
  int top, bottom;  // active on rows top <= y < bottom
  int64_t x, step;  // x at the top, plus half a pixel for rounding; change of x per row
};

Edge MakeEdge(Point p, Point q, int width, int height) {
  // As in OpenCV, an edge that leaves the area follows the line between its clipped ends, without the half pixel.
  Point from = p, to = q;
  int64_t rounding = kHalf;
  if ((SidesOutside(p, width, height) | SidesOutside(q, width, height)) != 0) {
    ClipLine(width, height, &from, &to);
    if (from.y == to.y) {
      from = p;
      to = q;
    }
    rounding = 0;
  }
  const int64_t step = (static_cast<int64_t>(to.x - from.x) * (int64_t{1} << kFractionBits)) / (to.y - from.y);
  if (p.y > q.y) {
    std::swap(p, q);
    std::swap(from, to);
  }
  return {p.y, q.y, static_cast<int64_t>(from.x) * (int64_t{1} << kFractionBits) + rounding + (p.y - from.y) * step,
          step};
}

void FillInside(std::span<const Point> corners, int width, int height, uint8_t* mask) {
  std::vector<Edge> edges;
  int top = height, bottom = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point p = corners[i == 0 ? corners.size() - 1 : i - 1], q = corners[i];
    if (p.y == q.y) continue;
    edges.push_back(MakeEdge(p, q, width, height));
    top = std::min(top, edges.back().top);
    bottom = std::max(bottom, edges.back().bottom);
  }
  std::vector<int64_t> crossings;
  for (int y = std::max(top, 0); y < std::min(bottom, height); ++y) {
    crossings.clear();
    for (const Edge& e : edges) {
      if (e.top <= y && y < e.bottom) crossings.push_back(e.x + (y - e.top) * e.step);
    }
    std::sort(crossings.begin(), crossings.end());
    for (size_t i = 0; i + 1 < crossings.size(); i += 2) {
      const int64_t first = std::max<int64_t>(crossings[i] >> kFractionBits, 0);
      const int64_t last = std::min<int64_t>(crossings[i + 1] >> kFractionBits, width - 1);
      if (first <= last) std::fill_n(mask + static_cast<ptrdiff_t>(y) * width + first, last - first + 1, uint8_t{1});
    }
  }
}

// Draws an 8-connected line from the end with the smaller x.
void DrawLine(Point p, Point q, int width, int height, uint8_t* mask) {
  if (!ClipLine(width, height, &p, &q)) return;
  if (p.x > q.x) std::swap(p, q);
  const int dx = q.x - p.x, dy = std::abs(q.y - p.y), down = q.y < p.y ? -1 : 1;
  const bool steep = dy > dx;
  const int major = steep ? dy : dx, minor = steep ? dx : dy;
  int error = major - 2 * minor;
  for (int i = 0; i <= major; ++i) {
    mask[static_cast<ptrdiff_t>(p.y) * width + p.x] = 1;
    if (error < 0) {
      error += 2 * major;
      (steep ? p.x : p.y) += steep ? 1 : down;
    }
    error -= 2 * minor;
    (steep ? p.y : p.x) += steep ? down : 1;
  }
}

}  // namespace

void FillPolygon(std::span<const Point> corners, int width, int height, uint8_t* mask) {
  FillInside(corners, width, height, mask);
  for (size_t i = 0; i < corners.size(); ++i) {
    DrawLine(corners[i == 0 ? corners.size() - 1 : i - 1], corners[i], width, height, mask);
  }
}

double MeanInQuad(std::span<const float> map, int width, int height, const QuadF& quad) {
  const auto [min_x, max_x] =
      std::minmax_element(quad.begin(), quad.end(), [](const PointF& p, const PointF& q) { return p.x < q.x; });
  const auto [min_y, max_y] =
      std::minmax_element(quad.begin(), quad.end(), [](const PointF& p, const PointF& q) { return p.y < q.y; });
  const int x0 = std::clamp(static_cast<int>(std::floor(min_x->x)), 0, width - 1);
  const int x1 = std::clamp(static_cast<int>(std::ceil(max_x->x)), 0, width - 1);
  const int y0 = std::clamp(static_cast<int>(std::floor(min_y->y)), 0, height - 1);
  const int y1 = std::clamp(static_cast<int>(std::ceil(max_y->y)), 0, height - 1);
  const int mask_width = x1 - x0 + 1, mask_height = y1 - y0 + 1;
  std::array<Point, 4> corners;
  std::transform(quad.begin(), quad.end(), corners.begin(), [&](const PointF& p) {
    return Point{static_cast<int>(p.x - static_cast<float>(x0)), static_cast<int>(p.y - static_cast<float>(y0))};
  });
  std::vector<uint8_t> mask(static_cast<size_t>(mask_width) * static_cast<size_t>(mask_height));
  FillPolygon(corners, mask_width, mask_height, mask.data());
  double sum = 0;
  int64_t num_pixels = 0;
  for (int y = 0; y < mask_height; ++y) {
    const uint8_t* mask_row = mask.data() + static_cast<ptrdiff_t>(y) * mask_width;
    const float* map_row = map.data() + static_cast<ptrdiff_t>(y0 + y) * width + x0;
    for (int x = 0; x < mask_width; ++x) {
      if (mask_row[x] != 0) {
        sum += map_row[x];
        ++num_pixels;
      }
    }
  }
  return num_pixels == 0 ? 0 : sum * (1.0 / static_cast<double>(num_pixels));
}

}  // namespace inkread
