// How well found texts agree with the truth. bench/result_format.md has the rules.
#ifndef INKREAD_APPS_TEXT_SCORE_H_
#define INKREAD_APPS_TEXT_SCORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "apps/line_match.h"

namespace inkread {

// The form in which texts are compared.
enum class TextForm { kRaw, kNfkcWithoutSpaces };

// Sums over images.
struct TextScore {
  int64_t lines = 0;         // of the truth
  int64_t exact_lines = 0;   // found, and without an edit
  int64_t exact_images = 0;  // every line exact, and no other line found
  int64_t characters = 0;    // code points of the truth
  int64_t edits = 0;         // from the truth to the found texts; all characters of a line that only one side has

  // Character error rate: edits divided by characters. Nothing where the truth has no characters.
  std::optional<double> Cer() const;
};

void AddImage(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found, TextForm form,
              TextScore* score);

}  // namespace inkread

#endif  // INKREAD_APPS_TEXT_SCORE_H_
