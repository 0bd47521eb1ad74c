// The words of a line, as formats by word write them.
#ifndef INKREAD_FORMATS_PLACED_WORDS_H_
#define INKREAD_FORMATS_PLACED_WORDS_H_

#include <array>
#include <vector>

#include "inkread/ocr.h"

namespace inkread {

// Upright rectangle around a quad, px; right and bottom are corners, as in Point.
struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;
  int width() const { return right - left; }
  int height() const { return bottom - top; }
};

Box BoxOf(const std::array<Point, 4>& quad);

struct PlacedWord {
  Word word;
  bool space_before = false;  // whether the line's text has a space between this word and the one before
};

// In reading direction. A line that was read without words is one word; a line without text has none.
std::vector<PlacedWord> PlacedWords(const Line& line);

}  // namespace inkread

#endif  // INKREAD_FORMATS_PLACED_WORDS_H_
