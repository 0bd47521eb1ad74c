// The characters of UTF-8 text.
#ifndef INKREAD_OCR_CODE_POINT_H_
#define INKREAD_OCR_CODE_POINT_H_

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace inkread {

// Removes the first code point from the text and returns it.
//
// utf8  valid, as the entries of a dictionary are, and not empty
inline char32_t NextCodePoint(std::string_view& utf8) {
  const auto lead = static_cast<unsigned char>(utf8.front());
  const size_t length = std::min<size_t>(lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4, utf8.size());
  char32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) point = point << 6 | (static_cast<unsigned char>(utf8[i]) & 0x3Fu);
  utf8.remove_prefix(length);
  return point;
}

}  // namespace inkread

#endif  // INKREAD_OCR_CODE_POINT_H_
