// Which found lines stand for which lines of the truth: by where they are in the image, never by what they say.
#ifndef INKREAD_APPS_LINE_MATCH_H_
#define INKREAD_APPS_LINE_MATCH_H_

#include <array>
#include <string>
#include <vector>

namespace inkread {

// A corner in px. The truth has fractions, which Point has not.
struct Corner {
  double x = 0;
  double y = 0;
};
using Quad = std::array<Corner, 4>;

// A line of text and where it stands: corners from the text's own top left round it.
struct PlacedLine {
  std::string text;  // UTF-8
  Quad quad;
};

// Area of the common part of two convex quads over the area of both together, [0, 1]. Exact but for rounding. 0 where
// one of them has no area.
double IntersectionOverUnion(const Quad& a, const Quad& b);

struct LineMatch {
  std::vector<std::vector<int>> found_of;  // for each line of the truth its found lines, in reading direction
  std::vector<int> unmatched;              // found lines that belong to none, in their order
};

// A found line belongs to the truth line with which it shares the largest IntersectionOverUnion, if that is 0.5 or
// more; the first of equals. Several that belong to one are ordered by where their centre lies along that line's
// reading direction: its top edge, or its left edge where that is at least 1.5 times as long.
LineMatch MatchLines(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found);

// The texts of some lines in the order of `indices`, one after another.
std::string JoinedText(const std::vector<PlacedLine>& lines, const std::vector<int>& indices);

}  // namespace inkread

#endif  // INKREAD_APPS_LINE_MATCH_H_
