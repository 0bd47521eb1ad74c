// squeeze_excite in two phases, a layer each: a group makes INKREAD_COLUMNS results, each sum cut into kSlices that are
// joined in their order. The layer between lies in scratch, in f32.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/squeeze_excite_params.h"

struct SqueezeExciteWords {
  SqueezeExciteParams p;
  PlainOperands o;
};

kernel void squeeze_excite(constant SqueezeExciteWords& words [[buffer(0)]],
                           device half* halves [[buffer(1)]],
                           device float* floats [[buffer(2)]],
                           device const float* weights [[buffer(4)]],
                           uint group [[threadgroup_position_in_grid]],
                           uint thread_index [[thread_index_in_threadgroup]]) {
  threadgroup float of_slice[INKREAD_GROUP_SIZE];
  constant SqueezeExciteParams& p = words.p;
  const Memory m = {halves, floats, weights};
  const uint slices = INKREAD_GROUP_SIZE / INKREAD_COLUMNS;
  const uint across = thread_index % INKREAD_COLUMNS, slice = thread_index / INKREAD_COLUMNS;
  const uint inputs = kPhase == 0 ? p.c : p.mid, outputs = kPhase == 0 ? p.mid : p.c;
  const uint groups = (outputs + INKREAD_COLUMNS - 1) / INKREAD_COLUMNS;
  const uint image = group / groups, column = group % groups * INKREAD_COLUMNS + across;
  float sum = 0.0f;
  if (image < p.n && column < outputs) {
    const uint w = (kPhase == 0 ? words.o.w : words.o.w2) + column;
    for (uint i = slice; i < inputs; i += slices) {
      const float x = kPhase == 0 ? Load(m, words.o.x + image * p.c + i) : m.floats[words.o.partial + image * p.mid + i];
      sum = fma(x, m.weights[w + i * outputs], sum);
    }
  }
  of_slice[thread_index] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (slice != 0 || image >= p.n || column >= outputs) return;
  for (uint s = 1; s < slices; ++s) sum += of_slice[s * INKREAD_COLUMNS + across];
  if (kPhase == 0) {
    m.floats[words.o.partial + image * p.mid + column] = max(sum + m.weights[words.o.bias + column], 0.0f);
  } else {
    const float gate = clamp(fma(p.alpha, sum + m.weights[words.o.bias2 + column], p.beta), 0.0f, 1.0f);
    Store(m, words.o.y + image * p.c + column, gate + (p.add_one != 0 ? 1.0f : 0.0f));
  }
}
