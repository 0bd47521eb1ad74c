// A block of 64-byte aligned memory that grows on demand and loses its contents when it grows.
//
// Large blocks are in pages of 2 MiB where the system has them. A network walks through its arena from end to end again
// and again; with pages of 4 KiB a tenth of that time goes into address translation.
#ifndef INKREAD_BASE_ALIGNED_BUFFER_H_
#define INKREAD_BASE_ALIGNED_BUFFER_H_

#include <cstddef>
#include <utility>

#include "base/status.h"

namespace inkread {

class AlignedBuffer {
 public:
  static constexpr size_t kAlignment = 64;  // a cache line, and the widest vector we use

  AlignedBuffer() = default;
  AlignedBuffer(AlignedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_bytes_(std::exchange(other.size_bytes_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
  }
  ~AlignedBuffer() { Release(); }

  // Afterwards size_bytes() >= size. Does not throw.
  // Errors  kOutOfMemory; the buffer is then empty
  Status Reserve(size_t size);
  // Frees the memory; that of a large block goes back to the system.
  void Release();
  // Returns to the system the whole large pages behind the first `size` bytes, and their contents are lost. They stay
  // part of the buffer and take memory again when they are written.
  void Trim(size_t size);

  std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }

 private:
  std::byte* data_ = nullptr;
  size_t size_bytes_ = 0;  // a multiple of kAlignment
};

}  // namespace inkread

#endif  // INKREAD_BASE_ALIGNED_BUFFER_H_
