// image_warp: a thread makes a pixel of the crop. It computes its place in the image by doubles made of 32-bit words
// and reads the 4 by 4 pixels around it, each clamped to the image.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/image_warp_params.h"
#define PARAMS ImageWarpParams
#include "backends/vulkan/kernels/image.glsl"

DoubleWords Element(uint i) { return DoubleOf(p.m[2 * i], p.m[2 * i + 1]); }

// (m[k] * i0 + m[k + 1] * j + m[k + 2]) + m[k] * d
DoubleWords SumOfRow(uint k, DoubleWords i0, DoubleWords j, DoubleWords d) {
  const DoubleWords step = Element(k);
  const DoubleWords plane = DoubleAdd(DoubleMultiply(step, i0), DoubleMultiply(Element(k + 1), j));
  return DoubleAdd(DoubleAdd(plane, Element(k + 2)), DoubleMultiply(step, d));
}

// In 1/32 px.
ivec2 PlaceOf(uint column, uint row) {
  const uint block = min(1024 / min(16, p.oh), p.ow), left = column / block * block;
  const DoubleWords i0 = DoubleFromInt(int(left)), j = DoubleFromInt(int(row)), d = DoubleFromInt(int(column - left));
  ivec2 place;
  DoubleWords q;
  // Not unrolled, since doubles are long: the divisor first, then x and y.
  [[dont_unroll]] for (uint n = 0; n < 3; ++n) {
    const DoubleWords sum = SumOfRow((n + 2) % 3 * 3, i0, j, d);
    if (n > 0) {
      place[n - 1] = DoubleToInt(DoubleMultiply(sum, q));
    } else {
      q = sum;
      if (!DoubleIsZero(sum)) q = DoubleDivide(DoubleFromInt(32), sum);
    }
  }
  return place;
}

void main() {
  const uint index = ThreadIndex();
  if (index >= p.oh * p.ow) return;
  const ivec2 place = PlaceOf(index % p.ow, index / p.ow);
  const ivec2 corner = (place >> 5) - 1, last = ivec2(p.iw, p.ih) - 1;
  const uint taps = w + uint((place.y & 31) * 32 + (place.x & 31)) * 8;  // sixteen, two in a word
  ivec3 sums = ivec3(1 << 14);
  for (int r = 0; r < 4; ++r) {
    const uint j = uint(clamp(corner.y + r, 0, last.y));
    [[unroll]] for (int s = 0; s < 4; ++s) {
      const int weight = bitfieldExtract(int(weights[taps + r * 2 + s / 2]), s % 2 * 16, 16);
      sums += weight * ivec3(PixelOfX(uint(clamp(corner.x + s, 0, last.x)), j));
    }
  }
  const uvec3 bytes = uvec3(clamp(sums >> 15, 0, 255));
  words_out[y + index] = bytes.x | bytes.y << 8 | bytes.z << 16;
}
