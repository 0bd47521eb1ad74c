// A tile of a matrix product, by matrix units where the kernel is compiled for them.
vec4 BiasOf(uint column, uint count) {
  return HasBias() ? WeightsAt(o.bias + column, count, kResultsAreAligned && count >= 4) : vec4(0.0);
}

#ifdef MATRIX_UNITS
#include "backends/vulkan/kernels/matrix_units.glsl"
#else
#include "backends/vulkan/kernels/matrix_tile.glsl"
#endif
