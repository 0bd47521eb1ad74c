// A Network at one input shape -> Schedule.
#ifndef INKREAD_PLANNER_PLAN_H_
#define INKREAD_PLANNER_PLAN_H_

#include "base/status.h"
#include "planner/network.h"
#include "schedule/schedule.h"

namespace inkread {

// What the schedule gives.
enum class Head : uint8_t {
  kNetwork,  // its own output: [n, c, h, w] as [n, h, w, c], [n, t, c] as [n, 1, t, c], [n, c] as [n, 1, 1, c]
  kCtc,      // what a CTC decoder needs of each time step: [n, 1, t, 3] as ctc_head writes it
};

// The schedule for one input shape.
//
// input_dims  [n, c, h, w]; the schedule's input is the same as [n, h, w, c]
// Errors      kInvalidArgument (the network does not take this shape, or has no CTC head),
//             kUnsupported (no kernel computes a node; the message names it)
// Cost        about 0.1 ms; weights are not touched
Result<Schedule> Plan(const Network& network, const Dims& input_dims, Head head);

}  // namespace inkread

#endif  // INKREAD_PLANNER_PLAN_H_
