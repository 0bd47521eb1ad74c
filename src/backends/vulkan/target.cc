#include "backends/vulkan/target.h"

#include <algorithm>

namespace inkread::vulkan {
namespace {

constexpr uint32_t kWorkgroupSize = 256;  // step.glsl
constexpr uint32_t kTileSide = 16;        // matrix_tile.glsl: threads along either side of a tile
constexpr uint32_t kMatrixSide = 16;      // matrix_units.glsl: rows and columns of a matrix
constexpr uint32_t kBestBytes = 12;       // ctc_head.comp: of_thread

// matrix_tile.glsl
gpu::MatrixTile PlainTile(uint32_t thread_rows, uint32_t thread_columns) {
  return {.rows = thread_rows * kTileSide,
          .columns = thread_columns * kTileSide,
          .variant = {.threads = kWorkgroupSize, .thread_rows = thread_rows, .thread_columns = thread_columns}};
}

// matrix_units.glsl
struct Units {
  uint32_t matrix_rows, matrix_columns, subgroup_rows, subgroup_columns;
};
gpu::MatrixTile TileOf(const Units& u, uint32_t subgroup_size) {
  return {.rows = u.subgroup_rows * u.matrix_rows * kMatrixSide,
          .columns = u.subgroup_columns * u.matrix_columns * kMatrixSide,
          .variant = {.threads = u.subgroup_rows * u.subgroup_columns * subgroup_size,
                      .matrix_rows = u.matrix_rows,
                      .matrix_columns = u.matrix_columns,
                      .subgroup_rows = u.subgroup_rows,
                      .subgroup_columns = u.subgroup_columns,
                      .subgroup_size = subgroup_size}};
}

// Whether every thread of a workgroup has a vector of 8 values of x to load, and a stage, or the tile's sums, fit into
// shared memory beside own_bytes of the kernel's own.
bool Fits(const gpu::MatrixTile& tile, uint32_t own_bytes, uint32_t shared_bytes) {
  constexpr uint32_t kVectorsOfStage = 8;  // vectors of 8 along the depth of a stage
  const gpu::MatrixVariant& v = tile.variant;
  const uint32_t stage = 16 * (tile.rows * (kVectorsOfStage + 1) + kVectorsOfStage * 8 * (tile.columns / 8 + 1));
  const uint32_t sums = v.threads / v.subgroup_size * 16 * 16 * (v.matrix_columns * 4 + 1);
  return tile.rows * kVectorsOfStage % v.threads == 0 && std::max(stage, sums) + own_bytes <= shared_bytes;
}

void TuneForUnits(uint32_t subgroup_size, uint32_t shared_bytes, gpu::GpuTarget& target) {
  // Measured on an H200 with all products of the tiny, small and medium networks, 2026-11-30. From 264 busy workgroups
  // to 400 all six networks take the same time within 2 %. More matrices a subgroup leave it too few registers.
  target.traits.min_busy_workgroups = 330;
  target.tuning.matrix.load_cost = 16;
  for (const Units& u :
       {Units{2, 2, 4, 2}, Units{1, 2, 4, 2}, Units{1, 2, 4, 1}, Units{1, 1, 2, 2}, Units{1, 1, 4, 1}}) {
    const gpu::MatrixTile tile = TileOf(u, subgroup_size);
    if (Fits(tile, 0, shared_bytes)) target.tuning.matrix.tiles.push_back(tile);
  }
  for (const Units& u : {Units{1, 1, 2, 1}, Units{1, 1, 4, 1}, Units{1, 2, 4, 1}, Units{1, 4, 4, 1}}) {
    const gpu::MatrixTile tile = TileOf(u, subgroup_size);
    if (Fits(tile, tile.variant.threads * kBestBytes, shared_bytes)) target.tuning.ctc_head.tile = tile;
  }
}

}  // namespace

gpu::GpuTarget TargetOf(Arithmetic arithmetic, uint32_t subgroup_size, uint32_t shared_bytes) {
  gpu::GpuTarget target;
  target.traits.workgroup_size = kWorkgroupSize;
  target.traits.min_busy_workgroups = 128;
  target.traits.weights_form = arithmetic == Arithmetic::kF32 ? INKREAD_WEIGHTS_F32 : INKREAD_WEIGHTS_F16;
  target.traits.vector_width = 4;
  gpu::KernelTuning& tuning = target.tuning;
  tuning.matrix.specialises_operands = true;
  tuning.ctc_head.chunk = 512;
  tuning.depthwise_conv = {.run = 2, .min_run = 1};
  tuning.global_pool.in_slices = true;
  tuning.squeeze_excite = {.columns = 32, .max_single_workgroup_weights = 4096, .uses_vectors = true};
  tuning.layer_norm.rows = 8;    // layer_norm.comp
  tuning.attention.queries = 8;  // attention.comp
  tuning.copy.vector_width = 4;
  switch (arithmetic) {
    case Arithmetic::kF32:
    case Arithmetic::kF16:
      tuning.matrix.tiles = {PlainTile(4, 4), PlainTile(4, 2), PlainTile(8, 1), PlainTile(2, 2), PlainTile(2, 1)};
      tuning.ctc_head.tile = PlainTile(4, 4);
      break;
    case Arithmetic::kEmulatedUnits: {
      // Few and small, since llvmpipe takes seconds to compile a large one. One has two of everything but columns.
      constexpr uint32_t kSubgroupSize = 32;  // emulated_matrix.glsl
      tuning.matrix.tiles = {TileOf({2, 1, 2, 2}, kSubgroupSize), TileOf({1, 1, 2, 2}, kSubgroupSize)};
      tuning.ctc_head.tile = TileOf({1, 1, 4, 1}, kSubgroupSize);
      break;
    }
    case Arithmetic::kMatrixUnits:
      TuneForUnits(subgroup_size, shared_bytes, target);
      break;
  }
  return target;
}

std::vector<gpu::GpuTarget> ForOtherSizes(const gpu::GpuTarget& target) {
  std::vector<gpu::GpuTarget> all;
  const gpu::DepthwiseConvTuning& depthwise_conv = target.tuning.depthwise_conv;
  for (const gpu::MatrixTile& tile : target.tuning.matrix.tiles) {
    gpu::KernelTuning& tuning = all.emplace_back(target).tuning;
    tuning.matrix.tiles = {tile};
    const uint32_t run = all.size() % 2 == 0 ? depthwise_conv.min_run : depthwise_conv.run;
    tuning.depthwise_conv = {.run = run, .min_run = run};
  }
  return all;
}

}  // namespace inkread::vulkan
