// Tables of the contents of result files.
#ifndef INKREAD_APPS_BENCH_TABLE_H_
#define INKREAD_APPS_BENCH_TABLE_H_

#include <ostream>
#include <vector>

#include "formats/reading_json.h"

namespace inkread {

// A row for each member that holds a text, number or boolean in one of the objects: its name, and its value in each
// ("-" where it is null or not there). `with_ratio` adds the second value divided by the first where both are numbers.
// Texts too wide for their column stand below the name, numbered.
void PrintMembers(const std::vector<const Json*>& objects, bool with_ratio, std::ostream* out);

}  // namespace inkread

#endif  // INKREAD_APPS_BENCH_TABLE_H_
