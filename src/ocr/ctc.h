// Greedy CTC decoding: from the likeliest class of each step to text.
#ifndef INKREAD_OCR_CTC_H_
#define INKREAD_OCR_CTC_H_

#include <cstdint>
#include <span>
#include <string>

#include "ocr/dictionary.h"

namespace inkread {

// The likeliest class of a step, the first on ties, and its probability.
struct CtcStep {
  int32_t index = 0;
  float probability = 0;
};

struct CtcText {
  std::string text;  // UTF-8
  double score = 0;  // mean probability of the steps that made the text, in [0, 1]; 0 for an empty text
};

// A step adds its class unless that is the blank or the class of the step just before. Indices lie in
// [0, dictionary.num_classes()).
CtcText DecodeCtc(std::span<const CtcStep> steps, const Dictionary& dictionary);

}  // namespace inkread

#endif  // INKREAD_OCR_CTC_H_
