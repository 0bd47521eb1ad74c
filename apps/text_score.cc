#include "apps/text_score.h"

#include "apps/text_distance.h"

namespace inkread {
namespace {

std::u32string InForm(const std::string& text, TextForm form) {
  return form == TextForm::kRaw ? CodePoints(text) : NfkcWithoutSpaces(text);
}

}  // namespace

std::optional<double> TextScore::Cer() const {
  if (characters == 0) return std::nullopt;
  return static_cast<double>(edits) / static_cast<double>(characters);
}

void AddImage(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found, TextForm form,
              TextScore* score) {
  const LineMatch match = MatchLines(truth, found);
  int64_t exact = 0;
  int64_t edits = 0;
  for (size_t t = 0; t < truth.size(); ++t) {
    const std::u32string wanted = InForm(truth[t].text, form);
    const int64_t distance = EditDistance(wanted, InForm(JoinedText(found, match.found_of[t]), form));
    if (distance == 0 && !match.found_of[t].empty()) ++exact;
    edits += distance;
    score->characters += static_cast<int64_t>(wanted.size());
  }
  for (const int f : match.unmatched) {
    edits += static_cast<int64_t>(InForm(found[static_cast<size_t>(f)].text, form).size());
  }
  score->lines += static_cast<int64_t>(truth.size());
  score->exact_lines += exact;
  score->edits += edits;
  if (exact == static_cast<int64_t>(truth.size()) && edits == 0) ++score->exact_images;
}

}  // namespace inkread
