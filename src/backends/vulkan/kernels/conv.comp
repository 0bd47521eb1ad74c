// conv as a matrix product: a row is a result's pixel, a column a channel, the sum runs over the window and x's channels.
// One group makes one tile of results.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "schedule/steps/conv_params.h"
#define PARAMS ConvParams
#define HAS_EPILOGUE
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

struct Row {
  uint image;  // the first word of its picture
  int y, x;    // where its window begins
};
Row RowOf(uint m) {
  const uint ox = m % p.ow, oy = m / p.ow % p.oh;
  Row row;
  row.image = o.x + m / p.ow / p.oh * p.ih * p.iw * p.x_ld;
  // Rows behind the last one read nothing: their windows lie outside.
  row.y = m < p.n * p.oh * p.ow ? int(oy * p.stride_h) - int(p.pad_top) : -1 - int(p.kh);
  row.x = int(ox * p.stride_w) - int(p.pad_left);
  return row;
}

struct Tap {
  int y, x;
  uint channel;
};
Tap TapOf(uint k) {
  Tap tap;
  tap.channel = k % p.ic;
  tap.x = int(k / p.ic % p.kw);
  tap.y = int(k / p.ic / p.kw);
  return tap;
}

float XAt(Row row, Tap tap) {
  const int y = row.y + tap.y, x = row.x + tap.x;
  if (y < 0 || y >= int(p.ih) || x < 0 || x >= int(p.iw)) return 0.0;
  return work[row.image + (uint(y) * p.iw + uint(x)) * p.x_ld + tap.channel];
}

#include "backends/vulkan/kernels/matrix_tile.glsl"

void main() {
  const uint num_rows = p.n * p.oh * p.ow;
  const uint tiles_across = (p.oc + kTileColumns - 1) / kTileColumns;
  const uint m0 = GroupIndex() / tiles_across * kTileRows, n0 = GroupIndex() % tiles_across * kTileColumns;
  if (m0 >= num_rows) return;
  MultiplyTile(m0, n0, p.oc, p.kh * p.kw * p.ic, p.panel);
  [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) {
    const uint m = m0 + TileRow(i);
    [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) {
      const uint c = n0 + TileColumn(j);
      if (m < num_rows && c < p.oc) {
        StoreResult(sums[i * kColumnsPerThread + j], m / (p.oh * p.ow), m, c, p.oc, p.y_ld);
      }
    }
  }
}
