#include "backends/vulkan/traits.h"

#include <algorithm>

namespace inkread::vulkan {
namespace {

// matrix_tile.glsl: 16 by 16 threads, each with so many rows and columns.
gpu::MatrixTile Plain(uint32_t rows, uint32_t columns) { return {rows * 16, columns * 16, {rows, columns}, 256}; }

// matrix_units.glsl.
struct Units {
  uint32_t row_matrices, column_matrices, subgroup_rows, subgroup_columns;
};
gpu::MatrixTile TileOf(const Units& u, uint32_t lanes) {
  return {u.subgroup_rows * u.row_matrices * 16,
          u.subgroup_columns * u.column_matrices * 16,
          {u.row_matrices, u.column_matrices, u.subgroup_rows, u.subgroup_columns, lanes},
          u.subgroup_rows * u.subgroup_columns * lanes};
}

// Whether a group has an eight of x for each of its threads to fetch, and room for a stage or its sums beside what the
// kernel shares itself.
bool Fits(const gpu::MatrixTile& tile, uint32_t lanes, uint32_t own_bytes, uint32_t shared_bytes) {
  constexpr uint32_t kEights = 8;  // of the depth that a stage has
  const uint32_t stage = 16 * (tile.rows * (kEights + 1) + kEights * 8 * (tile.columns / 8 + 1));
  const uint32_t sums = tile.threads / lanes * 16 * 16 * (tile.constants[1] * 4 + 1);
  return tile.rows * kEights % tile.threads == 0 && std::max(stage, sums) + own_bytes <= shared_bytes;
}

constexpr uint32_t kBestBytes = 12;  // ctc_head.comp: of_thread

}  // namespace

gpu::GpuTraits TraitsOf(Arithmetic arithmetic, uint32_t lanes, uint32_t shared_bytes) {
  if (arithmetic == Arithmetic::kEmulatedUnits) lanes = 32;  // emulated_matrix.glsl
  gpu::GpuTraits traits;
  traits.group_size = 256;  // step.glsl
  traits.busy_groups = 128;
  traits.ctc_chunk = 512;
  traits.weights_form = arithmetic == Arithmetic::kF32 ? INKREAD_WEIGHTS_F32 : INKREAD_WEIGHTS_F16;
  traits.width = 4;
  traits.copy_width = 4;
  traits.depthwise_run = 2;
  traits.depthwise_min_run = 1;
  traits.excite_columns = 32;  // squeeze_excite.comp
  traits.excite_alone = 4096;
  traits.queries = 8;    // attention.comp
  traits.norm_rows = 8;  // layer_norm.comp
  traits.pool_in_slices = true;
  traits.tells_alignment = true;
  if (arithmetic == Arithmetic::kF32 || arithmetic == Arithmetic::kF16) {
    traits.tiles = {Plain(4, 4), Plain(4, 2), Plain(8, 1), Plain(2, 2), Plain(2, 1)};
    traits.ctc_tile = Plain(4, 4);
    return traits;
  }
  if (arithmetic == Arithmetic::kEmulatedUnits) {
    // Few and small, since llvmpipe takes seconds to compile a large one; one has two of everything but columns.
    traits.tiles = {TileOf({2, 1, 2, 2}, lanes), TileOf({1, 1, 2, 2}, lanes)};
    traits.ctc_tile = TileOf({1, 1, 4, 1}, lanes);
    return traits;
  }
  // Measured on an H200 with all products of the tiny, small and medium networks, 2026-11-30. From 264 busy groups to
  // 400 all six networks take the same time within 2 %. More matrices a subgroup leave it too few registers.
  traits.busy_groups = 330;
  traits.load_cost = 16;
  for (const Units& u :
       {Units{2, 2, 4, 2}, Units{1, 2, 4, 2}, Units{1, 2, 4, 1}, Units{1, 1, 2, 2}, Units{1, 1, 4, 1}}) {
    const gpu::MatrixTile tile = TileOf(u, lanes);
    if (Fits(tile, lanes, 0, shared_bytes)) traits.tiles.push_back(tile);
  }
  for (const Units& u : {Units{1, 1, 2, 1}, Units{1, 1, 4, 1}, Units{1, 2, 4, 1}, Units{1, 4, 4, 1}}) {
    const gpu::MatrixTile tile = TileOf(u, lanes);
    if (Fits(tile, lanes, tile.threads * kBestBytes, shared_bytes)) traits.ctc_tile = tile;
  }
  return traits;
}

std::vector<gpu::GpuTraits> ForOtherSizes(const gpu::GpuTraits& traits) {
  std::vector<gpu::GpuTraits> all;
  for (const gpu::MatrixTile& tile : traits.tiles) {
    gpu::GpuTraits& one = all.emplace_back(traits);
    one.tiles = {tile};
    if (all.size() % 2 == 0) one.depthwise_run = traits.depthwise_min_run;
    one.depthwise_min_run = one.depthwise_run;
  }
  return all;
}

}  // namespace inkread::vulkan
