// Kernels for the tests of the emulator's host side: small, each with one thing that the host can do wrong.
#include <metal_stdlib>
using namespace metal;

constant uint increment [[function_constant(0)]];

// data[i] += increment
kernel void add_step(device float* data [[buffer(0)]], constant uint& count [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  if (i < count) data[i] += float(increment);
}

// to[i] = from[i]; `count` may be a lie.
kernel void copy_words(device const uint* from [[buffer(0)]], device uint* to [[buffer(1)]],
                       constant uint& count [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i < count) to[i] = from[i];
}

// to[i] = from[width - 1 - i] within each threadgroup, by way of memory whose length the host gives.
[[max_total_threads_per_threadgroup(64)]]
kernel void reverse_group(device const uint* from [[buffer(0)]], device uint* to [[buffer(1)]],
                          threadgroup uint* shared [[threadgroup(0)]], uint i [[thread_position_in_grid]],
                          uint lane [[thread_position_in_threadgroup]], uint width [[threads_per_threadgroup]]) {
  shared[lane] = from[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  to[i] = shared[width - 1 - lane];
}
