#include "formats/code_points.h"

#include <utf8proc.h>

#include <cstdint>

namespace inkread {

std::u32string CodePointsOf(std::string_view text) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::u32string points;
  while (!text.empty()) {
    int32_t c = -1;
    const utf8proc_ssize_t length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                     static_cast<utf8proc_ssize_t>(text.size()), &c);
    points += length > 0 ? static_cast<char32_t>(c) : kReplacement;
    text.remove_prefix(length > 0 ? static_cast<size_t>(length) : 1);
  }
  return points;
}

}  // namespace inkread
