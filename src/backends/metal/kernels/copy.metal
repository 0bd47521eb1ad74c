// copy: one thread an element. The only kind whose x and y may differ in their elements.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/copy_params.h"

constant uint kF32X [[function_constant(INKREAD_CONSTANT_X_IS_F32)]];
constant uint kF32Y [[function_constant(INKREAD_CONSTANT_Y_IS_F32)]];
constant bool kXIsF32 = kF32X != 0;
constant bool kYIsF32 = kF32Y != 0;

struct CopyArguments {
  CopyParams p;
  PlainOperands o;
};

kernel void copy(constant CopyArguments& args [[buffer(0)]],
                 device half* values_f16 [[buffer(1)]],
                 device float* values_f32 [[buffer(2)]],
                 uint index [[thread_position_in_grid]]) {
  constant CopyParams& p = args.p;
  uint rest = index;
  uint from = args.o.x, to = args.o.y;
  for (int i = 4; i >= 0; --i) {
    from += rest % p.dims[i] * p.x_stride[i];
    to += rest % p.dims[i] * p.y_stride[i];
    rest /= p.dims[i];
  }
  if (rest != 0) return;
  const float v = kXIsF32 ? values_f32[from] : float(values_f16[from]);
  if (kYIsF32) {
    values_f32[to] = v;
  } else {
    values_f16[to] = half(v);
  }
}
