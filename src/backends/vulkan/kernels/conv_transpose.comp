// conv_transpose as a matrix product: a row is a pixel of x, a column one channel of one of the results that come of
// it. A workgroup makes one tile of results.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/conv_transpose_params.h"
#define PARAMS ConvTransposeParams
#define HAS_EPILOGUE
#define MATRIX_KERNEL
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

struct Row {
  uint start;
  bool is_there;
};
Row RowOf(uint m) { return Row(o.x + m * p.x_ld, m < p.n * p.ih * p.iw); }

struct Tap {
  uint channel;
};
Tap TapOf(uint k) { return Tap(k); }
Tap NextTap(Tap tap) { return Tap(tap.channel + 1); }

uint XIndex(Row row, Tap tap) { return row.is_there ? row.start + tap.channel : kNowhere; }

bool HasBias() { return e.has_bias != 0; }

#include "backends/vulkan/kernels/matrix.glsl"

// The pixel of y to which a column of x's pixel m belongs.
uint PixelOf(uint m, uint column) {
  const uint kx = column / p.oc % p.kw, ky = column / p.oc / p.kw;
  return (m / p.iw * p.kh + ky) * p.iw * p.kw + m % p.iw * p.kw + kx;
}

void Take(vec4 sums, uint count, uint m, uint column, uint slot) {
  const uint image = e.has_gate != 0 ? m / p.iw / p.ih : 0;
  vec4 v = Activate(sums);
  if (p.oc % 4 == 0) {  // then these are channels of one pixel
    StoreActivated(v, count, image, PixelOf(m, column), column % p.oc, p.oc, p.y_ld);
    return;
  }
  for (uint j = 0; j < count; ++j) {
    StoreActivated(v, 1, image, PixelOf(m, column + j), (column + j) % p.oc, p.oc, p.y_ld);
    v = v.yzwx;
  }
}

void main() {
  const uint num_rows = p.n * p.ih * p.iw, num_columns = p.kh * p.kw * p.oc;
  const uint tiles_across = (num_columns + kTileColumns - 1) / kTileColumns;
  const uint m0 = WorkgroupIndex() / tiles_across * kTileRows, n0 = WorkgroupIndex() % tiles_across * kTileColumns;
  if (m0 >= num_rows) return;
  MultiplyTile(m0, n0, num_columns, p.ic, p.panel);
  TakeTile(m0, n0, num_rows, num_columns);
}
