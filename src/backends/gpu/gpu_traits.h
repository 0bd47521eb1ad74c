// What describes a device to the layout of dispatches, whatever the kind of step. What single kinds' kernels are tuned
// to stands in steps/tuning.h.
#ifndef INKREAD_BACKENDS_GPU_GPU_TRAITS_H_
#define INKREAD_BACKENDS_GPU_GPU_TRAITS_H_

#include <cstdint>

#include "schedule/step.h"

namespace inkread::gpu {

struct GpuTraits {
  uint32_t workgroup_size = 256;                // threads of a workgroup, unless a matrix kernel's tile says otherwise
  uint32_t min_busy_workgroups = 128;           // fewer leave a part of the device idle
  uint32_t weights_form = INKREAD_WEIGHTS_F32;  // of matrices, the only one that the kernels read
  uint32_t vector_width = 1;                    // channels that a thread takes at a time where all operands are aligned
};

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_GPU_TRAITS_H_
