// A tile of a matrix product, by the device's matrix units where the build is for them.
vec4 BiasOf(uint column, uint count) {
  return HasBias() ? WeightsAt(o.bias + column, count, kResultsAreAligned && count >= 4) : vec4(0.0);
}

#ifdef MATRIX_UNITS
#include "backends/vulkan/kernels/matrix_units.glsl"
#else
#include "backends/vulkan/kernels/matrix_tile.glsl"
#endif
