// Where the words and the characters of a recognised line are in the image.
#ifndef INKREAD_OCR_WORDS_H_
#define INKREAD_OCR_WORDS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "image/image.h"
#include "inkread/ocr.h"
#include "ocr/ctc.h"
#include "ocr/dictionary.h"
#include "ocr/line_crop.h"
#include "ocr/rec_input.h"

namespace inkread {

// True for Han, kana, bopomofo, their punctuation and full-width symbols: scripts that are written without spaces, of
// which each character counts as a word.
bool IsWordOfItsOwn(char32_t code_point);

struct LineParts {
  std::vector<Word> words, chars;  // in reading direction
};

// Splits a line. The steps say in which columns of the recogniser's input the centres of the characters are. The ink
// between two centres says where one ends and the next begins; a quad goes around the ink of its part. Quads of words
// do not overlap, nor do those of characters; all are inside the image, and corner i of a quad is the one towards
// corner i of the line's crop.
//
// steps  of the line's input, which is `width` wide; indices in [0, dictionary.num_classes())
LineParts FindWords(std::span<const CtcStep> steps, const Dictionary& dictionary, RecWidth width, const LineShape& line,
                    const ImageView& image);

// Turns the corners of every quad, so that corner `corner` modulo 4 becomes the first.
void BeginQuadsAt(LineParts& parts, size_t corner);

}  // namespace inkread

#endif  // INKREAD_OCR_WORDS_H_
