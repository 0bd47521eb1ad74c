// What a GPU does at best with its backend's kernels: products, copying, and the fixed costs of a kernel, a barrier and
// a run.
#ifndef INKREAD_BACKENDS_GPU_PROBE_H_
#define INKREAD_BACKENDS_GPU_PROBE_H_

#include <vector>

#include "schedule/backend.h"

namespace inkread::gpu {

// By small schedules, so that it measures any backend that measures steps. Sizes grow until a step takes long enough to
// be told from its fixed cost: a slow device is not kept busy for minutes.
std::vector<ProbeResult> Probe(Backend& backend);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_PROBE_H_
