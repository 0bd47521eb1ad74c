// image_warp: one thread a pixel of y.
#include "backends/metal/kernels/image.metal"
#include "schedule/steps/image_warp_params.h"

struct ImageWarpArguments {
  ImageWarpParams p;
  ImageOperands o;
};

inline DoubleWords Element(constant ImageWarpParams& p, uint i) { return DoubleOf(p.m[2 * i], p.m[2 * i + 1]); }

// Of a row of the matrix: (m[0] * i0 + m[1] * j + m[2]) + m[0] * d.
inline DoubleWords Along(constant ImageWarpParams& p, uint row, DoubleWords i0, DoubleWords j, DoubleWords d) {
  const DoubleWords m = Element(p, 3 * row);
  const DoubleWords left = DoubleAdd(DoubleMultiply(m, i0), DoubleMultiply(Element(p, 3 * row + 1), j));
  return DoubleAdd(DoubleAdd(left, Element(p, 3 * row + 2)), DoubleMultiply(m, d));
}

kernel void image_warp(constant ImageWarpArguments& args [[buffer(0)]],
                         device uint* values_u32 [[buffer(3)]],
                         device const uint* weights [[buffer(4)]],
                         device const uchar* pixels [[buffer(6)]],
                         uint index [[thread_position_in_grid]]) {
  constant ImageWarpParams& p = args.p;
  const uint column = index % p.ow, row = index / p.ow;
  if (row >= p.oh) return;
  const uint block = min(1024 / min(16u, p.oh), p.ow);
  const DoubleWords i0 = DoubleFromInt(int(column / block * block)), d = DoubleFromInt(int(column % block));
  const DoubleWords j = DoubleFromInt(int(row));
  DoubleWords q = Along(p, 2, i0, j, d);
  if (!DoubleIsZero(q)) q = DoubleDivide(DoubleFromInt(32), q);
  const int at_x = DoubleToInt(DoubleMultiply(Along(p, 0, i0, j, d), q));
  const int at_y = DoubleToInt(DoubleMultiply(Along(p, 1, i0, j, d), q));

  const Image from = {pixels + ulong(args.o.x) * 4, p.iw, p.pixel_bytes, uint3(p.at[0], p.at[1], p.at[2])};
  device const uint* w = weights + args.o.w + (uint(at_y & 31) * 32 + uint(at_x & 31)) * 8;
  int3 sum = int3(1 << 14);
  for (int r = 0; r < 4; ++r) {
    const uint y = uint(clamp((at_y >> 5) - 1 + r, 0, int(p.ih) - 1));
    for (int s = 0; s < 4; s += 2) {
      const int pair = int(w[r * 2 + s / 2]);
      const uint x = uint(clamp((at_x >> 5) - 1 + s, 0, int(p.iw) - 1));
      const uint next = uint(clamp((at_x >> 5) + s, 0, int(p.iw) - 1));
      sum += PixelAt(from, x, y) * (pair << 16 >> 16) + PixelAt(from, next, y) * (pair >> 16);
    }
  }
  const int3 pixel = clamp(sum >> 15, int3(0), int3(255));
  values_u32[args.o.y + index] = uint(pixel.x) | uint(pixel.y) << 8 | uint(pixel.z) << 16;
}
