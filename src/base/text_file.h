// Small files of text, such as settings and dictionaries.
#ifndef INKREAD_BASE_TEXT_FILE_H_
#define INKREAD_BASE_TEXT_FILE_H_

#include <cstdint>
#include <string>

#include "base/status.h"

namespace inkread {

// A hundred times the largest dictionary. A longer file is none of ours, and splitting it into lines would take
// several times its length in memory.
inline constexpr int64_t kMaxTextFileBytes = int64_t{16} << 20;

// Reads the whole file, without a byte order mark and with \n at the line ends: editors write them in other ways.
//
// Errors  kNotFound (cannot be opened, or not a regular file; says why), kCorruptModel (more than kMaxTextFileBytes)
Result<std::string> ReadTextFile(const std::string& path);

}  // namespace inkread

#endif  // INKREAD_BASE_TEXT_FILE_H_
