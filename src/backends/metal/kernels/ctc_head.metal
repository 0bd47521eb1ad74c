// ctc_head in two phases. First a threadgroup takes a tile of rows and kChunk classes: it makes their logits tile by
// tile and keeps of each row the best class, its logit and the sum of exp(logit - best). Then the chunks of a row are
// joined. A row's scratch: its chunks one after another, three floats each. Behind all of them the logit of the last
// class of each row. kSimdgroupColumns is 1, so one simdgroup makes a row.
#include "backends/metal/kernels/matrix_tile.metal"
#include "schedule/steps/ctc_head_params.h"

constant uint kChunk [[function_constant(INKREAD_CONSTANT_CHUNK)]];

struct CtcHeadArguments {
  CtcHeadParams p;
  PlainOperands o;
};

struct Best {
  float logit;
  uint label;
  float sum;  // of exp(l - logit)
};

inline uint NumChunks(constant CtcHeadArguments& args) { return (args.p.classes + kChunk - 1) / kChunk; }
inline uint LastLogit(constant CtcHeadArguments& args, uint row) {
  return args.o.partial + args.p.rows * NumChunks(args) * 3 + row;
}

inline bool IsBetter(float logit, uint label, float than_logit, uint than_label) {
  return logit > than_logit || (logit == than_logit && label < than_label);
}

inline void Take(thread Best& best, float logit, uint label) {
  if (logit > best.logit) {
    best.sum = fma(best.sum, Exp(best.logit - logit), 1.0f);
    best.logit = logit;
    best.label = label;
  } else {
    best.sum += Exp(logit - best.logit);
  }
}

#define INKREAD_LANES_PER_ROW (INKREAD_SIMD_WIDTH / INKREAD_BLOCK)

// Lane l looks at row l / INKREAD_LANES_PER_ROW of each block, and there at every INKREAD_LANES_PER_ROW-th column.
inline void TakeTile(thread Results& results, thread const Window& window, Place place, uint end,
                     constant CtcHeadArguments& args, Memory m, threadgroup float* laid_out, uint lane,
                     thread Best* best) {
  device const float* bias = m.weights + args.o.bias;
  const uint r = lane / INKREAD_LANES_PER_ROW, first = lane % INKREAD_LANES_PER_ROW;
#pragma clang loop unroll(full)
  for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
    LayOut(results, i, laid_out);
    const uint row = FirstRow(window, place, i) + r;
    for (uint at = first; at < INKREAD_SIDE; at += INKREAD_LANES_PER_ROW) {
      const uint j = at / INKREAD_BLOCK;
      const uint c = FirstColumn(window, place, j) + at % INKREAD_BLOCK;
      if (!IsColumn(window, place, j, c) || c >= end) continue;
      const float logit = laid_out[r * INKREAD_SIDE + at] + bias[c];
      Take(best[i], logit, c);
      if (c + 1 == args.p.classes && IsRow(window, place, i, row)) m.values_f32[LastLogit(args, row)] = logit;
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
}

// The lanes of a row joined, in their order; the first of them writes.
inline void StoreRow(Best mine, bool is_row, Memory m, uint at, threadgroup float* shared_by_simdgroup, uint lane) {
  threadgroup float* logits = shared_by_simdgroup;
  threadgroup float* labels = shared_by_simdgroup + INKREAD_SIMD_WIDTH;
  threadgroup float* sums = shared_by_simdgroup + 2 * INKREAD_SIMD_WIDTH;
  logits[lane] = mine.logit;
  labels[lane] = float(mine.label);
  sums[lane] = mine.sum;
  simdgroup_barrier(mem_flags::mem_threadgroup);
  if (lane % INKREAD_LANES_PER_ROW == 0 && is_row) {
    Best top = mine;
    for (uint other = lane + 1; other < lane + INKREAD_LANES_PER_ROW; ++other) {
      if (!IsBetter(logits[other], uint(labels[other]), top.logit, top.label)) continue;
      top.logit = logits[other];
      top.label = uint(labels[other]);
    }
    float sum = 0.0f;
    for (uint other = lane; other < lane + INKREAD_LANES_PER_ROW; ++other) {
      sum = fma(sums[other], Exp(logits[other] - top.logit), sum);
    }
    m.values_f32[at] = top.logit;
    m.values_f32[at + 1] = sum;
    m.values_f32[at + 2] = float(top.label);
  }
  simdgroup_barrier(mem_flags::mem_threadgroup);
}

inline void JoinChunks(uint row, constant CtcHeadArguments& args, device float* values_f32, device uint* values_u32) {
  const uint num_chunks = NumChunks(args);
  if (row >= args.p.rows) return;
  const uint start = args.o.partial + row * num_chunks * 3;
  float logit = -3.4e38f;
  uint label = 0;
  for (uint chunk = 0; chunk < num_chunks; ++chunk) {
    if (values_f32[start + chunk * 3] <= logit) continue;
    logit = values_f32[start + chunk * 3];
    label = uint(values_f32[start + chunk * 3 + 2]);
  }
  float sum = 0.0f;
  for (uint chunk = 0; chunk < num_chunks; ++chunk) {
    sum = fma(values_f32[start + chunk * 3 + 1], Exp(values_f32[start + chunk * 3] - logit), sum);
  }
  values_u32[args.o.y + row * 3] = label;
  values_f32[args.o.y + row * 3 + 1] = label == 0 ? 0.0f : 1.0f / sum;
  values_f32[args.o.y + row * 3 + 2] = Exp(values_f32[LastLogit(args, row)] - logit);
}

kernel void ctc_head(constant CtcHeadArguments& args [[buffer(0)]],
                     device half* values_f16 [[buffer(1)]],
                     device float* values_f32 [[buffer(2)]],
                     device uint* values_u32 [[buffer(3)]],
                     device const float* weights [[buffer(4)]],
                     device const half* weights_f16 [[buffer(5)]],
                     uint index [[thread_position_in_grid]],
                     uint tile [[threadgroup_position_in_grid]],
                     uint thread_index [[thread_index_in_threadgroup]],
                     uint simd_index [[simdgroup_index_in_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]]) {
  threadgroup half x_f16[INKREAD_X_STAGED];
  threadgroup half w_f16[INKREAD_W_STAGED];
  threadgroup float x_f32[INKREAD_X_STAGED];
  threadgroup float w_f32[INKREAD_W_STAGED];
  threadgroup float laid_out_all[INKREAD_MAX_SIMDGROUPS * INKREAD_LAID_OUT];
  if (kPhase == 1) {
    JoinChunks(index, args, values_f32, values_u32);
    return;
  }
  constant CtcHeadParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const Window window = OnePixel(p.rows, p.classes, p.ic, p.x_ld);
  const uint num_chunks = NumChunks(args);
  const uint row0 = tile / num_chunks * kSimdgroupRows * INKREAD_SIDE, chunk = tile % num_chunks;
  const uint end = min(p.classes, (chunk + 1) * kChunk);
  threadgroup float* laid_out = laid_out_all + simd_index * INKREAD_LAID_OUT;
  Best best[INKREAD_BLOCKS];
  for (uint i = 0; i < INKREAD_BLOCKS; ++i) best[i] = {-3.4e38f, 0, 0.0f};
  Results results;
  for (uint column0 = chunk * kChunk; column0 < end; column0 += INKREAD_SIDE) {
    if (kIsF16) {
      const Operands<half> operands = {values_f16, weights_f16 + args.o.w, x_f16, w_f16};
      MultiplyTile<half>(results, window, row0, column0, m, args.o.x, operands, thread_index, simd_index);
    } else {
      const Operands<float> operands = {values_f32, weights + args.o.w, x_f32, w_f32};
      MultiplyTile<float>(results, window, row0, column0, m, args.o.x, operands, thread_index, simd_index);
    }
    TakeTile(results, window, PlaceOf(row0, column0, simd_index), end, args, m, laid_out, lane, best);
  }
  const Place place = PlaceOf(row0, 0, simd_index);
  for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
    const uint row = FirstRow(window, place, i) + lane / INKREAD_LANES_PER_ROW;
    StoreRow(best[i], IsRow(window, place, i, row), m, args.o.partial + (row * num_chunks + chunk) * 3, laid_out, lane);
  }
}
