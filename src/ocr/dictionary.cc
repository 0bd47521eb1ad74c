// Reads and checks dictionaries.
#include "ocr/dictionary.h"

#include <cstdint>
#include <utility>

namespace inkread {
namespace {

// Whether the bytes are well-formed UTF-8: no stray, overlong or surrogate code, none above U+10FFFF.
bool IsUtf8(std::string_view s) {
  const auto byte = [&](size_t i) -> uint32_t { return i < s.size() ? static_cast<uint8_t>(s[i]) : 0; };
  for (size_t i = 0; i < s.size();) {
    const uint32_t lead = byte(i);
    const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    if (length == 0) return false;
    if (length > 1) {
      uint32_t code = lead & (0xFFu >> (length + 1));
      for (size_t k = 1; k < length; ++k) {
        if (byte(i + k) >> 6 != 2) return false;
        code = code << 6 | (byte(i + k) & 0x3F);
      }
      constexpr uint32_t kMin[5] = {0, 0, 0x80, 0x800, 0x10000};
      if (code < kMin[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    }
    i += length;
  }
  return true;
}

}  // namespace

Result<Dictionary> Dictionary::FromText(std::string_view text, const std::string& name, int num_classes,
                                        bool may_lack_space) {
  Dictionary out;
  out.classes_.emplace_back();
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view entry = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // Removes the line end only: U+3000, which is white space too, is an entry.
    if (!entry.empty() && entry.back() == '\r') entry.remove_suffix(1);
    if (entry.empty()) return CorruptModel(name, ": line ", out.classes_.size(), " of the dictionary is empty");
    if (!IsUtf8(entry)) return CorruptModel(name, ": line ", out.classes_.size(), " of the dictionary is not UTF-8");
    out.classes_.emplace_back(entry);
  }
  // A recogniser that was trained without a space has no class for it.
  if (!may_lack_space || out.num_classes() != num_classes) out.classes_.emplace_back(" ");
  if (out.num_classes() != num_classes) {
    return CorruptModel(name, ": has ", out.num_classes() - 2, " entries, expected ", num_classes - 2,
                        ": the recogniser's ", num_classes, " classes less blank and space");
  }
  return out;
}

}  // namespace inkread
