#include "apps/word_score.h"

#include <algorithm>

namespace inkread {
namespace {

std::optional<double> Share(double part, int64_t whole) {
  if (whole == 0) return std::nullopt;
  return part / static_cast<double>(whole);
}

}  // namespace

std::optional<double> WordScore::Iou() const { return Share(shared, words); }
std::optional<double> WordScore::Centres() const { return Share(static_cast<double>(centred_words), found_words); }

void AddWords(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found, WordScore* score) {
  const LineMatch match = MatchLines(truth, found);
  for (size_t t = 0; t < truth.size(); ++t) {
    const std::vector<Quad>& drawn = truth[t].words;
    if (drawn.empty() || match.found_of[t].empty()) continue;
    std::vector<double> shared(drawn.size());
    for (const int f : match.found_of[t]) {
      for (const Quad& word : found[static_cast<size_t>(f)].words) {
        const Corner centre = CentreOf(word);
        bool is_centred = false;
        for (size_t w = 0; w < drawn.size(); ++w) {
          shared[w] = std::max(shared[w], IntersectionOverUnion(drawn[w], word));
          is_centred = is_centred || Contains(drawn[w], centre);
        }
        ++score->found_words;
        score->centred_words += is_centred ? 1 : 0;
      }
    }
    score->words += static_cast<int64_t>(drawn.size());
    for (const double share : shared) score->shared += share;
  }
}

}  // namespace inkread
