// How well found texts agree with the truth, by the rules of bench/result_format.md.
#ifndef INKREAD_APPS_TEXT_SCORE_H_
#define INKREAD_APPS_TEXT_SCORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "apps/line_match.h"

namespace inkread {

// In which form texts are compared.
enum class TextForm { kRaw, kNfkcWithoutSpaces };

// Sums over images.
struct TextScore {
  int64_t lines = 0;         // of the truth
  int64_t exact_lines = 0;   // found, and without an edit
  int64_t exact_images = 0;  // every line exact, and nothing more found
  int64_t characters = 0;    // code points of the truth
  int64_t edits = 0;         // that make the found texts of the truth; lines found on one side only count whole

  // Edits a character of the truth; nothing where the truth has none.
  std::optional<double> Cer() const;
};

void AddImage(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found, TextForm form,
              TextScore* score);

}  // namespace inkread

#endif  // INKREAD_APPS_TEXT_SCORE_H_
