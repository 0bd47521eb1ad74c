// Offset of a quad with round joins.
#include "image/polygon_offset.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace inkread {
namespace {

// Clipper: a vertex may be off the true arc by a quarter of a pixel, or by a quarter of the distance if that is less.
constexpr double kArcTolerance = 0.25;

struct Vector {
  double x, y;
};

double RoundedHalfAway(double v) { return v < 0 ? std::trunc(v - 0.5) : std::trunc(v + 0.5); }

// The corners truncated to integers, without repeated ones, in clockwise order on a screen.
std::vector<Point> ClockwiseCorners(const QuadF& quad) {
  std::vector<Point> corners;
  for (const PointF& p : quad) {
    const Point q = {static_cast<int>(p.x), static_cast<int>(p.y)};
    if (corners.empty() || !(corners.back() == q)) corners.push_back(q);
  }
  while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
  const size_t n = corners.size();
  int64_t doubled_area = 0;
  for (size_t i = 0; i < n; ++i) {
    const Point p = corners[(i + n - 1) % n], q = corners[i];
    doubled_area += static_cast<int64_t>(p.x) * q.y - static_cast<int64_t>(q.x) * p.y;
  }
  if (doubled_area < 0) std::reverse(corners.begin(), corners.end());
  return corners;
}

// The outward unit normal of each edge; edge i leads from corner i to the next one.
std::vector<Vector> EdgeNormals(const std::vector<Point>& corners) {
  const size_t n = corners.size();
  std::vector<Vector> normals(n);
  for (size_t i = 0; i < n; ++i) {
    const Point p = corners[i], q = corners[(i + 1) % n];
    double dx = q.x - p.x, dy = q.y - p.y;
    const double inverse_length = 1.0 / std::sqrt(dx * dx + dy * dy);
    dx *= inverse_length;
    dy *= inverse_length;
    normals[i] = {dy, -dx};
  }
  return normals;
}

// Appends the vertices around corners, as Clipper's OffsetPoint does.
class RoundJoiner {
 public:
  RoundJoiner(double distance, std::vector<Point>* out) : distance_(distance), out_(out) {
    const double tolerance = std::min(kArcTolerance, kArcTolerance * distance);
    const double steps_per_turn =
        std::min(std::numbers::pi / std::acos(1 - tolerance / distance), std::numbers::pi * distance);
    sine_ = std::sin(2 * std::numbers::pi / steps_per_turn);
    cosine_ = std::cos(2 * std::numbers::pi / steps_per_turn);
    steps_per_radian_ = steps_per_turn / (2 * std::numbers::pi);
  }

  // p: the corner; in, leaving: the normals of the edges before and after it.
  void Join(Point p, Vector in, Vector leaving) {
    double sine_of_turn = in.x * leaving.y - leaving.x * in.y;
    const double cosine_of_turn = in.x * leaving.x + in.y * leaving.y;
    if (std::fabs(sine_of_turn * distance_) < 1.0 && cosine_of_turn > 0) {
      Emit(p, in);  // nearly straight
      return;
    }
    sine_of_turn = std::clamp(sine_of_turn, -1.0, 1.0);
    if (sine_of_turn * distance_ < 0) {  // a concave corner, which truncation can cause
      Emit(p, in);
      out_->push_back(p);
      Emit(p, leaving);
      return;
    }
    const double turn = std::fabs(std::atan2(sine_of_turn, cosine_of_turn));
    const int num_steps = std::max(static_cast<int>(RoundedHalfAway(steps_per_radian_ * turn)), 1);
    Vector spoke = in;
    for (int step = 0; step < num_steps; ++step) {
      Emit(p, spoke);
      spoke = {spoke.x * cosine_ - sine_ * spoke.y, spoke.x * sine_ + spoke.y * cosine_};
    }
    Emit(p, leaving);
  }

 private:
  void Emit(Point p, Vector v) {
    out_->push_back({static_cast<int>(RoundedHalfAway(p.x + v.x * distance_)),
                     static_cast<int>(RoundedHalfAway(p.y + v.y * distance_))});
  }

  const double distance_;
  std::vector<Point>* const out_;
  double sine_, cosine_, steps_per_radian_;  // of the angle between two vertices of an arc
};

}  // namespace

double UnclipDistance(const QuadF& quad, double ratio) {
  double doubled_area = 0, perimeter = 0;
  PointF previous = quad[3];
  for (const PointF& p : quad) {
    doubled_area += static_cast<double>(previous.x) * p.y - static_cast<double>(previous.y) * p.x;
    const float dx = p.x - previous.x, dy = p.y - previous.y;
    perimeter += std::sqrt(dx * dx + dy * dy);
    previous = p;
  }
  const double area = std::fabs(doubled_area * 0.5);
  return perimeter > 0 ? area * ratio / perimeter : 0;
}

std::vector<Point> OffsetQuad(const QuadF& quad, double distance) {
  const std::vector<Point> corners = ClockwiseCorners(quad);
  const size_t n = corners.size();
  if (n < 3 || !(distance > 0)) return {};
  const std::vector<Vector> normals = EdgeNormals(corners);
  std::vector<Point> out;
  RoundJoiner joiner(distance, &out);
  for (size_t i = 0; i < n; ++i) joiner.Join(corners[i], normals[(i + n - 1) % n], normals[i]);
  return out;
}

}  // namespace inkread
