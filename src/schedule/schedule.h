// A whole network for one input shape, as a list of steps over offsets. It can be printed, checked, cached and dropped.
#ifndef INKREAD_SCHEDULE_SCHEDULE_H_
#define INKREAD_SCHEDULE_SCHEDULE_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "schedule/step.h"

namespace inkread {

struct Schedule {
  std::string network;                           // the model file's name, for messages
  Shape input;                                   // float, dense
  uint32_t input_element = INKREAD_ELEMENT_F32;  // U8 where the input is an image
  Shape output;                                  // 32-bit words, dense
  std::vector<Step> steps;
  uint64_t arena_bytes = 0;    // bytes that the steps use; a backend allocates kArenaSlackBytes more
  uint64_t weights_bytes = 0;  // size of the block that weight offsets point into
  uint64_t macs = 0;           // multiply-adds of one run
};

// A kernel's tile may read, never write, up to this many bytes past the end of any block.
inline constexpr uint64_t kArenaSlackBytes = 1 << 20;

// One line a step; planner tests compare this text.
std::string PrintSchedule(const Schedule& schedule);

// Checks that every operand is as the facts of its step say (step_facts.h) and within its block, that no step reads or
// writes what another of the same level writes, and that bands can run interleaved.
// Errors  kInternal, with the step's number, kind and node
Status CheckSchedule(const Schedule& schedule);

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_SCHEDULE_H_
