// Memory of runs that are over, kept for the next one.
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

// T has work_bytes(), how large a run it has room for. Safe from several threads.
template <typename T>
class FreeList {
 public:
  // The smallest that has `work_bytes`, else the largest; null where there is none.
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

// How many bytes to make of a block that needs `size_bytes`: a quarter more, so that images of ever-changing size
// soon find room, but not past `most`.
inline uint64_t WithRoom(uint64_t size_bytes, uint64_t most) {
  return std::max(size_bytes, std::min(size_bytes + size_bytes / 4, most));
}

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_FREE_LIST_H_
