// The bytes of the files that a command reads.
#ifndef INKREAD_APPS_FILE_BYTES_H_
#define INKREAD_APPS_FILE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "apps/inputs.h"
#include "inkread/document.h"

namespace inkread {

// An image file's bytes, in memory or mapped.
class FileBytes {
 public:
  FileBytes() = default;

  std::span<const uint8_t> bytes() const { return {data_.get(), size_}; }

 private:
  friend Result<FileBytes> ReadImageBytes(const Input& input, int64_t max_bytes_read);

  struct Release {
    size_t mapped_bytes;  // 0: allocated by std::malloc
    void operator()(uint8_t* data) const;
  };

  // Makes room for `size` bytes in all; those that are here stay. False without memory.
  bool Reserve(size_t size);

  std::unique_ptr<uint8_t, Release> data_{nullptr, Release{0}};
  size_t size_ = 0;
};

// Reads an image file, pipe, device or standard input. If the first bytes are not those of a format that is decoded,
// nothing more is read, so that neither a video nor an endless stream costs memory; ImageFile::Open tells what they are.
//
// max_bytes_read  at least 1024. A larger regular file is mapped, so that it takes no more memory than its decoder looks
//                 at. A stream that goes on is an error.
// Errors          kNotFound (cannot be opened, is a folder, or fails while read: the system's reason),
//                 kPermissionDenied, kInvalidArgument (a stream of more than max_bytes_read), kOutOfMemory
Result<FileBytes> ReadImageBytes(const Input& input, int64_t max_bytes_read);

// What ReadImageBytes reads at most for images of up to `max_pixels`: four bytes each, and 16 MiB for all else that a
// file holds.
constexpr int64_t MaxBytesRead(int64_t max_pixels) { return 4 * max_pixels + (int64_t{16} << 20); }

// True if the file's first bytes are those of an image or a PDF, or if it cannot be opened: its error is reported when it is
// read. Does not wait for pipes.
bool IsImageFile(const std::string& path);

// True for a regular file whose first bytes are those of a PDF. Pipes are not touched.
bool IsPdfFile(const std::string& path);

}  // namespace inkread

#endif  // INKREAD_APPS_FILE_BYTES_H_
