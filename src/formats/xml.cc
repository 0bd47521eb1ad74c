#include "formats/xml.h"

#include <utf8proc.h>

#include <cstdint>

namespace inkread {
namespace {

// The production Char of XML 1.0; utf8proc refuses surrogates and what is above U+10FFFF.
bool IsXmlCharacter(int32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

}  // namespace

std::string XmlText(std::string_view text) {
  std::string xml;
  for (size_t at = 0; at < text.size();) {
    int32_t c = -1;
    const utf8proc_ssize_t length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                                                     static_cast<utf8proc_ssize_t>(text.size() - at), &c);
    const size_t size = length > 0 ? static_cast<size_t>(length) : 1;
    if (length <= 0 || !IsXmlCharacter(c)) {
      xml += "\xEF\xBF\xBD";
    } else if (c == '&') {
      xml += "&amp;";
    } else if (c == '<') {
      xml += "&lt;";
    } else if (c == '>') {
      xml += "&gt;";
    } else if (c == '"') {
      xml += "&quot;";
    } else if (c == '\'') {
      xml += "&#39;";
    } else {
      xml += text.substr(at, size);
    }
    at += size;
  }
  return xml;
}

}  // namespace inkread
