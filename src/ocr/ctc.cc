// Greedy CTC decoding.
#include "ocr/ctc.h"

namespace inkread {
namespace {

constexpr int32_t kBlank = 0;

}  // namespace

std::vector<CtcCharacter> CtcCharacters(std::span<const CtcStep> steps) {
  std::vector<CtcCharacter> characters;
  int32_t previous = kBlank;
  for (size_t i = 0; i < steps.size(); ++i) {
    const CtcStep& step = steps[i];
    const int number = static_cast<int>(i);
    if (step.index != kBlank && step.index != previous) {
      characters.push_back({step.index, step.probability, number, number});
    } else if (step.index != kBlank) {
      characters.back().last_step = number;
    }
    previous = step.index;
  }
  return characters;
}

CtcText DecodeCtc(std::span<const CtcStep> steps, const Dictionary& dictionary) {
  CtcText out;
  const std::vector<CtcCharacter> characters = CtcCharacters(steps);
  for (const CtcCharacter& character : characters) {
    INKREAD_CHECK(character.index >= 0 && character.index < dictionary.num_classes());
    out.text += dictionary.text(character.index);
    out.score += character.probability;
  }
  if (!characters.empty()) out.score /= static_cast<double>(characters.size());
  return out;
}

}  // namespace inkread
