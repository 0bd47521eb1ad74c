// Matches found lines with lines of the truth by their places in the image, never by their text.
#ifndef INKREAD_APPS_LINE_MATCH_H_
#define INKREAD_APPS_LINE_MATCH_H_

#include <array>
#include <string>
#include <vector>

namespace inkread {

// A corner in px. Unlike Point it may have fractions, as the truth has.
struct Corner {
  double x = 0;
  double y = 0;
};
using Quad = std::array<Corner, 4>;

// A line of text and its place: the corners, clockwise from the top left of the text.
struct PlacedLine {
  std::string text;  // UTF-8
  Quad quad;
  std::vector<Quad> words{};  // the places of its words; empty where they are not known
};

// Intersection over union of two convex quads, [0, 1], exact except for rounding. 0 where one of them has no area.
double IntersectionOverUnion(const Quad& a, const Quad& b);

// The mean of the corners.
Corner CentreOf(const Quad& quad);

// Whether a point is within a convex quad or on its edge. False where the quad has no area.
bool Contains(const Quad& quad, const Corner& point);

struct LineMatch {
  std::vector<std::vector<int>> found_of;  // for each line of the truth its found lines, in reading direction
  std::vector<int> unmatched;              // found lines without a line of the truth, in their order
};

// A found line belongs to the line of the truth with the largest IntersectionOverUnion, if that is at least 0.5; to the
// first of equals. Several that belong to one are ordered by their centres along its reading direction: its top edge,
// or its left edge where that is at least 1.5 times as long.
LineMatch MatchLines(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found);

// The texts of some lines, concatenated in the order of `indices`.
std::string JoinedText(const std::vector<PlacedLine>& lines, const std::vector<int>& indices);

}  // namespace inkread

#endif  // INKREAD_APPS_LINE_MATCH_H_
