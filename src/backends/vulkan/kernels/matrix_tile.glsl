// A tile of a matrix product: rows of x, which the kernel knows how to find, by packed columns of weights. Each sum is
// one chain of fma in ascending k, whatever the tile's size: the same bits wherever a result stands.
//
// matrix_units.glsl does the same with matrix units. For both the kernel defines, before it includes one of them,
//   struct Row, Row RowOf(uint m)        what is known of a row of x
//   struct Tap, Tap TapOf(uint k)        what is known of a position in the sum
//   Tap NextTap(Tap tap)                 that of k + 1
//   uint XIndex(Row row, Tap tap)        where that element is; kNowhere where it is 0
//   bool HasBias()
// and behind it
//   void Take(vec4 sums, uint count, uint m, uint column, uint slot)
//                                        takes up to four sums, with their biases, of row m, of `count` columns from
//                                        `column` on; a thread's rows are counted by slots
// It calls MultiplyTile, then TakeTile, with all threads of the workgroup together.

layout(constant_id = INKREAD_CONSTANT_THREAD_ROWS) const uint kRowsPerThread = 4;
layout(constant_id = INKREAD_CONSTANT_THREAD_COLUMNS) const uint kColumnsPerThread = 4;
const uint kSide = 16;  // threads along either side of the tile
const uint kThreads = kSide * kSide;
const uint kTileRows = kSide * kRowsPerThread;
const uint kTileColumns = kSide * kColumnsPerThread;
const uint kSlots = kRowsPerThread;
const uint kThreadsOfRow = kSide;     // side by side, each takes other columns of the tile
const uint kDepth = 16;               // of what lies in shared memory at a time
const uint kXStride = kTileRows + 1;  // so that threads that store along k meet different banks

shared float x_tile[kDepth * kXStride];
shared float w_tile[kDepth * kTileColumns];

float sums[kRowsPerThread * kColumnsPerThread];

void Take(vec4 sums, uint count, uint m, uint column, uint slot);

uint ThreadIndex() { return gl_LocalInvocationIndex; }

// The row of the tile that is this thread's `slot`.
uint TileRow(uint slot) { return gl_LocalInvocationIndex / kSide + slot * kSide; }

float XAt(Row row, Tap tap) {
  const uint index = XIndex(row, tap);
  return index == kNowhere ? 0.0 : float(values[index]);
}

// Makes the sums of rows from m0 and columns from n0 on.
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
      w_tile[line * kTileColumns + lane + j * kSide] =
          is_there ? float(matrix_weights[columns[j] + (k0 + line) * panel]) : 0.0;
    }
    barrier();
    for (uint k = 0; k < kDepth; ++k) {
      float x[kRowsPerThread], w[kColumnsPerThread];
      [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) x[i] = x_tile[k * kXStride + line + i * kSide];
      [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) {
        w[j] = w_tile[k * kTileColumns + lane * kColumnsPerThread + j];
      }
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

void TakeTile(uint m0, uint n0, uint num_rows, uint num_columns) {
  const uint column = n0 + gl_LocalInvocationIndex % kSide * kColumnsPerThread;
  if (column >= num_columns) return;
  const uint count = min(kColumnsPerThread, num_columns - column);
  const vec4 bias = BiasOf(column, count);
  [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) {
    precise vec4 v = bias;
    [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) v[j] += sums[i * kColumnsPerThread + j];
    if (m0 + TileRow(i) < num_rows) Take(v, count, m0 + TileRow(i), column, i);
  }
}
