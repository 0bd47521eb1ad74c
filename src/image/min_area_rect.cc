// Monotone chain hull and rotating calipers. The order and the precision of all operations are those of OpenCV; the
// build flags forbid fused multiply-add.
#include "image/min_area_rect.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/status.h"

namespace inkread {
namespace {

bool IsAbove(const Point& p, const Point& q) { return p.y != q.y ? p.y < q.y : p.x < q.x; }

// Positive if a, b, c turn clockwise on a screen.
int64_t Turn(const Point& a, const Point& b, const Point& c) {
  return static_cast<int64_t>(b.x - a.x) * (c.y - a.y) - static_cast<int64_t>(b.y - a.y) * (c.x - a.x);
}

void Append(const Point& p, size_t fixed, std::vector<Point>* chain) {
  while (chain->size() >= fixed + 2 && Turn((*chain)[chain->size() - 2], chain->back(), p) <= 0) chain->pop_back();
  chain->push_back(p);
}

// The edge at support i of the calipers, rotated into the frame of support 0.
PointF TurnedEdge(PointF e, int i) {
  switch (i) {
    case 0:
      return e;
    case 1:
      return {e.y, -e.x};
    case 2:
      return {-e.x, -e.y};
    default:
      return {-e.y, e.x};
  }
}

// The best rectangle so far: direction (a, b) of one side, extents, and the indices of the hull points on two sides.
struct Best {
  float a = 1, b = 0, width = 0, height = 0, area = FLT_MAX;
  size_t left = 0, bottom = 0;
};

Best RotateCalipers(std::span<const Point> hull, std::span<const PointF> points) {
  const size_t n = points.size();
  std::vector<PointF> edges(n);
  std::vector<float> inverse_lengths(n);
  for (size_t i = 0; i < n; ++i) {
    const PointF& p = points[i];
    const PointF& q = points[i + 1 < n ? i + 1 : 0];
    const double dx = q.x - p.x, dy = q.y - p.y;
    edges[i] = {static_cast<float>(dx), static_cast<float>(dy)};
    inverse_lengths[i] = static_cast<float>(1.0 / std::sqrt(dx * dx + dy * dy));
  }
  // The indices of the hull points on the four sides: minimum y, maximum x, maximum y, minimum x.
  size_t support[4] = {0, 0, 0, 0};
  for (size_t i = 1; i < n; ++i) {
    if (hull[i].y < hull[support[0]].y) support[0] = i;
    if (hull[i].x > hull[support[1]].x) support[1] = i;
    if (hull[i].y > hull[support[2]].y) support[2] = i;
    if (hull[i].x < hull[support[3]].x) support[3] = i;
  }
  Best best;
  for (size_t step = 0; step < n; ++step) {
    int pick = 0;
    PointF picked = edges[support[0]];
    for (int i = 1; i < 4; ++i) {
      const PointF turned = TurnedEdge(edges[support[i]], i);
      if (turned.y * picked.x - turned.x * picked.y < 0) {
        pick = i;
        picked = turned;
      }
    }
    const size_t edge = support[pick];
    const PointF lead = {edges[edge].x * inverse_lengths[edge], edges[edge].y * inverse_lengths[edge]};
    const PointF base = TurnedEdge(lead, pick);
    support[pick] = edge + 1 == n ? 0 : edge + 1;

    float dx = points[support[1]].x - points[support[3]].x;
    float dy = points[support[1]].y - points[support[3]].y;
    const float width = dx * base.x + dy * base.y;
    dx = points[support[2]].x - points[support[0]].x;
    dy = points[support[2]].y - points[support[0]].y;
    const float height = -dx * base.y + dy * base.x;
    const float area = width * height;
    if (area <= best.area) best = {base.x, base.y, width, height, area, support[3], support[0]};
  }
  return best;
}

float LengthOf(PointF v) {
  return static_cast<float>(std::sqrt(static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y));
}

float DegreesOf(PointF v) {
  const float angle = static_cast<float>(std::atan2(static_cast<double>(v.y), static_cast<double>(v.x)));
  return static_cast<float>(angle * 180 / std::numbers::pi);
}

}  // namespace

std::vector<Point> ConvexHullOfSorted(std::span<const Point> points) {
  std::vector<Point> hull;
  if (points.empty()) return hull;
  // First down the right side, then up the left side; every turn on the chain is clockwise.
  for (const Point& p : points) {
    if (hull.empty() || !(hull.back() == p)) Append(p, 0, &hull);
  }
  if (hull.size() == 1) return hull;
  const size_t right = hull.size() - 1;
  for (size_t i = points.size(); i-- > 0;) {
    if (!(hull.back() == points[i])) Append(points[i], right, &hull);
  }
  hull.pop_back();  // equals the first point
  return hull;
}

std::vector<Point> ConvexHull(std::span<const Point> points) {
  std::vector<Point> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), IsAbove);
  return ConvexHullOfSorted(sorted);
}

MinAreaRect FindMinAreaRect(std::span<const Point> hull) {
  INKREAD_CHECK(!hull.empty());
  std::vector<PointF> points(hull.size());
  std::transform(hull.begin(), hull.end(), points.begin(), [](Point p) {
    return PointF{static_cast<float>(p.x), static_cast<float>(p.y)};
  });
  if (points.size() == 1) return {points[0], 0, 0, 0};
  if (points.size() == 2) {
    const PointF p = points[0], q = points[1];
    const PointF side = {q.x - p.x, q.y - p.y};
    return {{(p.x + q.x) * 0.5f, (p.y + q.y) * 0.5f}, LengthOf(side), 0, DegreesOf(side)};
  }
  const Best best = RotateCalipers(hull, points);
  const float a = best.a, b = best.b;
  const PointF left = points[best.left], bottom = points[best.bottom];
  const float c1 = a * left.x + left.y * b;
  const float c2 = -b * bottom.x + bottom.y * a;
  const float inverse = 1.0f / (a * a + b * b);
  const PointF corner = {(c1 * a - c2 * b) * inverse, (a * c2 + b * c1) * inverse};
  const PointF u = {a * best.width, b * best.width};
  const PointF v = {-b * best.height, a * best.height};
  return {{corner.x + (u.x + v.x) * 0.5f, corner.y + (u.y + v.y) * 0.5f}, LengthOf(u), LengthOf(v), DegreesOf(u)};
}

void BeginHullAfterTop(std::vector<Point>* hull) {
  if (hull->size() < 3) return;
  const bool flat_top = (*hull)[1].y == (*hull)[0].y;
  std::rotate(hull->begin(), hull->begin() + (flat_top ? 2 : 1), hull->end());
}

MinAreaRect MinAreaRectOfQuad(const Quad& quad) {
  std::vector<Point> hull = ConvexHull(quad);
  const size_t n = hull.size();
  if (n >= 3) {
    std::vector<ptrdiff_t> corner(n);
    for (size_t i = 0; i < n; ++i) corner[i] = std::find(quad.begin(), quad.end(), hull[i]) - quad.begin();
    // The hull begins with the smallest corner index if the indices then ascend, otherwise with the largest.
    const auto smallest = std::min_element(corner.begin(), corner.end()) - corner.begin();
    const bool ascending = corner[(smallest + 1) % n] < corner[(smallest + n - 1) % n];
    const auto begin = ascending ? smallest : std::max_element(corner.begin(), corner.end()) - corner.begin();
    std::rotate(hull.begin(), hull.begin() + begin, hull.end());
  }
  return FindMinAreaRect(hull);
}

QuadF OrderedCorners(const MinAreaRect& rect) {
  const double angle = rect.angle_deg * std::numbers::pi / 180.0;
  const float b = static_cast<float>(std::cos(angle)) * 0.5f;
  const float a = static_cast<float>(std::sin(angle)) * 0.5f;
  const PointF c = rect.centre;
  const float w = rect.width, h = rect.height;
  const PointF p = {c.x - a * h - b * w, c.y + b * h - a * w};
  const PointF q = {c.x + a * h - b * w, c.y - b * h - a * w};
  QuadF corners = {p, q, PointF{2 * c.x - p.x, 2 * c.y - p.y}, PointF{2 * c.x - q.x, 2 * c.y - q.y}};
  std::stable_sort(corners.begin(), corners.end(), [](const PointF& l, const PointF& r) { return l.x < r.x; });
  auto [top_left, bottom_left] = std::pair(corners[0], corners[1]);
  if (!(bottom_left.y > top_left.y)) std::swap(top_left, bottom_left);
  auto [top_right, bottom_right] = std::pair(corners[2], corners[3]);
  if (!(bottom_right.y > top_right.y)) std::swap(top_right, bottom_right);
  return {top_left, top_right, bottom_right, bottom_left};
}

}  // namespace inkread
