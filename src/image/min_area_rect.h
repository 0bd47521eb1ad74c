// Convex hulls of integer points, and the rectangle of minimum area around a hull, with the same bits as OpenCV 4.10.
//
// The last bit matters because later steps truncate the corners: a corner that is mathematically 22 must be 21.99997
// if OpenCV computes that.
#ifndef INKREAD_IMAGE_MIN_AREA_RECT_H_
#define INKREAD_IMAGE_MIN_AREA_RECT_H_

#include <span>
#include <vector>

#include "image/geometry.h"

namespace inkread {

// The strictly convex hull, clockwise on a screen, beginning with the first point. It has at most two points if the
// points have no area.
//
// points  sorted by (y, x), duplicates allowed; coordinates within +-2^30
std::vector<Point> ConvexHullOfSorted(std::span<const Point> points);

// The same for points in any order.
std::vector<Point> ConvexHull(std::span<const Point> points);

struct MinAreaRect {
  PointF centre;
  float width = 0, height = 0;  // px between pixel centres: 2 for a bar that is 3 px thick
  float angle_deg = 0;
};

// hull  at least one point, in the direction of ConvexHull. Its first point affects the last bits of the result. The
//       rules for it are at BeginHullAfterTop and MinAreaRectOfQuad, and in components.h.
MinAreaRect FindMinAreaRect(std::span<const Point> hull);

// Rotates a hull to begin after its topmost point (of several the rightmost). This is the rule for offset polygons.
void BeginHullAfterTop(std::vector<Point>* hull);

// For four corners. The hull begins with the first corner that is on it.
MinAreaRect MinAreaRectOfQuad(const Quad& quad);

// The corners in the order top left, top right, bottom right, bottom left. The left pair has the two smallest x; within
// a pair the top corner has the smaller y.
QuadF OrderedCorners(const MinAreaRect& rect);

}  // namespace inkread

#endif  // INKREAD_IMAGE_MIN_AREA_RECT_H_
