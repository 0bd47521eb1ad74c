// The names that `inkread read` has for the records and writers of inkread/formats.h.
#ifndef INKREAD_APPS_OUTPUT_H_
#define INKREAD_APPS_OUTPUT_H_

#include "inkread/formats.h"

namespace inkread {

using Entry = Page;
using Output = PageWriter;

}  // namespace inkread

#endif  // INKREAD_APPS_OUTPUT_H_
