// A grow-only block of 64-byte aligned memory. Its contents are not kept when it grows.
//
// Large blocks lie in pages of 2 MB where the system has them: a network walks through its arena from end to end again
// and again, and with pages of 4 kB a tenth of that time goes into finding them.
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

  // Afterwards size_bytes() >= size. Errors: kOutOfMemory; the buffer is then empty.
  Status Reserve(size_t size);
  // Gives the memory back to the system, if it was large.
  void Release();
  // Gives back what lies behind the first `size` bytes, in large pages; size_bytes() stays. What is written there later
  // comes anew. The contents there are lost.
  void Trim(size_t size);

  std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }

 private:
  std::byte* data_ = nullptr;
  size_t size_bytes_ = 0;  // a multiple of kAlignment
};

}  // namespace inkread

#endif  // INKREAD_BASE_ALIGNED_BUFFER_H_
