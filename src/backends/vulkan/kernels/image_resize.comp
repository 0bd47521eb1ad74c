// image_resize: a thread makes a pixel of the result, all its channels. Each computes its own taps.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/image_resize_params.h"
#define PARAMS ImageResizeParams
#include "backends/vulkan/kernels/image.glsl"

// The pixel in column i and row j of the turned image.
uvec3 PixelAt(uint i, uint j) {
  switch (p.quarter_turns) {
    case 1:
      return PixelOfX(p.iw - 1 - j, i);
    case 2:
      return PixelOfX(p.iw - 1 - i, p.ih - 1 - j);
    case 3:
      return PixelOfX(j, p.ih - 1 - i);
    default:
      return PixelOfX(i, j);
  }
}

struct Position {
  int index;  // may be -1
  float fraction;
};

// (i + 0.5) * scale - 0.5
Position PositionOf(uint i, DoubleWords scale) {
  const DoubleWords middle = DoubleAdd(DoubleFromInt(int(i)), DoubleOf(0u, 0x3fe00000u));
  const DoubleWords place = DoubleAdd(DoubleMultiply(middle, scale), DoubleOf(0u, 0xbfe00000u));
  const float at = DoubleToFloat(place), whole = floor(at);
  precise const float fraction = at - whole;
  return Position(int(whole), fraction);
}

// Of 2048, for the first tap and the second.
uvec2 WeightsOf(float fraction) {
  precise const float rest = 1.0 - fraction;
  precise const vec2 shares = vec2(rest, fraction) * 2048.0;
  return uvec2(roundEven(shares));
}

uvec3 Blended(uint column, uint row, uint source_w, uint source_h) {
  Position positions[2];
  // Not unrolled, since doubles are long.
  [[dont_unroll]] for (uint axis = 0; axis < 2; ++axis) {
    const DoubleWords scale =
        axis == 0 ? DoubleOf(p.scale_x[0], p.scale_x[1]) : DoubleOf(p.scale_y[0], p.scale_y[1]);
    positions[axis] = PositionOf(axis == 0 ? column : row, scale);
  }
  Position across = positions[0];
  const int last = int(source_w) - 1;
  if (across.index < 0 || across.index >= last) across = Position(clamp(across.index, 0, last), 0.0);
  const uint first = uint(across.index), second = min(first + 1, uint(last));
  const uvec2 w = WeightsOf(across.fraction);
  // Unlike a column, a row outside the image keeps its fraction; both its taps read the border row.
  const Position down = positions[1];
  const uint upper = uint(clamp(down.index, 0, int(source_h) - 1));
  const uint lower = uint(clamp(down.index + 1, 0, int(source_h) - 1));
  const uvec2 v = WeightsOf(down.fraction);
  const uvec3 above = PixelAt(first, upper) * w.x + PixelAt(second, upper) * w.y;
  const uvec3 below = PixelAt(first, lower) * w.x + PixelAt(second, lower) * w.y;
  return min((((above >> 4) * v.x >> 16) + ((below >> 4) * v.y >> 16) + 2) >> 2, 255u);
}

void main() {
  const uint index = ThreadIndex();
  if (index >= p.oh * p.y_w) return;
  const uint column = index % p.y_w, row = index / p.y_w;
  precise vec3 result = vec3(0.0);
  if (column < p.ow) {
    const bool is_turned = p.quarter_turns % 2 != 0;
    const uint source_w = is_turned ? p.ih : p.iw, source_h = is_turned ? p.iw : p.ih;
    uvec3 bytes;
    if (source_w == p.ow && source_h == p.oh) {
      bytes = PixelAt(column, row);
    } else if (source_w == 2 * p.ow && source_h == 2 * p.oh) {
      const uint i = 2 * column, j = 2 * row;
      bytes = (PixelAt(i, j) + PixelAt(i + 1, j) + PixelAt(i, j + 1) + PixelAt(i + 1, j + 1) + 2) >> 2;
    } else {
      bytes = Blended(column, row, source_w, source_h);
    }
    const vec3 u = vec3(bytes), high = vec3(p.high[0], p.high[1], p.high[2]);
    result = u * high + u * p.low;
    result = (result + vec3(p.shift[0], p.shift[1], p.shift[2])) * p.gain;
  }
  [[unroll]] for (uint c = 0; c < 3; ++c) floats_out[y + index * 3 + c] = result[c];
}
