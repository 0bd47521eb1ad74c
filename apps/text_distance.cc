#include "apps/text_distance.h"

#include <utf8proc.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace inkread {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

}  // namespace

std::u32string CodePoints(std::string_view utf8) {
  std::u32string code_points;
  while (!utf8.empty()) {
    utf8proc_int32_t c = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()),
                                                    static_cast<utf8proc_ssize_t>(utf8.size()), &c);
    code_points += bytes > 0 ? static_cast<char32_t>(c) : kReplacement;
    utf8.remove_prefix(bytes > 0 ? static_cast<size_t>(bytes) : 1);
  }
  return code_points;
}

std::u32string NfkcWithoutSpaces(std::string_view utf8) {
  // utf8proc wants sound UTF-8, so what is broken is replaced first.
  std::vector<utf8proc_uint8_t> sound;
  for (const char32_t c : CodePoints(utf8)) {
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
    sound.insert(sound.end(), bytes, bytes + size);
  }
  const auto size = static_cast<utf8proc_ssize_t>(sound.size());
  const auto decomposition = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE);
  // No code point decomposes into more than 18, and a byte is at most one code point.
  std::vector<utf8proc_int32_t> buffer(sound.size() * 18 + 1);
  const utf8proc_ssize_t decomposed = utf8proc_decompose(sound.data(), size, buffer.data(),
                                                         static_cast<utf8proc_ssize_t>(buffer.size()), decomposition);
  const utf8proc_ssize_t composed = utf8proc_normalize_utf32(buffer.data(), decomposed, decomposition);
  std::u32string code_points;
  for (utf8proc_ssize_t i = 0; i < composed; ++i) {
    const auto c = static_cast<char32_t>(buffer[static_cast<size_t>(i)]);
    if (c != ' ') code_points += c;  // the other spaces have become this one
  }
  return code_points;
}

int64_t EditDistance(std::u32string_view a, std::u32string_view b) {
  // row[j] is the distance of the first i code points of `a` to the first j of `b`.
  std::vector<int64_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int64_t>(j);
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t diagonal = std::exchange(row[0], static_cast<int64_t>(i) + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const int64_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row[b.size()];
}

}  // namespace inkread
