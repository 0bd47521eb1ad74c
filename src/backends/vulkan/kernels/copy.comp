// copy: one thread an element.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/copy_params.h"
#define PARAMS CopyParams
#include "backends/vulkan/kernels/step.glsl"

void main() {
  uint rest = GroupIndex() * GROUP_SIZE + gl_LocalInvocationIndex;
  uint from = o.x, to = o.y;
  for (int i = 4; i >= 0; --i) {
    from += rest % p.dims[i] * p.x_stride[i];
    to += rest % p.dims[i] * p.y_stride[i];
    rest /= p.dims[i];
  }
  if (rest == 0) work_out[to] = work[from];
}
