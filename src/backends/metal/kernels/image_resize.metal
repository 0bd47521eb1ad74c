// image_resize: one thread a pixel of y.
#include "backends/metal/kernels/image.metal"
#include "schedule/steps/image_resize_params.h"

struct ImageResizeArguments {
  ImageResizeParams p;
  ImageOperands o;
};

// The sources of a target along one axis, and their weights, of 2048.
struct Taps {
  int first, second;
  int first_weight, second_weight;
};

inline int WeightOf(float share) { return int(rint(share * 2048.0f)); }

// Of target i among n sources. At the border a column reads one source; a row keeps the weights of two.
inline Taps TapsOf(uint i, uint n, DoubleWords scale, bool is_column) {
  const DoubleWords half_up = DoubleOf(0, 0x3fe00000), half_down = DoubleOf(0, 0xbfe00000);
  const DoubleWords middle = DoubleAdd(DoubleFromInt(int(i)), half_up);
  const float at = DoubleToFloat(DoubleAdd(DoubleMultiply(middle, scale), half_down));
  const int k = int(floor(at)), last = int(n) - 1;
  const float share = is_column && (k < 0 || k >= last) ? 0.0f : at - floor(at);
  const Taps taps = {clamp(k, 0, last), is_column ? min(max(k, 0) + 1, last) : clamp(k + 1, 0, last),
                     WeightOf(1.0f - share), WeightOf(share)};
  return taps;
}

// Of the image turned by p.quarter_turns.
inline int3 TurnedPixel(Image image, constant ImageResizeParams& p, int column, int row) {
  const uint i = uint(column), j = uint(row);
  const uint mirrored_i = (p.quarter_turns == 2 ? p.iw : p.ih) - 1 - i;
  const uint mirrored_j = (p.quarter_turns == 1 ? p.iw : p.ih) - 1 - j;
  switch (p.quarter_turns) {
    case 1:
      return PixelAt(image, mirrored_j, i);
    case 2:
      return PixelAt(image, mirrored_i, mirrored_j);
    case 3:
      return PixelAt(image, j, mirrored_i);
    default:
      return PixelAt(image, i, j);
  }
}

inline int3 ResizedPixel(Image image, constant ImageResizeParams& p, uint column, uint row) {
  const bool is_across = (p.quarter_turns & 1) != 0;
  const uint width = is_across ? p.ih : p.iw, height = is_across ? p.iw : p.ih;
  if (width == p.ow && height == p.oh) return TurnedPixel(image, p, int(column), int(row));
  if (width == 2 * p.ow && height == 2 * p.oh) {
    const int x = int(column) * 2, y = int(row) * 2;
    return (TurnedPixel(image, p, x, y) + TurnedPixel(image, p, x + 1, y) + TurnedPixel(image, p, x, y + 1) +
            TurnedPixel(image, p, x + 1, y + 1) + 2) >>
           2;
  }
  const Taps columns = TapsOf(column, width, DoubleOf(p.scale_x[0], p.scale_x[1]), true);
  const Taps rows = TapsOf(row, height, DoubleOf(p.scale_y[0], p.scale_y[1]), false);
  const int3 upper = TurnedPixel(image, p, columns.first, rows.first) * columns.first_weight +
                     TurnedPixel(image, p, columns.second, rows.first) * columns.second_weight;
  const int3 lower = TurnedPixel(image, p, columns.first, rows.second) * columns.first_weight +
                     TurnedPixel(image, p, columns.second, rows.second) * columns.second_weight;
  return clamp((((upper >> 4) * rows.first_weight >> 16) + ((lower >> 4) * rows.second_weight >> 16) + 2) >> 2, int3(0),
               int3(255));
}

kernel void image_resize(constant ImageResizeArguments& args [[buffer(0)]],
                           device float* values_f32 [[buffer(2)]],
                           device const uchar* pixels [[buffer(6)]],
                           uint index [[thread_position_in_grid]]) {
  constant ImageResizeParams& p = args.p;
  const uint column = index % p.y_w, row = index / p.y_w;
  if (row >= p.oh) return;
  device float* y = values_f32 + args.o.y + index * 3;
  if (column >= p.ow) {
    for (uint c = 0; c < 3; ++c) y[c] = 0.0f;
    return;
  }
  const Image from = {pixels + ulong(args.o.x) * 4, p.iw, p.pixel_bytes, uint3(p.at[0], p.at[1], p.at[2])};
  const int3 u = ResizedPixel(from, p, column, row);
  for (uint c = 0; c < 3; ++c) {
    const float v = float(u[c]);
    // The same as two products and a sum, each rounded (image/resize.h), and leaves the compiler no other pair to fuse.
    y[c] = (fma(v, p.high[c], v * p.low) + p.shift[c]) * p.gain;
  }
}
