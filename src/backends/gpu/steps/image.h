// What image_resize and image_warp share.
#ifndef INKREAD_BACKENDS_GPU_STEPS_IMAGE_H_
#define INKREAD_BACKENDS_GPU_STEPS_IMAGE_H_

#include "backends/gpu/steps/work.h"

namespace inkread::gpu {

// Whether an operand is the job's image, which is memory of its own.
bool IsImage(const Operand& o);

// The work of a kind with a thread for each of `count` pixels that it makes.
Work PixelWork(uint64_t count, const Step& step, const GpuTarget& target);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_STEPS_IMAGE_H_
