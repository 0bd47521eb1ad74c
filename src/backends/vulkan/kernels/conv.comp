// conv as a matrix product: a row is a result's pixel, a column a channel, the sum runs over the window and x's
// channels. A workgroup makes one tile of results.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/conv_params.h"
#define PARAMS ConvParams
#define HAS_EPILOGUE
#define MATRIX_KERNEL
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

struct Row {
  uint image;  // where its image begins
  int y, x;    // where its window begins
};
Row RowOf(uint m) {
  // Rows past the last one read nothing: their windows lie outside.
  if (kIsPointwise) return Row(o.x + m * p.x_ld, m < p.n * p.oh * p.ow ? 0 : -1, 0);
  const uint ox = m % p.ow, oy = m / p.ow % p.oh;
  Row row;
  row.image = o.x + m / p.ow / p.oh * p.ih * p.iw * p.x_ld;
  row.y = m < p.n * p.oh * p.ow ? int(oy * p.stride_h) - int(p.pad_top) : -1 - int(p.kh);
  row.x = int(ox * p.stride_w) - int(p.pad_left);
  return row;
}

struct Tap {
  int y, x;
  uint channel;
};
Tap TapOf(uint k) {
  if (kIsPointwise) return Tap(0, 0, k);
  Tap tap;
  tap.channel = k % p.ic;
  tap.x = int(k / p.ic % p.kw);
  tap.y = int(k / p.ic / p.kw);
  return tap;
}

Tap NextTap(Tap tap) {
  ++tap.channel;
  if (kIsPointwise) return tap;
  if (tap.channel == p.ic) tap = Tap(tap.y, tap.x + 1, 0);
  if (tap.x == int(p.kw)) tap = Tap(tap.y + 1, 0, tap.channel);
  return tap;
}

uint XIndex(Row row, Tap tap) {
  if (kIsPointwise) return row.y < 0 ? kNowhere : row.image + tap.channel;
  const int y = row.y + tap.y, x = row.x + tap.x;
  if (y < 0 || y >= int(p.ih) || x < 0 || x >= int(p.iw)) return kNowhere;
  return row.image + (uint(y) * p.iw + uint(x)) * p.x_ld + tap.channel;
}

bool HasBias() { return e.has_bias != 0; }

#include "backends/vulkan/kernels/matrix.glsl"

void Take(vec4 sums, uint count, uint m, uint column, uint slot) {
  const uint image = e.has_gate != 0 ? m / (p.oh * p.ow) : 0;
  StoreActivated(Activate(sums), count, image, m, column, p.oc, p.y_ld);
}

void main() {
  const uint num_rows = p.n * p.oh * p.ow;
  const uint tiles_across = (p.oc + kTileColumns - 1) / kTileColumns;
  const uint m0 = WorkgroupIndex() / tiles_across * kTileRows, n0 = WorkgroupIndex() % tiles_across * kTileColumns;
  if (m0 >= num_rows) return;
  MultiplyTile(m0, n0, p.oc, p.kh * p.kw * p.ic, p.panel);
  TakeTile(m0, n0, num_rows, p.oc);
}
