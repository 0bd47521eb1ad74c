// An image on a device, in memory that later images use again.
#ifndef INKREAD_BACKENDS_GPU_IMAGE_H_
#define INKREAD_BACKENDS_GPU_IMAGE_H_

#include <memory>
#include <new>
#include <utility>

#include "backends/gpu/free_list.h"
#include "schedule/backend.h"

namespace inkread::gpu {

// Memory  a type for FreeList
template <typename Memory>
class Image : public DeviceImage {
 public:
  using List = FreeList<Memory>;
  // The memory goes back to `list` with the image.
  Image(std::unique_ptr<Memory> memory, uint64_t size_bytes, std::shared_ptr<List> list)
      : memory_(std::move(memory)), size_bytes_(size_bytes), list_(std::move(list)) {}
  ~Image() override {
    try {
      list_->Return(std::move(memory_));
    } catch (const std::bad_alloc&) {  // then it is freed
    }
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  const Memory& memory() const { return *memory_; }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  std::unique_ptr<Memory> memory_;
  uint64_t size_bytes_;
  std::shared_ptr<List> list_;
};

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_IMAGE_H_
