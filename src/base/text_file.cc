#include "base/text_file.h"

#include "base/mapped_file.h"

namespace inkread {

Result<std::string> ReadTextFile(const std::string& path) {
  INKREAD_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
  const std::span<const uint8_t> bytes = file.bytes();
  if (bytes.size() > static_cast<size_t>(kMaxTextFileBytes)) {
    return CorruptModel(path, ": expected a text of at most ", kMaxTextFileBytes, " bytes, found ", bytes.size());
  }
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace inkread
