#include "planner/arena.h"

#include <algorithm>
#include <numeric>

#include "base/aligned_buffer.h"
#include "base/round.h"

namespace inkread {

uint64_t PlaceInArena(std::vector<ArenaBuffer>& buffers) {
  constexpr uint64_t kAlignment = AlignedBuffer::kAlignment;
  std::vector<int> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return buffers[a].size_bytes > buffers[b].size_bytes; });

  uint64_t block = 0;
  std::vector<int> placed;  // by offset
  for (int index : order) {
    ArenaBuffer& buffer = buffers[index];
    const uint64_t size = RoundUp(buffer.size_bytes, kAlignment);
    uint64_t best = UINT64_MAX, best_gap = UINT64_MAX, end = 0;
    for (int p : placed) {
      const ArenaBuffer& other = buffers[p];
      if (other.last_level < buffer.first_level || buffer.last_level < other.first_level) continue;
      if (other.offset_bytes >= end + size && other.offset_bytes - end < best_gap) {
        best = end;
        best_gap = other.offset_bytes - end;
      }
      end = std::max(end, other.offset_bytes + RoundUp(other.size_bytes, kAlignment));
    }
    buffer.offset_bytes = best != UINT64_MAX ? best : end;
    block = std::max(block, buffer.offset_bytes + size);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), index,
                                   [&](int a, int b) { return buffers[a].offset_bytes < buffers[b].offset_bytes; }),
                  index);
  }
  return block;
}

}  // namespace inkread
