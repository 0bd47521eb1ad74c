// Convex hulls of integer points, and the rectangle of least area around one, to the last bit as OpenCV 4.10 has it.
//
// The corners matter to the last bit because later steps truncate them: a corner that is mathematically 22 comes out
// as 21.99997, and must.
#ifndef INKREAD_IMAGE_MIN_AREA_RECT_H_
#define INKREAD_IMAGE_MIN_AREA_RECT_H_

#include <span>
#include <vector>

#include "image/geometry.h"

namespace inkread {

// The strictly convex hull of points sorted by (y, x), duplicates allowed: clockwise as seen on a screen, beginning
// with the first point. One or two points, or none, when there is no area. Coordinates within +-2^30.
std::vector<Point> ConvexHullOfSorted(std::span<const Point> points);

// The same of points in any order.
std::vector<Point> ConvexHull(std::span<const Point> points);

struct MinAreaRect {
  PointF centre;
  float width = 0, height = 0;  // between pixel centres: of a bar 3 px thick it is 2
  float angle_deg = 0;
};

// hull  at least one point, in ConvexHull's direction. Where it begins decides the last bits; the callers' rules are
//       at BeginHullAfterTop and MinAreaRectOfQuad, and in components.h.
MinAreaRect FindMinAreaRect(std::span<const Point> hull);

// Turns a hull so that it begins after its topmost point (the rightmost of these): the rule for offset polygons.
void BeginHullAfterTop(std::vector<Point>* hull);

// Of four corners; the hull begins with the first corner that is on it.
MinAreaRect MinAreaRectOfQuad(const Quad& quad);

// The corners as top left, top right, bottom right, bottom left: the two leftmost, then each pair by y.
QuadF OrderedCorners(const MinAreaRect& rect);

}  // namespace inkread

#endif  // INKREAD_IMAGE_MIN_AREA_RECT_H_
