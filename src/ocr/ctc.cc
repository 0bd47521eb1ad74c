// Greedy CTC decoding.
#include "ocr/ctc.h"

namespace inkread {
namespace {

constexpr int32_t kBlank = 0;

}  // namespace

CtcText DecodeCtc(std::span<const CtcStep> steps, const Dictionary& dictionary) {
  CtcText out;
  int num_emitted = 0;
  int32_t previous = kBlank;
  for (const CtcStep& step : steps) {
    INKREAD_CHECK(step.index >= 0 && step.index < dictionary.num_classes());
    if (step.index != kBlank && step.index != previous) {
      out.text += dictionary.text(step.index);
      out.score += step.probability;
      ++num_emitted;
    }
    previous = step.index;
  }
  if (num_emitted > 0) out.score /= num_emitted;
  return out;
}

}  // namespace inkread
