#include "formats/placed_words.h"

#include <string>

namespace inkread {

std::vector<PlacedWord> PlacedWords(const Line& line) {
  std::vector<PlacedWord> words;
  if (line.text.empty()) return words;
  if (line.words.empty()) return {{{line.quad, line.text, line.score}, false}};
  size_t end = 0;  // of the word before, in the line's text
  for (const Word& word : line.words) {
    const size_t at = line.text.find(word.text, end);
    words.push_back({word, !words.empty() && at != end});
    if (at != std::string::npos) end = at + word.text.size();
  }
  return words;
}

}  // namespace inkread
