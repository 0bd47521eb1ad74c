// The 0/180 degree classifiers of text lines: their input and their decision.
#ifndef INKREAD_OCR_CLS_INPUT_H_
#define INKREAD_OCR_CLS_INPUT_H_

#include "image/image.h"
#include "image/image_rule.h"
#include "ocr/det_input.h"

namespace inkread {

enum class ClsKind {
  kLegacy,  // MobileNetV3 of PP-OCR v2: aspect kept, padded to 48 x 192, BGR; turned above a probability of 0.9
  kLcnet,   // PP-LCNet: stretched to 80 x 160, RGB; the greater of the two probabilities decides
};

Size ClsInputSize(ClsKind kind);

// Adds to a rule that cuts out a line of width x height px how the classifier's input of ClsInputSize(kind) is made of
// it. Channels are B, G, R for kLegacy and R, G, B for kLcnet.
void SetClsInput(ClsKind kind, int width, int height, ImageRule& rule);

// Whether the line is upside down, from the classifier's probabilities of 0 and of 180 degrees.
bool IsUpsideDown(ClsKind kind, float upright, float upside_down);

}  // namespace inkread

#endif  // INKREAD_OCR_CLS_INPUT_H_
