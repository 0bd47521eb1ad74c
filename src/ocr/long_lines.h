// Lines that are too long for one input of the recogniser.
#ifndef INKREAD_OCR_LONG_LINES_H_
#define INKREAD_OCR_LONG_LINES_H_

#include <span>
#include <vector>

#include "ocr/ctc.h"
#include "ocr/rec_input.h"

namespace inkread {

// A part of a line that is recognised by itself. Columns are those of the recogniser's input.
struct LinePart {
  int first_column = 0;
  RecWidth width;
  double begin = 0, end = 1;  // shares of the line's length
};

// The inputs in which a line of width x height px is recognised. A line of up to 16000 columns is one part, as is every
// line under the official rule. Parts of longer lines have 8000 columns and 480 more in common with the next part. A
// line of more than 128,000 columns is squeezed to these.
std::vector<LinePart> PartsOfLine(int width, int height, RecWidthRule rule);

// The width of the whole line's input, if there were one.
RecWidth WholeWidth(std::span<const LinePart> parts);

// The steps of a line from those of its parts. Of the columns that two parts have in common, the first ones are taken
// from the left part and the others from the right one: they change in the middle of the widest gap, where both have
// only blanks. A character is whole in one part at least, unless it is wider than what they have in common.
std::vector<CtcStep> JoinParts(std::span<const LinePart> parts, std::span<const std::vector<CtcStep>> steps);

}  // namespace inkread

#endif  // INKREAD_OCR_LONG_LINES_H_
