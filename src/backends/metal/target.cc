#include "backends/metal/target.h"

#include "backends/metal/kernels/sizes.h"

namespace inkread::metal {
namespace {

// kernels/matrix_tile.metal
gpu::MatrixTile TileOf(uint32_t simdgroup_rows, uint32_t simdgroup_columns) {
  return {.rows = simdgroup_rows * INKREAD_SIDE,
          .columns = simdgroup_columns * INKREAD_SIDE,
          .variant = {.threads = simdgroup_rows * simdgroup_columns * INKREAD_SIMD_WIDTH,
                      .subgroup_rows = simdgroup_rows,
                      .subgroup_columns = simdgroup_columns}};
}

}  // namespace

gpu::GpuTarget TargetFor(bool fast) {
  gpu::GpuTarget target;
  target.traits.workgroup_size = INKREAD_THREADGROUP_SIZE;
  target.traits.min_busy_workgroups = 64;
  target.traits.weights_form = fast ? INKREAD_WEIGHTS_F16 : INKREAD_WEIGHTS_F32;
  target.traits.vector_width = 4;
  gpu::KernelTuning& tuning = target.tuning;
  tuning.matrix.tiles = {TileOf(2, 2), TileOf(4, 1), TileOf(2, 1), TileOf(1, 2), TileOf(1, 1)};
  tuning.matrix.direct_block = INKREAD_BLOCK;
  tuning.ctc_head = {.tile = TileOf(2, 1), .chunk = 128};
  tuning.depthwise_conv.run = INKREAD_RUN;
  tuning.squeeze_excite.columns = INKREAD_COLUMNS;
  tuning.attention.queries = INKREAD_QUERIES;
  return target;
}

}  // namespace inkread::metal
