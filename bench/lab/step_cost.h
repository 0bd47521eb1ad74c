// The memory traffic of a step. Its arithmetic is MultiplyAdds (schedule/step_facts.h).
#ifndef INKREAD_BENCH_LAB_STEP_COST_H_
#define INKREAD_BENCH_LAB_STEP_COST_H_

#include <cstdint>

#include "schedule/step.h"

namespace inkread::lab {

// Bytes of all operands, each operand counted once: the least that has to be read and written.
uint64_t StepBytes(const Step& step);

}  // namespace inkread::lab

#endif  // INKREAD_BENCH_LAB_STEP_COST_H_
