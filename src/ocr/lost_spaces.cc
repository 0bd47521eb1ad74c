// Where a line's steps almost say that there is a space.
#include "ocr/lost_spaces.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "ocr/code_point.h"
#include "ocr/words.h"

namespace inkread {
namespace {

// Of the blank's probability. docs/performance.md, Spaces, has what other values find.
constexpr float kProbableSpace = 0.05f;

// Between the middles of two letters, steps: two thirds of the line's height. In words of small type a gap within a word
// (T a, a b) passes for a space now and then.
constexpr double kLettersApart = 4;

bool IsDigit(char32_t c) { return c >= U'0' && c <= U'9'; }

bool IsLetter(char32_t c) { return (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') || (c >= 0xC0 && c < 0x2000); }

// Between the middles of two characters, steps.
double Distance(const CtcCharacter& left, const CtcCharacter& right) {
  return (right.first_step + right.last_step - left.first_step - left.last_step) / 2.0;
}

bool MayBeApart(std::string_view left_text, std::string_view right_text, double distance) {
  const char32_t left = NextCodePoint(left_text), right = NextCodePoint(right_text);
  if (IsLetter(left) && IsLetter(right)) return distance >= kLettersApart;
  if ((IsWordOfItsOwn(left) && IsWordOfItsOwn(right)) || (IsDigit(left) && IsDigit(right))) return false;
  return right != U'.' && right != U',' && !(left == U'.' && right >= U'a' && right <= U'z');
}

}  // namespace

void AddLostSpaces(const Dictionary& dictionary, std::vector<CtcStep>& steps) {
  const int space = dictionary.num_classes() - 1;
  if (dictionary.text(space) != " ") return;  // the last class of a recogniser that knows no spaces is a character
  const std::vector<CtcCharacter> characters = CtcCharacters(steps);
  float mean = 0;
  for (const CtcCharacter& c : characters) mean += c.probability / static_cast<float>(characters.size());
  for (size_t i = 1; i < characters.size(); ++i) {
    const CtcCharacter &left = characters[i - 1], &right = characters[i];
    if (left.index == space || right.index == space) continue;
    if (!MayBeApart(dictionary.text(left.index), dictionary.text(right.index), Distance(left, right))) continue;
    const auto begin = steps.begin() + left.last_step + 1, end = steps.begin() + right.first_step;
    const auto best =
        std::max_element(begin, end, [](const CtcStep& a, const CtcStep& b) { return a.space < b.space; });
    if (best != end && best->space >= kProbableSpace) *best = {space, mean, 1};
  }
}

}  // namespace inkread
