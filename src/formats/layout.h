// Text that keeps the page's layout, for a typeface whose characters are equally wide.
#ifndef INKREAD_FORMATS_LAYOUT_H_
#define INKREAD_FORMATS_LAYOUT_H_

#include <string>

#include "inkread/ocr.h"

namespace inkread {

// Lines that stand beside each other share a row, each from the column at which it begins on the page; a large gap
// between rows is an empty row. Han, kana and other wide characters take two columns.
std::string LayoutText(const Reading& reading);

}  // namespace inkread

#endif  // INKREAD_FORMATS_LAYOUT_H_
