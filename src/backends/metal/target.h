// The device and our kernels as the layout of dispatches sees them (gpu/dispatch.h).
#ifndef INKREAD_BACKENDS_METAL_TARGET_H_
#define INKREAD_BACKENDS_METAL_TARGET_H_

#include "backends/gpu/steps/tuning.h"

namespace inkread::metal {

// fast  values and weights in f16; else f32
gpu::GpuTarget TargetFor(bool fast);

}  // namespace inkread::metal

#endif  // INKREAD_BACKENDS_METAL_TARGET_H_
