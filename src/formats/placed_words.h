// The words of a line, as formats by word write them.
#ifndef INKREAD_FORMATS_PLACED_WORDS_H_
#define INKREAD_FORMATS_PLACED_WORDS_H_

#include <vector>

#include "inkread/ocr.h"

namespace inkread {

struct PlacedWord {
  Word word;
  bool space_before = false;  // whether the line's text has a space between this word and the one before
};

// In reading direction. A line that was read without words is one word; a line without text has none.
std::vector<PlacedWord> PlacedWords(const Line& line);

}  // namespace inkread

#endif  // INKREAD_FORMATS_PLACED_WORDS_H_
