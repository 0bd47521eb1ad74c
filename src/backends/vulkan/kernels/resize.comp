// resize: a thread makes kVectorWidth channels of a result.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/resize_params.h"
#define PARAMS ResizeParams
#define HAS_EPILOGUE
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

void main() {
  const uint oh = p.ih * p.scale_h, ow = p.iw * p.scale_w, vectors = p.c / kVectorWidth;
  const uint index = WorkgroupIndex() * WORKGROUP_SIZE + gl_LocalInvocationIndex;
  if (index >= p.n * oh * ow * vectors) return;
  const uint c = index % vectors * kVectorWidth, pixel = index / vectors;
  const uint image = pixel / (oh * ow);
  const uint from = (image * p.ih + pixel / ow % oh / p.scale_h) * p.iw + pixel % ow / p.scale_w;
  const vec4 x = ValuesAt(o.x + from * p.x_ld + c);
  StoreResults(x, image, pixel, c, p.c, p.y_ld);
}
