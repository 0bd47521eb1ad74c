// conv as a matrix product: a row is a result's pixel, a column a channel, the sum runs over the window and x's
// channels. A threadgroup makes one tile of results.
#include "backends/metal/kernels/epilogue.metal"
#include "backends/metal/kernels/matrix_tile.metal"
#include "schedule/steps/conv_params.h"

struct ConvArguments {
  ConvParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void conv(constant ConvArguments& args [[buffer(0)]],
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
  constant ConvParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  Window window;
  if (kLoadsDirectly) {
    window = OnePixel(p.n * p.oh * p.ow, p.oc, p.ic, p.x_ld);
  } else {
    window = {p.ih, p.iw, p.ic, p.oh, p.ow, p.kw, p.stride_h, p.stride_w, int(p.pad_top), int(p.pad_left), p.x_ld,
              p.n * p.oh * p.ow, p.oc, p.kh * p.kw * p.ic};
  }
  const uint tile_columns = kSimdgroupColumns * INKREAD_SIDE;
  const uint tiles_across = (p.oc + tile_columns - 1) / tile_columns;
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
  const uint c = FirstColumn(window, place, j) + lane % INKREAD_BLOCK;
  const bool is_column = IsColumn(window, place, j, c);
#pragma clang loop unroll(full)
  for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
    LayOut(results, i, laid_out);
    for (uint r = 0; r < INKREAD_BLOCK; ++r) {
      const uint row = FirstRow(window, place, i) + r;
      if (!is_column || !IsRow(window, place, i, row)) continue;
      const uint image = row / (p.oh * p.ow);
      const float v = Finish(laid_out[r * INKREAD_SIDE + lane], m, args.e, args.o, image, row, c, p.oc);
      Store(m, args.o.y + row * p.y_ld + c, v);
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
}
