#include "apps/line_match.h"

#include <algorithm>
#include <cmath>

namespace inkread {
namespace {

constexpr double kSameLine = 0.5;
constexpr double kTall = 1.5;

using Polygon = std::vector<Corner>;

// Which side of the line from a to b the point is on: positive to one, negative to the other, 0 on it.
double Side(const Corner& a, const Corner& b, const Corner& p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Positive for corners in one sense of rotation, negative for the other. Taken from the first corner, so that large
// coordinates cost no digits.
double SignedArea(const Polygon& polygon) {
  double twice = 0;
  for (size_t i = 2; i < polygon.size(); ++i) twice += Side(polygon[0], polygon[i - 1], polygon[i]);
  return twice / 2;
}

// The part of the polygon that lies on the positive side of the line from a to b, or on it.
Polygon ClippedBy(const Polygon& polygon, const Corner& a, const Corner& b) {
  Polygon kept;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Corner& p = polygon[i];
    const Corner& q = polygon[(i + 1) % polygon.size()];
    const double side_p = Side(a, b, p);
    const double side_q = Side(a, b, q);
    if (side_p >= 0) kept.push_back(p);
    if ((side_p > 0 && side_q < 0) || (side_p < 0 && side_q > 0)) {
      const double t = side_p / (side_p - side_q);
      kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  return kept;
}

Polygon WithPositiveArea(const Quad& quad) {
  Polygon polygon(quad.begin(), quad.end());
  if (SignedArea(polygon) < 0) std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

double Distance(const Corner& a, const Corner& b) { return std::hypot(b.x - a.x, b.y - a.y); }

// How far along the reading direction of `line` the centre of `quad` lies; only its order has a meaning.
double PlaceAlong(const Quad& line, const Quad& quad) {
  const bool is_tall = Distance(line[0], line[3]) >= kTall * Distance(line[0], line[1]);
  const Corner& end = is_tall ? line[3] : line[1];
  double place = 0;
  for (const Corner& corner : quad) place += (end.x - line[0].x) * corner.x + (end.y - line[0].y) * corner.y;
  return place;
}

}  // namespace

double IntersectionOverUnion(const Quad& a, const Quad& b) {
  const Polygon polygon_a = WithPositiveArea(a);
  const Polygon polygon_b = WithPositiveArea(b);
  const double area_a = SignedArea(polygon_a);
  const double area_b = SignedArea(polygon_b);
  if (!(area_a > 0 && area_b > 0)) return 0;
  Polygon common = polygon_a;  // Sutherland and Hodgman: cut by each edge of b in turn
  for (size_t i = 0; i < polygon_b.size(); ++i) {
    common = ClippedBy(common, polygon_b[i], polygon_b[(i + 1) % polygon_b.size()]);
  }
  const double area = std::max(SignedArea(common), 0.0);
  return area / (area_a + area_b - area);
}

Corner CentreOf(const Quad& quad) {
  Corner centre;
  for (const Corner& corner : quad) {
    centre.x += corner.x / 4;
    centre.y += corner.y / 4;
  }
  return centre;
}

bool Contains(const Quad& quad, const Corner& point) {
  const Polygon polygon = WithPositiveArea(quad);
  if (!(SignedArea(polygon) > 0)) return false;
  for (size_t i = 0; i < 4; ++i) {
    if (Side(polygon[i], polygon[(i + 1) % 4], point) < 0) return false;
  }
  return true;
}

LineMatch MatchLines(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found) {
  LineMatch match;
  match.found_of.resize(truth.size());
  for (size_t f = 0; f < found.size(); ++f) {
    double best = 0;
    size_t best_line = 0;
    for (size_t t = 0; t < truth.size(); ++t) {
      const double shared = IntersectionOverUnion(truth[t].quad, found[f].quad);
      if (shared <= best) continue;
      best = shared;
      best_line = t;
    }
    if (best >= kSameLine) {
      match.found_of[best_line].push_back(static_cast<int>(f));
    } else {
      match.unmatched.push_back(static_cast<int>(f));
    }
  }
  for (size_t t = 0; t < truth.size(); ++t) {
    std::vector<int>& lines = match.found_of[t];
    std::stable_sort(lines.begin(), lines.end(), [&](int a, int b) {
      return PlaceAlong(truth[t].quad, found[static_cast<size_t>(a)].quad) <
             PlaceAlong(truth[t].quad, found[static_cast<size_t>(b)].quad);
    });
  }
  return match;
}

std::string JoinedText(const std::vector<PlacedLine>& lines, const std::vector<int>& indices) {
  std::string text;
  for (const int i : indices) text += lines[static_cast<size_t>(i)].text;
  return text;
}

}  // namespace inkread
