// Kernels for groups_test.cc: threadgroup memory, barriers, functions of the simdgroup, matrices.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>

using namespace metal;

kernel void reverse(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                    uint group [[threadgroup_position_in_grid]], uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[256];
  for (uint pass = 0; pass < 3; ++pass) {
    tile[i] = y[group * n + i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[group * n + i] = tile[n - 1 - i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}

// Sums of rows of 4 in a tile of two dimensions, in memory of a length that the host sets, and one number for all.
kernel void shapes(device float* y [[buffer(0)]], threadgroup float* lent [[threadgroup(1)]],
                   uint i [[thread_index_in_threadgroup]]) {
  threadgroup half tile[32][4];
  threadgroup float total;
  for (uint j = 0; j < 4; ++j) tile[i][j] = half(i + j);
  threadgroup half4* rows = (threadgroup half4*)&tile[0][0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const half4 row = rows[31 - i];
  lent[i] = float(row.x + row.y + row.z + row.w);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0) {
    float sum = 0.0f;
    for (uint j = 0; j < 32; ++j) sum += lent[j];
    total = sum;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = total + lent[i];
}

// What nobody wrote.
kernel void unwritten(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float tile[32];
  threadgroup half halves[32];
  y[i] = i % 2 == 0 ? tile[i] : float(halves[i]);
}

kernel void simd_functions(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                           uint lane [[thread_index_in_simdgroup]], uint n [[threads_per_threadgroup]]) {
  const float v = float(i);
  y[i] = simd_sum(v);
  y[n + i] = simd_max(v) - simd_min(v);
  y[2 * n + i] = simd_shuffle(v, ushort(lane ^ 1u));
  y[3 * n + i] = simd_shuffle_down(v, 3);
  y[4 * n + i] = simd_shuffle_up(v, 3);
  y[5 * n + i] = simd_broadcast(v, 5) + simd_broadcast_first(v);
  y[6 * n + i] = simd_shuffle_xor(v, 16);
  y[7 * n + i] = (simd_any(lane == 3) ? 1.0f : 0.0f) + (simd_all(lane < 32) ? 2.0f : 0.0f) + (simd_all(lane != 3) ? 4.0f : 0.0f);
  const float4 four = simd_sum(float4(v, 1.0f, 2.0f, 3.0f));
  y[8 * n + i] = four.x + four.w;
  y[9 * n + i] = float(simd_sum(half(lane)));
}

// Simdgroups wait for their own threads only: each walks its own number of rounds.
kernel void rounds(device uint* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                   uint simd [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  threadgroup uint tile[128];
  uint value = lane;
  for (uint round = 0; round <= simd; ++round) {
    tile[i] = value;
    simdgroup_barrier(mem_flags::mem_threadgroup);
    value = tile[simd * 32 + (lane + 1) % 32];
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[i] = value;
}

// c = a b of matrices m x k, k x n and m x n, multiples of 8: a simdgroup for each 8x8 of c.
template <typename T>
inline void Multiply(device const T* a, device const T* b, device float* c, uint k, uint n, uint row, uint column) {
  simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_matrix<T, 8, 8> left, right;
  for (uint at = 0; at < k; at += 8) {
    simdgroup_load(left, a + row * k + at, k);
    simdgroup_load(right, b + at * n + column, n);
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, c + row * n + column, n);
}

kernel void multiply_half(device const half* a [[buffer(0)]], device const half* b [[buffer(1)]],
                          device float* c [[buffer(2)]], constant uint& k [[buffer(3)]], uint2 at [[threadgroup_position_in_grid]],
                          uint2 groups [[threadgroups_per_grid]]) {
  Multiply<half>(a, b, c, k, groups.x * 8, at.y * 8, at.x * 8);
}

kernel void multiply_float(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                           device float* c [[buffer(2)]], constant uint& k [[buffer(3)]], uint2 at [[threadgroup_position_in_grid]],
                           uint2 groups [[threadgroups_per_grid]]) {
  Multiply<float>(a, b, c, k, groups.x * 8, at.y * 8, at.x * 8);
}

// Transposes, origins, half sums, threadgroup memory.
kernel void matrix_edges(device const half* x [[buffer(0)]], device half* y [[buffer(1)]],
                         uint lane [[thread_index_in_simdgroup]]) {
  threadgroup half tile[64];
  simdgroup_half8x8 a, b, c;
  simdgroup_load(a, x, 8, ulong2(0), true);
  simdgroup_store(a, y, 8);
  simdgroup_load(b, x, 16, ulong2(8, 1), false);  // row 1 of 16s, from column 8 on
  simdgroup_store(b, y + 64, 8, ulong2(0), true);
  simdgroup_multiply(c, a, simdgroup_half8x8(2.0h));  // twice a
  simdgroup_store(c, tile, 8);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = lane; i < 64; i += 32) y[128 + i] = tile[i];
  a = make_filled_simdgroup_matrix<half, 8, 8>(0.1h);
  c = make_filled_simdgroup_matrix<half, 8, 8>(2048.0h);
  simdgroup_multiply_accumulate(c, a, a, c);  // too little to move 2048
  simdgroup_store(c, y + 192, 8);
}

// Groups of 16 x 16 results each stage what they read: barriers, matrices and threadgroup memory together.
kernel void staged_multiply(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                            device float* c [[buffer(2)]], constant uint& k [[buffer(3)]], uint2 at [[threadgroup_position_in_grid]],
                            uint2 groups [[threadgroups_per_grid]], uint i [[thread_index_in_threadgroup]],
                            uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float a_tile[16 * 8];
  threadgroup float b_tile[8 * 16];
  const uint n = groups.x * 16, row = simd / 2 * 8, column = simd % 2 * 8;
  simdgroup_float8x8 sum(0.0f), left, right;
  for (uint at_k = 0; at_k < k; at_k += 8) {
    a_tile[i] = a[(at.y * 16 + i / 8) * k + at_k + i % 8];
    b_tile[i] = b[(at_k + i / 16) * n + at.x * 16 + i % 16];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_load(left, a_tile + row * 8, 8);
    simdgroup_load(right, &b_tile[column], 16);
    simdgroup_multiply_accumulate(sum, left, right, sum);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  simdgroup_store(sum, c + (at.y * 16 + row) * n + at.x * 16 + column, n);
}

// Groups of 64 x 64 results, 32 x 32 a simdgroup, loaded straight from the device's memory.
kernel void tiled_multiply(device const half* a [[buffer(0)]], device const half* b [[buffer(1)]],
                           device float* c [[buffer(2)]], constant uint& k [[buffer(3)]], uint2 at [[threadgroup_position_in_grid]],
                           uint2 groups [[threadgroups_per_grid]], uint simd [[simdgroup_index_in_threadgroup]]) {
  const uint n = groups.x * 64, row = at.y * 64 + simd / 2 * 32, column = at.x * 64 + simd % 2 * 32;
  simdgroup_float8x8 sums[4][4];
  simdgroup_half8x8 left[4], right[4];
  for (uint i = 0; i < 4; ++i) {
    for (uint j = 0; j < 4; ++j) sums[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  }
  for (uint at_k = 0; at_k < k; at_k += 8) {
    for (uint i = 0; i < 4; ++i) {
      simdgroup_load(left[i], a + (row + i * 8) * k + at_k, k);
      simdgroup_load(right[i], b + at_k * n + column + i * 8, n);
    }
    for (uint i = 0; i < 4; ++i) {
      for (uint j = 0; j < 4; ++j) simdgroup_multiply_accumulate(sums[i][j], left[i], right[j], sums[i][j]);
    }
  }
  for (uint i = 0; i < 4; ++i) {
    for (uint j = 0; j < 4; ++j) simdgroup_store(sums[i][j], c + (row + i * 8) * n + column + j * 8, n);
  }
}
