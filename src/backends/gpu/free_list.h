// Memory of finished runs, kept for later ones.
#ifndef INKREAD_BACKENDS_GPU_FREE_LIST_H_
#define INKREAD_BACKENDS_GPU_FREE_LIST_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/take_fitting.h"

namespace inkread::gpu {

// T has work_bytes(): bytes of the largest run that it can hold. Safe from several threads.
template <typename T>
class FreeList {
 public:
  // The smallest that has `work_bytes`, else the largest; null if the list is empty.
  std::unique_ptr<T> Take(uint64_t work_bytes) {
    std::lock_guard lock(mutex_);
    return TakeFitting(free_, work_bytes, [](const T& memory) { return memory.work_bytes(); });
  }
  void Return(std::unique_ptr<T> memory) {
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(memory));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

// How many bytes to allocate for a block that needs `size_bytes`: a quarter more, so that images of ever-changing size
// soon fit without another allocation, but no more than max_bytes.
inline uint64_t WithHeadroom(uint64_t size_bytes, uint64_t max_bytes) {
  return std::max(size_bytes, std::min(size_bytes + size_bytes / 4, max_bytes));
}

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_FREE_LIST_H_
