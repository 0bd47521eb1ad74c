// A tile of a matrix product by units that multiply matrices of 16 by 16 f16 and sum in f32. matrix_tile.glsl says what
// the kernel defines and calls. Depth is staged through shared memory, kDepth at a time; one stage is loaded into
// registers while the one before is multiplied.
//
// A workgroup is kSubgroupRows * kSubgroupColumns subgroups, each of which makes kRowMatrices * kColumnMatrices
// matrices.

layout(constant_id = INKREAD_CONSTANT_MATRIX_ROWS) const uint kRowMatrices = 2;
layout(constant_id = INKREAD_CONSTANT_MATRIX_COLUMNS) const uint kColumnMatrices = 4;
layout(constant_id = INKREAD_CONSTANT_SUBGROUP_ROWS) const uint kSubgroupRows = 4;
layout(constant_id = INKREAD_CONSTANT_SUBGROUP_COLUMNS) const uint kSubgroupColumns = 1;
layout(constant_id = INKREAD_CONSTANT_SUBGROUP_SIZE) const uint kSubgroupSize = 32;
layout(local_size_x_id = INKREAD_CONSTANT_THREADS) in;

const uint kThreads = kSubgroupRows * kSubgroupColumns * kSubgroupSize;
const uint kTileRows = kSubgroupRows * kRowMatrices * 16;
const uint kTileColumns = kSubgroupColumns * kColumnMatrices * 16;
const uint kThreadsOfRow = kColumnMatrices * 4;  // of a subgroup, side by side, each with four of the row's columns
const uint kRowsAtOnce = kSubgroupSize / kThreadsOfRow;
const uint kSlots = kRowMatrices * 16 / kRowsAtOnce;
#ifdef EMULATED_UNITS
const uint kDepth = 32;  // software drivers take three times as long to compile 64
#else
const uint kDepth = 64;
#endif
const uint kDepthVectors = kDepth / 8;

// Strides in vectors of 8 f16. The eight rows that a unit reads at a time then lie in different banks.
const uint kXStride = kDepthVectors + 1;
const uint kWStride = kTileColumns / 8 + 1;

const uint kXLoads = kTileRows * kDepthVectors / kThreads;  // vectors of 8 of x that a thread loads for a stage
const uint kWeightVectors = kDepth * kTileColumns / 8;
const uint kWLoads = (kWeightVectors + kThreads - 1) / kThreads;

// A stage of x and one of the weights; afterwards, in vectors of 4 f32, a row of each subgroup's matrices of sums.
const uint kFirstW = kTileRows * kXStride;
const uint kStage = kFirstW + kDepth * kWStride;
const uint kLaidOutStride = kThreadsOfRow + 1;
const uint kLaidOut = kSubgroupRows * kSubgroupColumns * 16 * kLaidOutStride;
shared uvec4 staging[kStage > kLaidOut ? kStage : kLaidOut];

#ifdef EMULATED_UNITS
#include "backends/vulkan/kernels/emulated_matrix.glsl"
#else
#include "backends/vulkan/kernels/cooperative_matrix.glsl"
#endif

layout(set = 0, binding = 0) restrict readonly buffer ValuesBy8 { uvec4 values_by_8[]; };
layout(set = 0, binding = 1) restrict readonly buffer WeightsBy8 { uvec4 matrix_weights_by_8[]; };

MatrixSum sums[kRowMatrices * kColumnMatrices];
vec4 bias;  // of this thread's columns, loaded before the sums are made

void Take(vec4 sums, uint count, uint m, uint column, uint slot);

uint ThreadIndex() { return SubgroupIndex() * kSubgroupSize + SubgroupLane(); }

// The row of the tile that is this thread's `slot`.
uint TileRow(uint slot) {
  return SubgroupIndex() / kSubgroupColumns * kRowMatrices * 16 + slot * kRowsAtOnce + SubgroupLane() / kThreadsOfRow;
}

// The first of this thread's four columns, and how many of them there are.
uint LaneColumn(uint n0) {
  return n0 + SubgroupIndex() % kSubgroupColumns * kColumnMatrices * 16 + SubgroupLane() % kThreadsOfRow * 4;
}
uint LaneColumns(uint n0, uint num_columns) {
  return LaneColumn(n0) < num_columns ? min(4, num_columns - LaneColumn(n0)) : 0;
}

uint Pack(float16_t a, float16_t b) { return packFloat2x16(f16vec2(a, b)); }

float16_t F16OfX(Row row, Tap tap, uint k, uint depth) {
  const uint index = k < depth ? XIndex(row, tap) : kNowhere;
  return index == kNowhere ? float16_t(0.0) : values[index];
}

// Elements k to k + 7 of a row.
uvec4 VectorOfX(Row row, Tap tap, uint k, uint depth) {
  if (kReadsAreAligned) {  // channels are a multiple of 8, so these are all of one tap
    const uint index = k < depth ? XIndex(row, tap) : kNowhere;
    return index == kNowhere ? uvec4(0) : values_by_8[index / 8];
  }
  uvec4 v8 = uvec4(0);
  [[unroll]] for (uint i = 0; i < 8; i += 2) {
    const float16_t low = F16OfX(row, tap, k + i, depth);
    tap = NextTap(tap);
    v8 = uvec4(v8.yzw, Pack(low, F16OfX(row, tap, k + i + 1, depth)));
    tap = NextTap(tap);
  }
  return v8;
}

// A thread's nth vector of 8 of a stage of weights, panel by panel, each row by row.
struct WeightVector {
  uint at;   // among the weights, of the first stage
  uint end;  // stages that begin from here on have none
};

WeightVector FindWeightVector(uint nth, uint n0, uint num_columns, uint depth) {
  const uint k = nth / 2 % kDepth, panel = n0 / 16 + nth / 2 / kDepth;
  const bool is_there = nth < kWeightVectors && k < depth && panel * 16 < num_columns;
  return WeightVector(o.w + (panel * depth + k) * 16 + nth % 2 * 8, is_there ? depth - k : 0);
}

uvec4 Load(WeightVector w, uint k0) {
  if (k0 >= w.end) return uvec4(0);
  const uint at = w.at + k0 * 16;
  if (kWeightsAreAligned) return matrix_weights_by_8[at / 8];
  uvec4 v8;
  [[unroll]] for (uint i = 0; i < 4; ++i) v8[i] = Pack(matrix_weights[at + i * 2], matrix_weights[at + i * 2 + 1]);
  return v8;
}

WeightVector weights_of[kWLoads];
uvec4 next_x[kXLoads], next_w[kWLoads];

void Fetch(Row rows[kXLoads], uint k0, uint depth) {
  const uint k = k0 + gl_LocalInvocationIndex % kDepthVectors * 8;
  const Tap tap = TapOf(k);
  [[unroll]] for (uint i = 0; i < kXLoads; ++i) next_x[i] = VectorOfX(rows[i], tap, k, depth);
  [[unroll]] for (uint i = 0; i < kWLoads; ++i) next_w[i] = Load(weights_of[i], k0);
}

void StoreStage() {
  const uint thread = gl_LocalInvocationIndex;
  [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
    staging[(thread / kDepthVectors + i * (kThreads / kDepthVectors)) * kXStride + thread % kDepthVectors] = next_x[i];
  }
  [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
    const uint nth = thread + i * kThreads;
    if (nth < kWeightVectors) {
      staging[kFirstW + nth / 2 % kDepth * kWStride + nth / 2 / kDepth * 2 + nth % 2] = next_w[i];
    }
  }
}

// Makes the sums of rows from m0 and columns from n0, a multiple of 16, on. Panels are of 16 columns.
void MultiplyTile(uint m0, uint n0, uint num_columns, uint depth, uint panel) {
  Row rows[kXLoads];
  [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
    rows[i] = RowOf(m0 + gl_LocalInvocationIndex / kDepthVectors + i * (kThreads / kDepthVectors));
  }
  [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
    weights_of[i] = FindWeightVector(gl_LocalInvocationIndex + i * kThreads, n0, num_columns, depth);
  }
  bias = LaneColumns(n0, num_columns) > 0 ? BiasOf(LaneColumn(n0), LaneColumns(n0, num_columns)) : vec4(0.0);
  [[unroll]] for (uint s = 0; s < kRowMatrices * kColumnMatrices; ++s) CLEAR_SUM(sums[s]);
  const uint first_row = SubgroupIndex() / kSubgroupColumns * kRowMatrices * 16;
  const uint first_column = SubgroupIndex() % kSubgroupColumns * kColumnMatrices * 16;

  Fetch(rows, 0, depth);
  barrier();  // until all threads have read the sums of the tile before
  StoreStage();
  barrier();
  for (uint k0 = 0; k0 < depth; k0 += kDepth) {
    const bool has_more = k0 + kDepth < depth;
    if (has_more) Fetch(rows, k0 + kDepth, depth);
    [[unroll]] for (uint k = 0; k < kDepth; k += 16) {
      if (k0 + k >= depth) break;
      MatrixW w[kColumnMatrices];
      [[unroll]] for (uint j = 0; j < kColumnMatrices; ++j) {
        LOAD_W(w[j], kFirstW + k * kWStride + (first_column + j * 16) / 8);
      }
      [[unroll]] for (uint i = 0; i < kRowMatrices; ++i) {
        MatrixX x;
        LOAD_X(x, (first_row + i * 16) * kXStride + k / 8);
        [[unroll]] for (uint j = 0; j < kColumnMatrices; ++j) MULTIPLY_ADD(sums[i * kColumnMatrices + j], x, w[j]);
      }
    }
    barrier();
    if (has_more) {
      StoreStage();
      barrier();
    }
  }
}

void TakeTile(uint m0, uint n0, uint num_rows, uint num_columns) {
  const uint own = SubgroupIndex() * 16 * kLaidOutStride;
  const uint column = LaneColumn(n0), count = LaneColumns(n0, num_columns);
  [[unroll]] for (uint i = 0; i < kRowMatrices; ++i) {
    [[unroll]] for (uint j = 0; j < kColumnMatrices; ++j) STORE_SUM(sums[i * kColumnMatrices + j], own + j * 4);
    MeetSubgroup();
    [[dont_unroll]] for (uint r = 0; r < 16 / kRowsAtOnce; ++r) {  // epilogues are long: less code
      const uint slot = i * (16 / kRowsAtOnce) + r, m = m0 + TileRow(slot);
      const uint at = own + TileRow(slot) % 16 * kLaidOutStride + SubgroupLane() % kThreadsOfRow;
      precise vec4 v = uintBitsToFloat(staging[at]) + bias;
      if (m < num_rows && count > 0) Take(v, count, m, column, slot);
    }
    MeetSubgroup();
  }
}
