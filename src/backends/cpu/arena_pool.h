// The scratch blocks of runs.
#ifndef INKREAD_BACKENDS_CPU_ARENA_POOL_H_
#define INKREAD_BACKENDS_CPU_ARENA_POOL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/take_fitting.h"

namespace inkread::cpu {

// Those of many threads' lines are small, those of few images large: each kind has its own blocks, so that not every
// thread comes to hold an image's. A block holds no more memory than its user needs, and less when it has none.
class ArenaPool {
 public:
  // At least `size` bytes; null when there is no memory.
  std::unique_ptr<AlignedBuffer> Take(size_t size) {
    std::unique_ptr<AlignedBuffer> arena;
    {
      std::lock_guard lock(mutex_);
      // One that is too small is grown.
      arena = TakeFitting(FreeOf(size), size, [](const AlignedBuffer& block) { return block.size_bytes(); });
      if (size > kKeptBytes) {  // room for it
        small_.clear();
        large_.clear();
      }
    }
    if (arena == nullptr) arena = std::make_unique<AlignedBuffer>();
    if (!arena->Reserve(size).ok()) return nullptr;
    if (arena->size_bytes() - size > kSpareBytes) arena->Trim(size);
    return arena;
  }

  void Return(std::unique_ptr<AlignedBuffer> arena) {
    arena->Trim(kKeptBytes);
    std::lock_guard lock(mutex_);
    FreeOf(arena->size_bytes()).push_back(std::move(arena));
  }

 private:
  static constexpr size_t kSmallBytes = size_t{32} << 20;
  // What few images need goes back to the system: to have it anew costs them a few percent of their time.
  static constexpr size_t kKeptBytes = size_t{96} << 20;
  // To give less than this back and have it anew is not worth it.
  static constexpr size_t kSpareBytes = size_t{8} << 20;

  std::vector<std::unique_ptr<AlignedBuffer>>& FreeOf(size_t size) { return size > kSmallBytes ? large_ : small_; }

  std::mutex mutex_;
  std::vector<std::unique_ptr<AlignedBuffer>> small_, large_;  // not in use
};

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_ARENA_POOL_H_
