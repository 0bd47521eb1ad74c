// Measures what a GPU can do with its backend's kernels: products, copying, and the fixed costs of a kernel, a barrier
// and a run.
#ifndef INKREAD_BACKENDS_GPU_PROBE_H_
#define INKREAD_BACKENDS_GPU_PROBE_H_

#include <vector>

#include "schedule/backend.h"

namespace inkread::gpu {

// Runs small schedules, so it works with any backend that measures steps. Sizes grow only until a step takes much
// longer than its fixed cost, so that a slow device is not kept busy for minutes.
std::vector<ProbeResult> Probe(Backend& backend);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_PROBE_H_
