// squeeze_excite in two phases, a layer each: a threadgroup makes INKREAD_COLUMNS results, each sum cut into slices
// that are joined in their order. The layer between lies in scratch, in f32.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/squeeze_excite_params.h"

struct SqueezeExciteArguments {
  SqueezeExciteParams p;
  PlainOperands o;
};

kernel void squeeze_excite(constant SqueezeExciteArguments& args [[buffer(0)]],
                           device half* values_f16 [[buffer(1)]],
                           device float* values_f32 [[buffer(2)]],
                           device const float* weights [[buffer(4)]],
                           uint threadgroup_index [[threadgroup_position_in_grid]],
                           uint thread_index [[thread_index_in_threadgroup]]) {
  threadgroup float of_slice[INKREAD_THREADGROUP_SIZE];
  constant SqueezeExciteParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint slices = INKREAD_THREADGROUP_SIZE / INKREAD_COLUMNS;
  const uint across = thread_index % INKREAD_COLUMNS, slice = thread_index / INKREAD_COLUMNS;
  const uint inputs = kPhase == 0 ? p.c : p.mid, outputs = kPhase == 0 ? p.mid : p.c;
  const uint blocks = (outputs + INKREAD_COLUMNS - 1) / INKREAD_COLUMNS;
  const uint image = threadgroup_index / blocks, column = threadgroup_index % blocks * INKREAD_COLUMNS + across;
  float sum = 0.0f;
  if (image < p.n && column < outputs) {
    const uint w = (kPhase == 0 ? args.o.w : args.o.w2) + column;
    for (uint i = slice; i < inputs; i += slices) {
      const float x =
          kPhase == 0 ? Load(m, args.o.x + image * p.c + i) : m.values_f32[args.o.partial + image * p.mid + i];
      sum = fma(x, m.weights[w + i * outputs], sum);
    }
  }
  of_slice[thread_index] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (slice != 0 || image >= p.n || column >= outputs) return;
  for (uint s = 1; s < slices; ++s) sum += of_slice[s * INKREAD_COLUMNS + across];
  if (kPhase == 0) {
    m.values_f32[args.o.partial + image * p.mid + column] = max(sum + m.weights[args.o.bias + column], 0.0f);
  } else {
    const float gate = clamp(fma(p.alpha, sum + m.weights[args.o.bias2 + column], p.beta), 0.0f, 1.0f);
    Store(m, args.o.y + image * p.c + column, gate + (p.add_one != 0 ? 1.0f : 0.0f));
  }
}
