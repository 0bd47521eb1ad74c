// A tile of a matrix product: rows of x by packed columns of weights, on matrices of 8x8. Each simdgroup makes
// INKREAD_SIDE x INKREAD_SIDE results; a threadgroup is kSimdgroupRows x kSimdgroupColumns of them. Every sum runs in
// ascending k, eight terms at a time, whatever the tile and its place: the same bits wherever a result stands.
//
// Two ways to the operands, which give the same bits:
//   direct   kLoadsDirectly; 1x1 windows over all pixels, depth % 8 == 0, eight rows or more. Matrices are loaded from
//            device memory. At the edges a block of eight rows or columns is moved back until it lies within the
//            operand; results that another block makes too are not stored (IsRow, IsColumn).
//   staged   everything else. The threadgroup gathers 16 terms of its rows, by their place in the window, and of its
//            columns in threadgroup memory, zeros where there are none.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_MATRIX_TILE_METAL_
#define INKREAD_BACKENDS_METAL_KERNELS_MATRIX_TILE_METAL_

#include "backends/metal/kernels/step.metal"

#define INKREAD_BLOCKS (INKREAD_SIDE / INKREAD_BLOCK)  // along either side of a simdgroup's results
#define INKREAD_DEPTH 16                              // terms that are staged at a time
#define INKREAD_X_STAGED (INKREAD_MAX_SIMDGROUP_ROWS * INKREAD_SIDE * INKREAD_DEPTH)
#define INKREAD_W_STAGED (INKREAD_MAX_SIMDGROUP_COLUMNS * INKREAD_SIDE * INKREAD_DEPTH)
// Floats of threadgroup memory in which a simdgroup lays out INKREAD_BLOCK rows of its results.
#define INKREAD_LAID_OUT (INKREAD_BLOCK * INKREAD_SIDE)

constant uint kSimdgroupRows [[function_constant(INKREAD_CONSTANT_SUBGROUP_ROWS)]];
constant uint kSimdgroupColumns [[function_constant(INKREAD_CONSTANT_SUBGROUP_COLUMNS)]];
constant uint kDirect [[function_constant(INKREAD_CONSTANT_LOADS_DIRECTLY)]];
constant bool kLoadsDirectly = kDirect != 0;

// How rows of the product are found in x.
struct Window {
  uint ih, iw, ic, oh, ow, kw;
  uint stride_h, stride_w;
  int pad_top, pad_left;
  uint x_ld;
  uint num_rows;     // results' pixels, of all images
  uint num_columns;
  uint depth;        // terms of a sum
};

// A window of one pixel, whose rows are the pixels of x.
inline Window OnePixel(uint num_rows, uint num_columns, uint depth, uint x_ld) {
  return {1, num_rows, depth, 1, num_rows, 1, 1, 1, 0, 0, x_ld, num_rows, num_columns, depth};
}

struct Results {
  simdgroup_float8x8 sums[INKREAD_BLOCKS][INKREAD_BLOCKS];
};

// Where a simdgroup's results begin.
struct Place {
  uint row, column;
};
inline Place PlaceOf(uint row0, uint column0, uint simd_index) {
  return {row0 + simd_index / kSimdgroupColumns * INKREAD_SIDE,
          column0 + simd_index % kSimdgroupColumns * INKREAD_SIDE};
}

// Columns of packed weights, with those that fill the last panel.
inline uint PackedColumns(uint num_columns) {
  return (num_columns + INKREAD_PANEL - 1) / INKREAD_PANEL * INKREAD_PANEL;
}

// Row r of block i, and column c of block j, of a simdgroup's results; stored only where IsRow and IsColumn say so.
inline uint FirstRow(thread const Window& window, Place place, uint i) {
  const uint row = place.row + i * INKREAD_BLOCK;
  return kLoadsDirectly ? min(row, window.num_rows - INKREAD_BLOCK) : row;
}
inline uint FirstColumn(thread const Window& window, Place place, uint j) {
  const uint column = place.column + j * INKREAD_BLOCK;
  return kLoadsDirectly ? min(column, PackedColumns(window.num_columns) - INKREAD_BLOCK) : column;
}
inline bool IsRow(thread const Window& window, Place place, uint i, uint row) {
  return row >= place.row + i * INKREAD_BLOCK && row < window.num_rows;
}
inline bool IsColumn(thread const Window& window, Place place, uint j, uint column) {
  return column >= place.column + j * INKREAD_BLOCK && column < window.num_columns;
}

inline uint StartOfColumn(uint column, uint depth) {
  return column / INKREAD_PANEL * depth * INKREAD_PANEL + column % INKREAD_PANEL;
}

inline void Clear(thread Results& results) {
#pragma clang loop unroll(full)
  for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
#pragma clang loop unroll(full)
    for (uint j = 0; j < INKREAD_BLOCKS; ++j) {
      results.sums[i][j] = make_filled_simdgroup_matrix<float, INKREAD_BLOCK, INKREAD_BLOCK>(0.0f);
    }
  }
}

template <typename T>
inline void MultiplyDirect(thread Results& results, thread const Window& window, Place place, device const T* x,
                           device const T* w) {
  simdgroup_matrix<T, INKREAD_BLOCK, INKREAD_BLOCK> x_block;
  simdgroup_matrix<T, INKREAD_BLOCK, INKREAD_BLOCK> w_blocks[INKREAD_BLOCKS];
  uint rows[INKREAD_BLOCKS], columns[INKREAD_BLOCKS];
  for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
    rows[i] = FirstRow(window, place, i) * window.x_ld;
    columns[i] = StartOfColumn(FirstColumn(window, place, i), window.depth);
  }
  for (uint k = 0; k < window.depth; k += INKREAD_BLOCK) {
#pragma clang loop unroll(full)
    for (uint j = 0; j < INKREAD_BLOCKS; ++j) {
      simdgroup_load(w_blocks[j], w + columns[j] + k * INKREAD_PANEL, INKREAD_PANEL);
    }
#pragma clang loop unroll(full)
    for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
      simdgroup_load(x_block, x + rows[i] + k, window.x_ld);
#pragma clang loop unroll(full)
      for (uint j = 0; j < INKREAD_BLOCKS; ++j) {
        simdgroup_multiply_accumulate(results.sums[i][j], x_block, w_blocks[j], results.sums[i][j]);
      }
    }
  }
}

// Terms of one row of the threadgroup's tile: kSimdgroupColumns threads share a row, each takes some of the
// INKREAD_DEPTH terms from k0 on, one after another.
template <typename T>
inline void StageX(thread const Window& window, uint k0, uint row0, Memory m, uint x, threadgroup T* x_tile,
                   uint thread_index) {
  const uint each = INKREAD_DEPTH / kSimdgroupColumns;
  const uint tile_row = thread_index / kSimdgroupColumns, first = thread_index % kSimdgroupColumns * each;
  const uint row = row0 + tile_row;
  const uint ox = row % window.ow, oy = row / window.ow % window.oh, image = row / window.ow / window.oh;
  const int y0 = int(oy * window.stride_h) - window.pad_top, x0 = int(ox * window.stride_w) - window.pad_left;
  const uint start = x + image * window.ih * window.iw * window.x_ld;
  uint channel = (k0 + first) % window.ic, tap = (k0 + first) / window.ic;
  int kx = int(tap % window.kw), ky = int(tap / window.kw);
  for (uint i = 0; i < each; ++i) {
    const int from_y = y0 + ky, from_x = x0 + kx;
    const bool is_there = row < window.num_rows && k0 + first + i < window.depth && from_y >= 0 &&
                          from_y < int(window.ih) && from_x >= 0 && from_x < int(window.iw);
    float v = 0.0f;
    if (is_there) v = Load(m, start + (uint(from_y) * window.iw + uint(from_x)) * window.x_ld + channel);
    x_tile[tile_row * INKREAD_DEPTH + first + i] = T(v);
    if (++channel == window.ic) {
      channel = 0;
      if (++kx == int(window.kw)) {
        kx = 0;
        ++ky;
      }
    }
  }
}

template <typename T>
inline void StageW(thread const Window& window, uint k0, uint column0, device const T* w, threadgroup T* w_tile,
                   uint thread_index) {
  const uint across = kSimdgroupColumns * INKREAD_SIDE;
  const uint threads = kSimdgroupRows * kSimdgroupColumns * INKREAD_SIMD_WIDTH;
  for (uint at = thread_index; at < across * INKREAD_DEPTH; at += threads) {
    const uint k = k0 + at / across, column = column0 + at % across;
    const bool is_there = k < window.depth && column < PackedColumns(window.num_columns);
    w_tile[at] = is_there ? w[StartOfColumn(column, window.depth) + k * INKREAD_PANEL] : T(0.0f);
  }
}

template <typename T>
inline void MultiplyStaged(thread Results& results, thread const Window& window, uint row0, uint column0, Memory m,
                           uint x, device const T* w, threadgroup T* x_tile, threadgroup T* w_tile, uint thread_index,
                           uint simd_index) {
  const uint across = kSimdgroupColumns * INKREAD_SIDE;
  threadgroup const T* x_blocks = x_tile + simd_index / kSimdgroupColumns * INKREAD_SIDE * INKREAD_DEPTH;
  threadgroup const T* w_blocks = w_tile + simd_index % kSimdgroupColumns * INKREAD_SIDE;
  simdgroup_matrix<T, INKREAD_BLOCK, INKREAD_BLOCK> x_block;
  simdgroup_matrix<T, INKREAD_BLOCK, INKREAD_BLOCK> w_block[INKREAD_BLOCKS];
  for (uint k0 = 0; k0 < window.depth; k0 += INKREAD_DEPTH) {
    StageX(window, k0, row0, m, x, x_tile, thread_index);
    StageW(window, k0, column0, w, w_tile, thread_index);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    // The terms behind the last one are left out, as the direct way has none.
    for (uint k = 0; k < min(uint(INKREAD_DEPTH), window.depth - k0); k += INKREAD_BLOCK) {
#pragma clang loop unroll(full)
      for (uint j = 0; j < INKREAD_BLOCKS; ++j) {
        simdgroup_load(w_block[j], w_blocks + k * across + j * INKREAD_BLOCK, across);
      }
#pragma clang loop unroll(full)
      for (uint i = 0; i < INKREAD_BLOCKS; ++i) {
        simdgroup_load(x_block, x_blocks + i * INKREAD_BLOCK * INKREAD_DEPTH + k, INKREAD_DEPTH);
#pragma clang loop unroll(full)
        for (uint j = 0; j < INKREAD_BLOCKS; ++j) {
          simdgroup_multiply_accumulate(results.sums[i][j], x_block, w_block[j], results.sums[i][j]);
        }
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}

// What either way needs, by the element of the matrices.
template <typename T>
struct Operands {
  device const T* block;    // the run's block
  device const T* weights;  // where w begins
  threadgroup T* x_tile;
  threadgroup T* w_tile;
};

// Fills `results` with the simdgroup's part of the tile from (row0, column0) on. All threads of the threadgroup call it
// together.
template <typename T>
inline void MultiplyTile(thread Results& results, thread const Window& window, uint row0, uint column0, Memory m,
                         uint x, Operands<T> operands, uint thread_index, uint simd_index) {
  Clear(results);
  if (kLoadsDirectly) {
    MultiplyDirect<T>(results, window, PlaceOf(row0, column0, simd_index), operands.block + x, operands.weights);
  } else {
    MultiplyStaged<T>(results, window, row0, column0, m, x, operands.weights, operands.x_tile, operands.w_tile,
                      thread_index, simd_index);
  }
}

// Block i of the results' rows, laid out for the lanes of the simdgroup: row r and lane's column at
// laid_out[r * INKREAD_SIDE + lane]. The simdgroup meets before and after it reads.
inline void LayOut(thread Results& results, uint i, threadgroup float* laid_out) {
#pragma clang loop unroll(full)
  for (uint j = 0; j < INKREAD_BLOCKS; ++j) {
    simdgroup_store(results.sums[i][j], laid_out + j * INKREAD_BLOCK, INKREAD_SIDE);
  }
  simdgroup_barrier(mem_flags::mem_threadgroup);
}

#endif  // INKREAD_BACKENDS_METAL_KERNELS_MATRIX_TILE_METAL_
