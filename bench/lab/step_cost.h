// What a step asks of a device: arithmetic and memory traffic, from its parameters alone.
#ifndef INKREAD_BENCH_LAB_STEP_COST_H_
#define INKREAD_BENCH_LAB_STEP_COST_H_

#include <cstdint>

#include "schedule/step.h"

namespace inkread::lab {

// Multiply-adds of the step's sums of products; a schedule's add up to Schedule::macs. 0 for kinds without any.
uint64_t StepMacs(const Step& step);

// Bytes of all operands, each counted once: what must at least move.
uint64_t StepBytes(const Step& step);

}  // namespace inkread::lab

#endif  // INKREAD_BENCH_LAB_STEP_COST_H_
