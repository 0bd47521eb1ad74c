// copy: one thread an element. The only kind whose x and y may differ in their elements.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/copy_params.h"

struct CopyWords {
  CopyParams p;
  PlainOperands o;
};

kernel void copy(constant CopyWords& words [[buffer(0)]],
                 device half* halves [[buffer(1)]],
                 device float* floats [[buffer(2)]],
                 uint index [[thread_position_in_grid]]) {
  constant CopyParams& p = words.p;
  uint rest = index;
  uint from = words.o.x, to = words.o.y;
  for (int i = 4; i >= 0; --i) {
    from += rest % p.dims[i] * p.x_stride[i];
    to += rest % p.dims[i] * p.y_stride[i];
    rest /= p.dims[i];
  }
  if (rest != 0) return;
  const float v = kFromHalf ? float(halves[from]) : floats[from];
  if (kToHalf) {
    halves[to] = half(v);
  } else {
    floats[to] = v;
  }
}
