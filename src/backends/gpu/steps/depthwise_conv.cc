#include "backends/gpu/steps/vectors.h"
#include "base/round.h"

namespace inkread::gpu {

// A thread makes a run of results along a row, of one vector of channels.
Work WorkOf(const DepthwiseConvParams& p, const Step& step, const GpuTarget& target) {
  const DepthwiseConvTuning& tuning = target.tuning.depthwise_conv;
  const uint32_t width = VectorWidthOf(step, target.traits);
  const auto workgroups = [&](uint32_t run) {
    return WorkgroupsFor(uint64_t{p.n} * p.oh * p.c * DivideUp(p.ow, run), width, target.traits);
  };
  uint32_t run = tuning.run;
  DepthwiseConvVariant variant{.vector_width = width};
  if (tuning.min_run != 0) {
    while (run > tuning.min_run && workgroups(run) < target.traits.min_busy_workgroups) run /= 2;
    variant.kw = p.kw;
    variant.stride_w = p.stride_w;
    variant.run = run;
  }
  return {.phases = {{variant, workgroups(run)}}, .operands = kEpilogueOperands};
}

}  // namespace inkread::gpu
