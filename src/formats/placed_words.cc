#include "formats/placed_words.h"

#include <algorithm>
#include <string>

namespace inkread {

Box BoxOf(const std::array<Point, 4>& quad) {
  Box box{quad[0].x, quad[0].y, quad[0].x, quad[0].y};
  for (const Point& p : quad) {
    box.left = std::min(box.left, p.x);
    box.top = std::min(box.top, p.y);
    box.right = std::max(box.right, p.x);
    box.bottom = std::max(box.bottom, p.y);
  }
  return box;
}

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
