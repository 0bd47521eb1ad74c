// What kernels that read images begin with. Before it includes this file the kernel defines PARAMS, its params struct.
// A thread makes a pixel. All memory is read in 32-bit words, since a device need not have smaller ones: offsets count
// words from the start of the run's block, of the weights or of the image (gpu/dispatch.h).
#extension GL_EXT_control_flow_attributes : require
#include "backends/gpu/steps/kernel_constants.h"
#include "schedule/steps/double_words.h"

layout(local_size_x = 256) in;
#define WORKGROUP_SIZE 256

layout(push_constant) uniform Push {
  PARAMS p;
  uint x;  // reads 0
  uint w;  // weights 0
  uint y;  // writes 0
};

layout(set = 0, binding = 0) readonly buffer Words { uint words[]; };
layout(set = 0, binding = 0) writeonly buffer WordsOut { uint words_out[]; };
layout(set = 0, binding = 0) writeonly buffer FloatsOut { float floats_out[]; };
layout(set = 0, binding = 1) restrict readonly buffer Weights { uint weights[]; };
layout(set = 0, binding = 2) restrict readonly buffer Image { uint image[]; };

layout(constant_id = INKREAD_CONSTANT_X_IS_IMAGE) const bool kXIsImage = false;

// Workgroups are counted over two dimensions, since one may end at 65535. The last row can have some too many.
uint ThreadIndex() {
  return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * WORKGROUP_SIZE + gl_LocalInvocationIndex;
}

uint WordOfX(uint at) { return kXIsImage ? image[x + at] : words[x + at]; }

// Channels of the pixel in column i and row j of x.
uvec3 PixelOfX(uint i, uint j) {
  const uint at = (j * p.iw + i) * p.pixel_bytes, shift = at % 4 * 8;
  uint pixel = WordOfX(at / 4) >> shift;
  if (at % 4 + p.pixel_bytes > 4) pixel |= WordOfX(at / 4 + 1) << (32 - shift);
  return uvec3(pixel >> p.at[0] * 8, pixel >> p.at[1] * 8, pixel >> p.at[2] * 8) & 255u;
}
