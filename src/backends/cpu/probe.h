// Measures this machine's peak rates: the arithmetic of its instruction sets, copying, and the fixed costs of a loop
// and of a run.
#ifndef INKREAD_BACKENDS_CPU_PROBE_H_
#define INKREAD_BACKENDS_CPU_PROBE_H_

#include <vector>

#include "backends/cpu/kernels.h"
#include "schedule/backend.h"

namespace inkread::cpu {

// backend  the one that `context` belongs to
std::vector<ProbeResult> Probe(Backend& backend, const Context& context);

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_PROBE_H_
