#include "bench/lab/step_cost.h"

namespace inkread::lab {
namespace {

template <typename Operands>
uint64_t Bytes(const Operands& operands) {
  uint64_t bytes = 0;
  for (const Operand& o : operands) {
    if (o.present()) bytes += o.shape.num_pixels() * o.shape.c * ElementBytes(o.element);
  }
  return bytes;
}

}  // namespace

uint64_t StepBytes(const Step& step) { return Bytes(step.reads) + Bytes(step.weights) + Bytes(step.writes); }

}  // namespace inkread::lab
