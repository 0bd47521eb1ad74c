// Sums and maxima over all INKREAD_THREADGROUP_SIZE threads of a threadgroup, in an order that never changes. All
// threads call them together, and all receive the result. `of_simdgroup` has a value for each simdgroup.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_THREADGROUP_SUM_METAL_
#define INKREAD_BACKENDS_METAL_KERNELS_THREADGROUP_SUM_METAL_

#include "backends/metal/kernels/step.metal"

#define INKREAD_SIMDGROUPS (INKREAD_THREADGROUP_SIZE / INKREAD_SIMD_WIDTH)

inline float ThreadgroupSum(float v, threadgroup float* of_simdgroup, uint simd_index, uint lane) {
  for (ushort distance = INKREAD_SIMD_WIDTH / 2; distance > 0; distance /= 2) v += simd_shuffle_down(v, distance);
  if (lane == 0) of_simdgroup[simd_index] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0.0f;
  for (uint i = 0; i < INKREAD_SIMDGROUPS; ++i) sum += of_simdgroup[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return sum;
}

inline float ThreadgroupMax(float v, threadgroup float* of_simdgroup, uint simd_index, uint lane) {
  v = simd_max(v);
  if (lane == 0) of_simdgroup[simd_index] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float largest = of_simdgroup[0];
  for (uint i = 1; i < INKREAD_SIMDGROUPS; ++i) largest = max(largest, of_simdgroup[i]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return largest;
}

#endif  // INKREAD_BACKENDS_METAL_KERNELS_GROUP_SUM_METAL_
