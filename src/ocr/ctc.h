// Greedy CTC decoding: the most probable class of each step -> text.
#ifndef INKREAD_OCR_CTC_H_
#define INKREAD_OCR_CTC_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ocr/dictionary.h"

namespace inkread {

// What the recogniser says of a step (schedule/steps/ctc_head_params.h).
struct CtcStep {
  int32_t index = 0;      // the most probable class, the first of equals
  float probability = 0;  // of that class; 0 for the blank
  float space = 0;        // probability of a space, as a multiple of that of the class; 1 at most
};

// Consecutive steps of one class other than the blank: a character of the text.
struct CtcCharacter {
  int32_t index = 0;      // the class
  float probability = 0;  // of the first step
  int first_step = 0, last_step = 0;
};

struct CtcText {
  std::string text;  // UTF-8
  double score = 0;  // in [0, 1]: mean probability of the steps that added to the text; 0 for an empty text
};

// A step adds its class unless that is the blank or the class of the previous step.
std::vector<CtcCharacter> CtcCharacters(std::span<const CtcStep> steps);

// The text of the steps' characters. Indices must be in [0, dictionary.num_classes()).
CtcText DecodeCtc(std::span<const CtcStep> steps, const Dictionary& dictionary);

}  // namespace inkread

#endif  // INKREAD_OCR_CTC_H_
