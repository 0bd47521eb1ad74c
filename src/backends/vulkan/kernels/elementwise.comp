// elementwise: one thread a result. y may be x, or residual: a thread reads its element before it writes it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/elementwise_params.h"
#define PARAMS ElementwiseParams
#define HAS_EPILOGUE
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

void main() {
  const uint index = GroupIndex() * GROUP_SIZE + gl_LocalInvocationIndex;
  if (index >= p.n * p.h * p.w * p.c) return;
  const uint c = index % p.c, pixel = index / p.c;
  StoreResult(work[o.x + pixel * p.x_ld + c], pixel / (p.h * p.w), pixel, c, p.c, p.y_ld);
}
