// How many channels at a time a step's operands can be read and written.
#ifndef INKREAD_BACKENDS_GPU_STEPS_VECTORS_H_
#define INKREAD_BACKENDS_GPU_STEPS_VECTORS_H_

#include "backends/gpu/steps/work.h"

namespace inkread::gpu {

// Whether an operand begins at a multiple of `width` of its elements.
bool BeginsAligned(uint32_t width, uint32_t element_bytes, const Operand& o);

// Whether an operand begins at a multiple of `width` elements and every pixel has such a number of channels and of
// elements to the next pixel. True of an operand that is not there.
bool IsAligned(uint32_t width, const Operand& o);

// The device's vector width where every read and write is aligned to it and all weights begin at a multiple of it,
// else 1.
uint32_t VectorWidthOf(const Step& step, const GpuTraits& traits);

// Whether elements counted by `dims` follow one another without gaps.
bool IsDense(const uint (&dims)[5], const uint (&stride)[5]);

// Workgroups of threads that make `width` of `count` results each.
uint64_t WorkgroupsFor(uint64_t count, uint32_t width, const GpuTraits& traits);

// The work of a kind with a thread for each vector of `count` results.
Work VectorWork(uint64_t count, const Step& step, const GpuTarget& target);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_STEPS_VECTORS_H_
