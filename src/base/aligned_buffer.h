// A grow-only block of 64-byte aligned memory. Its contents are not kept when it grows.
#ifndef INKREAD_BASE_ALIGNED_BUFFER_H_
#define INKREAD_BASE_ALIGNED_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "base/status.h"

namespace inkread {

class AlignedBuffer {
 public:
  static constexpr size_t kAlignment = 64;  // a cache line, and the widest vector we use

  // Afterwards size_bytes() >= size. Errors: kOutOfMemory; the buffer is then empty.
  Status Reserve(size_t size) {
    if (size <= size_bytes_) return Status();
    data_.reset();
    size_bytes_ = 0;
    const size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
    if (rounded < size) return OutOfMemory("a block of ", size, " bytes is too large");
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)));
    if (data_ == nullptr) return OutOfMemory("no memory for a block of ", size, " bytes");
    size_bytes_ = rounded;
    return Status();
  }

  std::byte* data() const { return data_.get(); }
  size_t size_bytes() const { return size_bytes_; }

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::unique_ptr<std::byte[], Free> data_;
  size_t size_bytes_ = 0;
};

}  // namespace inkread

#endif  // INKREAD_BASE_ALIGNED_BUFFER_H_
