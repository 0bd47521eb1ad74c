// A tile of a matrix product: rows of x, which the kernel knows how to find, by packed columns of weights. Each sum is
// one chain of fma in ascending k, whatever the tile's size: the same bits wherever a result stands.
//
// Before it includes this file the kernel defines
//   struct Row, Row RowOf(uint m)           what is known of a row of x
//   struct Tap, Tap TapOf(uint k)           what is known of a position in the sum
//   float XAt(Row row, Tap tap)             the element; 0 where there is none

layout(constant_id = 0) const uint kRowsPerThread = 4;
layout(constant_id = 1) const uint kColumnsPerThread = 4;
const uint kSide = 16;  // threads along either side of the tile
const uint kTileRows = kSide * kRowsPerThread;
const uint kTileColumns = kSide * kColumnsPerThread;
const uint kDepth = 16;              // of what lies in shared memory at a time
const uint kXStride = kTileRows + 1;  // so that threads that store along k meet different banks

shared float x_tile[kDepth * kXStride];
shared float w_tile[kDepth * kTileColumns];

float sums[kRowsPerThread * kColumnsPerThread];

// What this thread's sum (i, j) belongs to, within the tile.
uint TileRow(uint i) { return gl_LocalInvocationIndex / kSide + i * kSide; }
uint TileColumn(uint j) { return gl_LocalInvocationIndex % kSide + j * kSide; }

// Fills `sums` for rows from m0 and columns from n0 on. All threads of the group call it together.
void MultiplyTile(uint m0, uint n0, uint num_columns, uint depth, uint panel) {
  const uint lane = gl_LocalInvocationIndex % kSide, line = gl_LocalInvocationIndex / kSide;
  Row rows[kRowsPerThread];
  [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) rows[i] = RowOf(m0 + line + i * kSide);
  uint columns[kColumnsPerThread];  // where they begin among the weights
  [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) {
    const uint column = n0 + lane + j * kSide;
    columns[j] = o.w + column / panel * depth * panel + column % panel;
  }
  [[unroll]] for (uint s = 0; s < kRowsPerThread * kColumnsPerThread; ++s) sums[s] = 0.0;

  for (uint k0 = 0; k0 < depth; k0 += kDepth) {
    const Tap tap = TapOf(k0 + lane);
    [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) {
      x_tile[lane * kXStride + line + i * kSide] = k0 + lane < depth ? XAt(rows[i], tap) : 0.0;
    }
    [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) {
      const bool is_there = k0 + line < depth && n0 + lane + j * kSide < num_columns;
      w_tile[line * kTileColumns + lane + j * kSide] = is_there ? weights[columns[j] + (k0 + line) * panel] : 0.0;
    }
    barrier();
    for (uint k = 0; k < kDepth; ++k) {
      float x[kRowsPerThread], w[kColumnsPerThread];
      [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) x[i] = x_tile[k * kXStride + line + i * kSide];
      [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) w[j] = w_tile[k * kTileColumns + lane + j * kSide];
      [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) {
        [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) {
          const uint s = i * kColumnsPerThread + j;
          sums[s] = fma(x[i], w[j], sums[s]);
        }
      }
    }
    barrier();
  }
}
