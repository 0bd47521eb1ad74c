// Pairs of boxes are compared along the sides of the longer one.
#include "ocr/joined_boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace inkread {
namespace {

// In heights of the lower of two boxes.
constexpr double kOverlap = 0.4;
constexpr double kSameBaseline = 0.2;  // between the middles
constexpr double kLikeHeight = 1.5;    // ratio
// Of a box that is no longer than this many heights the direction is not known.
constexpr double kLong = 1.5;
constexpr double kSameDirection = 0.996;  // cosine of 5 degrees

struct Vector {
  double x = 0, y = 0;
};

double Dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y; }

// The direction of the longer sides, of length 1, and the lengths of the sides.
struct Sides {
  Vector along;
  double length = 0, height = 0;

  bool is_long() const { return length > kLong * height; }
};

Sides SidesOf(const Quad& q) {
  const Vector u = {(q[1].x - q[0].x + q[2].x - q[3].x) / 2.0, (q[1].y - q[0].y + q[2].y - q[3].y) / 2.0};
  const Vector v = {(q[3].x - q[0].x + q[2].x - q[1].x) / 2.0, (q[3].y - q[0].y + q[2].y - q[1].y) / 2.0};
  const double u_length = std::sqrt(Dot(u, u)), v_length = std::sqrt(Dot(v, v));
  if (u_length >= v_length) return {{u.x / u_length, u.y / u_length}, u_length, v_length};
  return {{v.x / v_length, v.y / v_length}, v_length, u_length};
}

struct Range {
  double begin = std::numeric_limits<double>::infinity(), end = -std::numeric_limits<double>::infinity();

  double size() const { return end - begin; }
  double middle() const { return (begin + end) / 2; }
};

Range RangeAlong(const Quad& quad, const Vector& axis) {
  Range range;
  for (const Point& p : quad) {
    const double at = Dot({static_cast<double>(p.x), static_cast<double>(p.y)}, axis);
    range = {std::min(range.begin, at), std::max(range.end, at)};
  }
  return range;
}

// Whether the two are pieces of one line; then the quad around both.
std::optional<Quad> Joined(const Quad& a, const Quad& b) {
  const Sides sides_a = SidesOf(a), sides_b = SidesOf(b);
  const Sides& longer = sides_a.length >= sides_b.length ? sides_a : sides_b;
  if (!longer.is_long()) return std::nullopt;
  if (sides_a.is_long() && sides_b.is_long() && std::abs(Dot(sides_a.along, sides_b.along)) < kSameDirection)
    return std::nullopt;
  // The first axis runs to the right, or downwards: so the corners of the result have the usual order.
  Vector along = longer.along;
  if (along.x < 0 || (along.x == 0 && along.y < 0)) along = {-along.x, -along.y};
  const Vector across = {-along.y, along.x};
  const Range along_a = RangeAlong(a, along), along_b = RangeAlong(b, along);
  const Range across_a = RangeAlong(a, across), across_b = RangeAlong(b, across);
  const double low = std::min(across_a.size(), across_b.size()), high = std::max(across_a.size(), across_b.size());
  if (low <= 0 || high > kLikeHeight * low) return std::nullopt;
  if (std::abs(across_a.middle() - across_b.middle()) > kSameBaseline * low) return std::nullopt;
  if (std::min(along_a.end, along_b.end) - std::max(along_a.begin, along_b.begin) < kOverlap * low) return std::nullopt;
  const double left = std::min(along_a.begin, along_b.begin), right = std::max(along_a.end, along_b.end);
  const double top = std::min(across_a.begin, across_b.begin), bottom = std::max(across_a.end, across_b.end);
  const auto corner = [&](double u, double v) {
    return Point{static_cast<int>(std::lround(along.x * u + across.x * v)),
                 static_cast<int>(std::lround(along.y * u + across.y * v))};
  };
  return Quad{corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)};
}

// Joins boxes by pairs, as far as they were before; returns whether there were any.
bool JoinPairs(std::vector<DetBox>& boxes) {
  std::vector<Range> ranges;  // of x
  for (const DetBox& box : boxes) ranges.push_back(RangeAlong(box.quad, {1, 0}));
  std::vector<size_t> from_left(boxes.size());
  std::iota(from_left.begin(), from_left.end(), size_t{0});
  std::sort(from_left.begin(), from_left.end(),
            [&](size_t i, size_t j) { return std::pair(ranges[i].begin, i) < std::pair(ranges[j].begin, j); });
  std::vector<bool> is_gone(boxes.size()), is_joined(boxes.size());
  for (size_t n = 0; n < from_left.size(); ++n) {
    for (size_t m = n + 1; m < from_left.size() && ranges[from_left[m]].begin <= ranges[from_left[n]].end; ++m) {
      const size_t i = std::min(from_left[n], from_left[m]), j = std::max(from_left[n], from_left[m]);
      if (is_gone[i] || is_gone[j] || is_joined[i] || is_joined[j]) continue;
      const std::optional<Quad> quad = Joined(boxes[i].quad, boxes[j].quad);
      if (!quad) continue;
      const double length_i = SidesOf(boxes[i].quad).length, length_j = SidesOf(boxes[j].quad).length;
      boxes[i].score = (boxes[i].score * length_i + boxes[j].score * length_j) / (length_i + length_j);
      boxes[i].quad = *quad;
      is_joined[i] = is_gone[j] = true;
    }
  }
  size_t num_kept = 0;
  for (size_t i = 0; i < boxes.size(); ++i)
    if (!is_gone[i]) boxes[num_kept++] = boxes[i];
  const bool has_any = num_kept < boxes.size();
  boxes.resize(num_kept);
  return has_any;
}

}  // namespace

std::vector<DetBox> JoinOverlappingBoxes(std::vector<DetBox> boxes) {
  while (JoinPairs(boxes)) {
  }
  return boxes;
}

}  // namespace inkread
