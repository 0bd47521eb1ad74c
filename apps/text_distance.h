// Texts as code points, and the edit distance of two of them.
#ifndef INKREAD_APPS_TEXT_DISTANCE_H_
#define INKREAD_APPS_TEXT_DISTANCE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace inkread {

// The code points of a text in UTF-8. Each byte that belongs to none becomes U+FFFD.
std::u32string CodePoints(std::string_view utf8);

// The same after Unicode's compatibility composition (NFKC), without U+0020. Full-width and half-width forms, circled
// digits, ligatures and wide spaces count as the characters that they stand for.
std::u32string NfkcWithoutSpaces(std::string_view utf8);

// Levenshtein distance: the minimum number of insertions, deletions and replacements of code points from `a` to `b`.
int64_t EditDistance(std::u32string_view a, std::u32string_view b);

}  // namespace inkread

#endif  // INKREAD_APPS_TEXT_DISTANCE_H_
