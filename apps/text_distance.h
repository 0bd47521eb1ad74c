// Texts as code points, and how far apart two of them are.
#ifndef INKREAD_APPS_TEXT_DISTANCE_H_
#define INKREAD_APPS_TEXT_DISTANCE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace inkread {

// The code points of UTF-8 as they are; each byte that belongs to none becomes U+FFFD.
std::u32string CodePoints(std::string_view utf8);

// The same in Unicode's compatibility composition (NFKC), then without U+0020: full-width and half-width forms, circled
// digits, ligatures, wide spaces and the like count as what they stand for.
std::u32string NfkcWithoutSpaces(std::string_view utf8);

// Levenshtein: the least number of code points inserted, deleted or replaced that makes `b` of `a`.
int64_t EditDistance(std::u32string_view a, std::u32string_view b);

}  // namespace inkread

#endif  // INKREAD_APPS_TEXT_DISTANCE_H_
