// UTF-8 as code points.
#ifndef INKREAD_FORMATS_CODE_POINTS_H_
#define INKREAD_FORMATS_CODE_POINTS_H_

#include <string>
#include <string_view>

namespace inkread {

// Each byte that is not part of UTF-8 is U+FFFD.
std::u32string CodePointsOf(std::string_view text);

}  // namespace inkread

#endif  // INKREAD_FORMATS_CODE_POINTS_H_
