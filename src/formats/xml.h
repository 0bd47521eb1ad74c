// Text as XML has it.
#ifndef INKREAD_FORMATS_XML_H_
#define INKREAD_FORMATS_XML_H_

#include <string>
#include <string_view>

namespace inkread {

// For content and for attributes in either quotation mark. Bytes that are no UTF-8, and characters that XML 1.0 has no
// place for, become U+FFFD.
std::string XmlText(std::string_view text);

}  // namespace inkread

#endif  // INKREAD_FORMATS_XML_H_
