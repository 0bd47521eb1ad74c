// elementwise: a thread makes kVectorWidth channels of a pixel. y may be x, or residual: a thread reads its elements
// before it writes them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/elementwise_params.h"
#define PARAMS ElementwiseParams
#define HAS_EPILOGUE
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

void main() {
  const uint vectors = p.c / kVectorWidth;
  const uint index = WorkgroupIndex() * WORKGROUP_SIZE + gl_LocalInvocationIndex;
  if (index >= p.n * p.h * p.w * vectors) return;
  const uint c = index % vectors * kVectorWidth, pixel = index / vectors;
  const vec4 x = ValuesAt(o.x + pixel * p.x_ld + c);
  StoreResults(x, pixel / (p.h * p.w), pixel, c, p.c, p.y_ld);
}
