// How well found words agree with the truth. bench/result_format.md has the rules.
#ifndef INKREAD_APPS_WORD_SCORE_H_
#define INKREAD_APPS_WORD_SCORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "apps/line_match.h"

namespace inkread {

// Sums over the words of lines that were found.
struct WordScore {
  int64_t words = 0;          // of the truth
  double shared = 0;          // of each the largest IntersectionOverUnion with a found word
  int64_t found_words = 0;    // in lines whose words the truth knows
  int64_t centred_words = 0;  // found words whose centre lies within a word of the truth

  // Mean intersection over union, [0, 1]. Nothing where the truth has no words.
  std::optional<double> Iou() const;
  // Share of the found words whose centre lies within a word of the truth, [0, 1]. Nothing where none was found.
  std::optional<double> Centres() const;
};

void AddWords(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found, WordScore* score);

}  // namespace inkread

#endif  // INKREAD_APPS_WORD_SCORE_H_
