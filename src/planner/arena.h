// Offsets for buffers in one block, so that buffers that are alive together do not overlap.
#ifndef INKREAD_PLANNER_ARENA_H_
#define INKREAD_PLANNER_ARENA_H_

#include <cstdint>
#include <vector>

namespace inkread {

struct ArenaBuffer {
  uint64_t size_bytes = 0;
  uint32_t first_level = 0;   // of the step that writes it first
  uint32_t last_level = 0;    // of the step that uses it last, that level included
  uint64_t offset_bytes = 0;  // the answer
};

// Sets each offset (a multiple of 64) and returns the block's size. Largest buffers first, each in the tightest gap
// that is free for its whole life: within a few percent of the peak of what is alive at once on our networks.
uint64_t PlaceInArena(std::vector<ArenaBuffer>& buffers);

}  // namespace inkread

#endif  // INKREAD_PLANNER_ARENA_H_
