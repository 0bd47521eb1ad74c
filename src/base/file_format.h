// Names the format of a file that is not what was expected, for messages.
#ifndef INKREAD_BASE_FILE_FORMAT_H_
#define INKREAD_BASE_FILE_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace inkread {

// Number of bytes at the start of a file by which FileFormatName knows it.
inline constexpr size_t kFileFormatBytes = 1024;

// What the first bytes of a file tell, with its article: "a PDF document", "text". Empty for any other bytes, and for
// the formats that inkread reads.
std::string_view FileFormatName(std::span<const uint8_t> first_bytes);

}  // namespace inkread

#endif  // INKREAD_BASE_FILE_FORMAT_H_
