// The memory blocks of runs: intermediate results, and scratch that the threads of a run share.
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

// Runs on lines need small blocks, many at a time; runs on images need large ones, few at a time. Each kind has blocks
// of its own, so that the pool does not come to hold a large block for every thread. A block in use or idle keeps its
// memory between runs: to give a part back and fault it in again stops all threads of the process for a moment.
class ArenaPool {
 public:
  // A block of at least `size` bytes; null if there is no memory.
  std::unique_ptr<AlignedBuffer> Take(size_t size) {
    std::unique_ptr<AlignedBuffer> arena;
    {
      std::lock_guard lock(mutex_);
      // A block that is too small grows.
      arena = TakeFitting(FreeOf(size), size, [](const AlignedBuffer& block) { return block.size_bytes(); });
      if (size > kKeptBytes) {  // to free memory for it
        small_.clear();
        large_.clear();
      }
    }
    if (arena == nullptr) arena = std::make_unique<AlignedBuffer>();
    if (!arena->Reserve(size).ok()) return nullptr;
    return arena;
  }

  void Return(std::unique_ptr<AlignedBuffer> arena) {
    arena->Trim(kKeptBytes);
    std::lock_guard lock(mutex_);
    FreeOf(arena->size_bytes()).push_back(std::move(arena));
  }

 private:
  static constexpr size_t kSmallBytes = size_t{16} << 20;
  // An idle block returns the rest to the system. Few images need more, and to get it back costs them a few percent of
  // their time.
  static constexpr size_t kKeptBytes = size_t{96} << 20;

  std::vector<std::unique_ptr<AlignedBuffer>>& FreeOf(size_t size) { return size > kSmallBytes ? large_ : small_; }

  std::mutex mutex_;
  std::vector<std::unique_ptr<AlignedBuffer>> small_, large_;  // not in use
};

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_ARENA_POOL_H_
