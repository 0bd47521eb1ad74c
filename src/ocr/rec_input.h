// The recogniser's input: one line at height 48, normalised, padded on the right.
#ifndef INKREAD_OCR_REC_INPUT_H_
#define INKREAD_OCR_REC_INPUT_H_

#include "image/image.h"
#include "image/image_rule.h"
#include "image/resize.h"

namespace inkread {

constexpr int kRecHeight = 48;  // px

enum class RecWidthRule {
  kOfficial,  // at least 320, truncated, at most 3200: a longer line is squeezed
  kMeasured,  // at least 192, rounded up to a multiple of 8, squeezed only above 16000; reads more lines right
};

struct RecWidth {
  int total = 0;  // columns of the input
  int used = 0;   // columns of the line; the rest is padding
  friend bool operator==(const RecWidth&, const RecWidth&) = default;
};

// For a line of width x height px, both >= 1. It depends on nothing but the line's own shape.
RecWidth RecInputWidth(int width, int height, RecWidthRule rule);

// Writes out [48, width.total, 3], channels B, G, R in [-1, 1], 0.0 in the padding.
void FillRecInput(const ImageView& line, RecWidth width, float* out);

// The same as a device is told to do it, behind what `rule` says already.
void SetRecInput(RecWidth width, ImageRule& rule);

// (u / 255 - 0.5) / 0.5.
const Normalisation& HalfNormalisation();

}  // namespace inkread

#endif  // INKREAD_OCR_REC_INPUT_H_
