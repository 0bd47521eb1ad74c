// conv_transpose as a matrix product: a row is a pixel of x, a column one channel of one of the results that come of it.
// One group makes one tile of results.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "schedule/steps/conv_transpose_params.h"
#define PARAMS ConvTransposeParams
#define HAS_EPILOGUE
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

float XAt(Row row, Tap tap) { return row.is_there ? work[row.start + tap.channel] : 0.0; }

#include "backends/vulkan/kernels/matrix_tile.glsl"

void main() {
  const uint num_rows = p.n * p.ih * p.iw, num_columns = p.kh * p.kw * p.oc;
  const uint tiles_across = (num_columns + kTileColumns - 1) / kTileColumns;
  const uint m0 = GroupIndex() / tiles_across * kTileRows, n0 = GroupIndex() % tiles_across * kTileColumns;
  if (m0 >= num_rows) return;
  MultiplyTile(m0, n0, num_columns, p.ic, p.panel);
  [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) {
    const uint m = m0 + TileRow(i);
    const uint ix = m % p.iw, line = m / p.iw;  // counted over all images
    [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) {
      const uint column = n0 + TileColumn(j);
      if (m >= num_rows || column >= num_columns) continue;
      const uint c = column % p.oc, kx = column / p.oc % p.kw, ky = column / p.oc / p.kw;
      const uint pixel = (line * p.kh + ky) * p.iw * p.kw + ix * p.kw + kx;
      StoreResult(sums[i * kColumnsPerThread + j], line / p.ih, pixel, c, p.oc, p.y_ld);
    }
  }
}
