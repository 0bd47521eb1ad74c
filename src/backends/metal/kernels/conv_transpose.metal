// conv_transpose as a matrix product: a row is a pixel of x, a column one channel of one of the results that come of
// it. A threadgroup makes one tile of results.
#include "backends/metal/kernels/epilogue.metal"
#include "backends/metal/kernels/matrix_tile.metal"
#include "schedule/steps/conv_transpose_params.h"

struct ConvTransposeArguments {
  ConvTransposeParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void conv_transpose(constant ConvTransposeArguments& args [[buffer(0)]],
                           device half* values_f16 [[buffer(1)]],
                           device float* values_f32 [[buffer(2)]],
                           device const float* weights [[buffer(4)]],
                           device const half* weights_f16 [[buffer(5)]],
                           uint tile [[threadgroup_position_in_grid]],
                           uint thread_index [[thread_index_in_threadgroup]],
                           uint simd_index [[simdgroup_index_in_threadgroup]],
                           uint lane [[thread_index_in_simdgroup]]) {
  threadgroup half x_f16[INKREAD_X_STAGED];
  threadgroup half w_f16[INKREAD_W_STAGED];
  threadgroup float x_f32[INKREAD_X_STAGED];
  threadgroup float w_f32[INKREAD_W_STAGED];
  threadgroup float laid_out_all[INKREAD_MAX_SIMDGROUPS * INKREAD_LAID_OUT];
  constant ConvTransposeParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint num_columns = p.kh * p.kw * p.oc;
  const Window window = OnePixel(p.n * p.ih * p.iw, num_columns, p.ic, p.x_ld);
  const uint tile_columns = kSimdgroupColumns * INKREAD_SIDE;
  const uint tiles_across = (num_columns + tile_columns - 1) / tile_columns;
  const uint row0 = tile / tiles_across * kSimdgroupRows * INKREAD_SIDE, column0 = tile % tiles_across * tile_columns;
  const Place place = PlaceOf(row0, column0, simd_index);
  Results results;
  if (kIsF16) {
    const Operands<half> operands = {values_f16, weights_f16 + args.o.w, x_f16, w_f16};
    MultiplyTile<half>(results, window, row0, column0, m, args.o.x, operands, thread_index, simd_index);
  } else {
    const Operands<float> operands = {values_f32, weights + args.o.w, x_f32, w_f32};
    MultiplyTile<float>(results, window, row0, column0, m, args.o.x, operands, thread_index, simd_index);
  }
  threadgroup float* laid_out = laid_out_all + simd_index * INKREAD_LAID_OUT;
  const uint j = lane / INKREAD_BLOCK;
  const uint column = FirstColumn(window, place, j) + lane % INKREAD_BLOCK;
  const bool is_column = IsColumn(window, place, j, column);
  const uint c = column % p.oc, kx = column / p.oc % p.kw, ky = column / p.oc / p.kw;
#pragma clang loop unroll(full)
  for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
    LayOut(results, i, laid_out);
    for (uint r = 0; r < INKREAD_BLOCK; ++r) {
      const uint row = FirstRow(window, place, i) + r;
      if (!is_column || !IsRow(window, place, i, row)) continue;
      const uint ix = row % p.iw, line = row / p.iw;  // counted over all images
      const uint pixel = (line * p.kh + ky) * p.iw * p.kw + ix * p.kw + kx;
      const float v = Finish(laid_out[r * INKREAD_SIDE + lane], m, args.e, args.o, line / p.ih, pixel, c, p.oc);
      Store(m, args.o.y + pixel * p.y_ld + c, v);
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
}
