// A file mapped read-only into memory.
#ifndef INKREAD_BASE_MAPPED_FILE_H_
#define INKREAD_BASE_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"

namespace inkread {

class MappedFile {
 public:
  // Errors  kNotFound (cannot be opened, or not a regular file; says why)
  static Result<MappedFile> Open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const uint8_t> bytes() const { return {static_cast<const uint8_t*>(data_), size_bytes_}; }

 private:
  MappedFile(void* data, size_t size_bytes) : data_(data), size_bytes_(size_bytes) {}

  void* data_;  // nullptr for an empty file
  size_t size_bytes_;
};

}  // namespace inkread

#endif  // INKREAD_BASE_MAPPED_FILE_H_
