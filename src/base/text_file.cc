#include "base/text_file.h"

#include <string_view>

#include "base/mapped_file.h"

namespace inkread {

Result<std::string> ReadTextFile(const std::string& path) {
  INKREAD_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
  const std::span<const uint8_t> bytes = file.bytes();
  if (bytes.size() > static_cast<size_t>(kMaxTextFileBytes)) {
    return CorruptModel(path, ": expected a text of at most ", kMaxTextFileBytes, " bytes, found ", bytes.size());
  }
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  std::string text;
  text.reserve(rest.size());
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] != '\r') {
      text += rest[i];
    } else if (i + 1 == rest.size() || rest[i + 1] != '\n') {
      text += '\n';
    }
  }
  return text;
}

}  // namespace inkread
