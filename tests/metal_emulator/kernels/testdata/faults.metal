// Kernels for faults_test.cc: each does something wrong, some only when the host's arguments make them.
#include <metal_stdlib>

using namespace metal;

constant bool kHasBias [[function_constant(0)]];

kernel void copy_shifted(device const half* x [[buffer(0)]], device half* y [[buffer(1)]], constant int2& shift [[buffer(2)]],
                         uint i [[thread_position_in_grid]]) {
  y[int(i) + shift.y] = x[int(i) + shift.x];
}

kernel void copy_fours(device const half* x [[buffer(0)]], device half4* y [[buffer(1)]], constant int& shift [[buffer(2)]],
                       uint i [[thread_position_in_grid]]) {
  y[i] = *(device const half4*)(x + int(i) * 4 + shift);
}

kernel void biased(device float* y [[buffer(0)]], device const float* bias [[buffer(3), function_constant(kHasBias)]],
                   threadgroup float* lent [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  lent[i] = 1.0f;
  y[i] = lent[i] + (kHasBias ? bias[i] : 0.0f);
}

kernel void unset_pointer(device float* y [[buffer(0)]]) {
  device const float* nothing;
  y[0] = nothing[0];
}

kernel void tile_overrun(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float before[32];
  threadgroup float after[32];
  after[i] = 0.0f;
  before[2 * i] = 1.0f;
  y[i] = before[2 * i] + after[i];
}

// --- barriers that are not there ---

kernel void no_barrier(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[128];
  tile[i] = float(i);
  y[i] = tile[n - 1 - i];
}

kernel void no_second_barrier(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                              uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[128];
  for (uint pass = 0; pass < 2; ++pass) {
    tile[i] = float(i + pass);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y[i] = tile[n - 1 - i];
  }
}

kernel void wrong_flag(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[128];
  tile[i] = float(i);
  threadgroup_barrier(mem_flags::mem_device);
  y[i] = tile[n - 1 - i];
}

kernel void barrier_too_narrow(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                               uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[128];
  tile[i] = float(i);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[n - 1 - i];
}

kernel void no_barrier_before_load(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[i] = float(i);
  tile[i + 32] = float(i + 32);
  simdgroup_float8x8 matrix;
  simdgroup_load(matrix, tile, 8);
  simdgroup_store(matrix, y, 8);
}

// Through device memory: no mark says it, but threads do not run in their order.
kernel void no_device_barrier(device float* y [[buffer(0)]], device float* z [[buffer(1)]],
                              uint i [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  y[i] = float(i);
  z[i] = y[n - 1 - i];
}

// --- threads that do not meet ---

kernel void barrier_for_some(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  if (i < 16) threadgroup_barrier(mem_flags::mem_none);
  y[i] = 0.0f;
}

kernel void barrier_after_return(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  if (i == 63) return;
  threadgroup_barrier(mem_flags::mem_none);
  y[i] = 0.0f;
}

kernel void two_barriers(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  if (i < 16) {
    threadgroup_barrier(mem_flags::mem_none);
  } else {
    threadgroup_barrier(mem_flags::mem_none);
  }
  y[i] = 0.0f;
}

kernel void sum_of_some(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  float sum = 0.0f;
  if (i % 2 == 0) sum = simd_sum(1.0f);
  y[i] = sum;
}

kernel void lane_not_there(device float* y [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  y[i] = simd_shuffle(float(i), 31);
}

kernel void matrix_of_some(device float* y [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) {
  simdgroup_float8x8 matrix = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  if (lane % 2 == 0) simdgroup_multiply(matrix, matrix, matrix);
  simdgroup_barrier(mem_flags::mem_none);
  simdgroup_store(matrix, y, 8);
}

kernel void matrix_by_lane(device float* y [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) {
  const simdgroup_float8x8 matrix = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_store(matrix, y + lane, 8);
}

kernel void load_matrix(device const half* x [[buffer(0)]], device half* y [[buffer(1)]], constant uint2& stride [[buffer(2)]]) {
  simdgroup_half8x8 matrix;
  simdgroup_load(matrix, x, stride.x);
  simdgroup_store(matrix, y, stride.y);
}

// --- races ---

kernel void all_write_one(device float* y [[buffer(0)]]) { y[0] = 1.0f; }

kernel void read_neighbour(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]],
                           uint n [[threads_per_grid]]) {
  y[i] = y[(i + 1) % n] + 1.0f;
}

kernel void read_all(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]],
                     uint n [[threads_per_grid]]) {
  float sum = 0.0f;
  for (uint j = 0; j < n; ++j) sum += x[j];
  y[i] = sum;
}

kernel void write_half(device half* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = half(float(i)); }

kernel void store_matrix(device float* y [[buffer(0)]], constant uint& step [[buffer(1)]], uint g [[threadgroup_position_in_grid]]) {
  const simdgroup_float8x8 matrix = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  simdgroup_store(matrix, y + g * step, 8);
}
