// From a draft of a schedule to the schedule, one function a step of the way. Each takes what the one before it left.
#ifndef INKREAD_PLANNER_DRAFT_PASSES_H_
#define INKREAD_PLANNER_DRAFT_PASSES_H_

#include <cstdint>

#include "base/status.h"
#include "planner/draft/draft.h"
#include "schedule/backend.h"

namespace inkread {

// All of the below in order.
//
// Errors  kUnsupported (the device has no kernel for a step; names the node)
Result<Schedule> FinishSchedule(DraftSchedule draft, const DeviceCaps& caps);

// Gives each operand the element of its buffer; offsets become bytes.
void BindElements(DraftSchedule& draft);

// Either AssignLevels or FormBands gives each step its level.

// The earliest level at which all that a step reads is written. The order of the steps stays.
void AssignLevels(DraftSchedule& draft);

// Groups steps that can run together, a few rows of each at a time (Step::band), and puts the steps of a band next to
// one another. Each step then has a level of its own. Each buffer is written whole by one step, or slice by slice by
// several.
//
// max_bytes  of a band's weights together with the rows that it has in use
void FormBands(DraftSchedule& draft, uint64_t max_bytes);

// Lets a step write over an operand that it is the last to use, where the contract of its kind allows that: both then
// name one buffer. Needs levels.
void ReuseInPlace(DraftSchedule& draft);

// Steps in the order of their levels, those of one level as they were.
void SortByLevel(DraftSchedule& draft);

// Gives the buffers that steps use their places in the arena; operands get their blocks and offsets, and the schedule
// its arena_bytes. Buffers that are in use at the same time do not overlap.
void PlaceBuffers(DraftSchedule& draft);

}  // namespace inkread

#endif  // INKREAD_PLANNER_DRAFT_PASSES_H_
