// The 0/180 degree classifiers of text lines: what they read and how their answer is taken.
#ifndef INKREAD_OCR_CLS_INPUT_H_
#define INKREAD_OCR_CLS_INPUT_H_

#include "image/image.h"
#include "image/image_rule.h"
#include "ocr/det_input.h"

namespace inkread {

enum class ClsKind {
  kLegacy,  // MobileNetV3 of PP-OCR v2: aspect kept, padded to 48 x 192, BGR; turned above probability 0.9
  kLcnet,   // PP-LCNet: stretched to 80 x 160, R, G, B; the greater of the two decides
};

Size ClsInputSize(ClsKind kind);

// Writes out [height, width, 3] of ClsInputSize(kind). Channels B, G, R for kLegacy and R, G, B for kLcnet.
void FillClsInput(const ImageView& line, ClsKind kind, float* out);

// The same as a device is told to do it, behind what `rule` says already, for a line of width x height px.
void SetClsInput(ClsKind kind, int width, int height, ImageRule& rule);

// Whether the line is upside down, from the classifier's probabilities of 0 and of 180 degrees.
bool IsUpsideDown(ClsKind kind, float upright, float upside_down);

}  // namespace inkread

#endif  // INKREAD_OCR_CLS_INPUT_H_
