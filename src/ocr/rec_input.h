// The recogniser's input: one line at height 48, normalised, padded on the right.
#ifndef INKREAD_OCR_REC_INPUT_H_
#define INKREAD_OCR_REC_INPUT_H_

#include "image/image.h"
#include "image/image_rule.h"

namespace inkread {

constexpr int kRecHeight = 48;  // px

enum class RecWidthRule {
  kOfficial,  // 320 to 3200, truncated; a longer line is squeezed
  // 192 to 16000, rounded up to a multiple of 8; a longer line is squeezed, unless it was cut (long_lines.h). Reads
  // more lines correctly.
  kMeasured,
};

// How lines are recognised; the defaults are what reads most of them correctly.
struct RecParams {
  RecWidthRule width_rule = RecWidthRule::kMeasured;
  bool find_spaces = true;  // AddLostSpaces
};

struct RecWidth {
  int total = 0;  // columns of the input
  int used = 0;   // columns of the line; the rest is padding
  friend bool operator==(const RecWidth&, const RecWidth&) = default;
};

// For a line of width x height px, both >= 1. Depends on nothing but the line's own shape.
RecWidth RecInputWidth(int width, int height, RecWidthRule rule);

// Adds to a rule that cuts out a line how the recogniser's input [48, width.total, 3] is made of it: channels B, G, R
// in [-1, 1], 0.0 in the padding.
void SetRecInput(RecWidth width, ImageRule& rule);

// (u / 255 - 0.5) / 0.5.
const Normalisation& HalfNormalisation();

}  // namespace inkread

#endif  // INKREAD_OCR_REC_INPUT_H_
