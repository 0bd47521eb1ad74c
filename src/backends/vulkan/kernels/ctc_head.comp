// ctc_head in two phases. First a workgroup takes a tile of rows and kChunk classes: it makes their logits tile by tile
// and keeps of each row the best class, its logit and the sum of exp(logit - best). Then the chunks of a row are
// joined. A row's scratch: its chunks one after another, three words each. Behind all of them the logit of the last
// class of each row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/ctc_head_params.h"
#define PARAMS CtcHeadParams
#define MATRIX_KERNEL
#include "backends/vulkan/kernels/step.glsl"

struct Row {
  uint start;
  bool is_there;
};
Row RowOf(uint m) { return Row(o.x + m * p.x_ld, m < p.rows); }

struct Tap {
  uint channel;
};
Tap TapOf(uint k) { return Tap(k); }
Tap NextTap(Tap tap) { return Tap(tap.channel + 1); }

uint XIndex(Row row, Tap tap) { return row.is_there ? row.start + tap.channel : kNowhere; }

bool HasBias() { return true; }

#include "backends/vulkan/kernels/matrix.glsl"

layout(set = 0, binding = 0) writeonly buffer WordsOut { uint words_out[]; };

layout(constant_id = INKREAD_CONSTANT_PHASE) const uint kPhase = 0;
layout(constant_id = INKREAD_CONSTANT_CHUNK) const uint kChunk = 512;

struct Best {
  float logit;
  uint label;
  float sum;  // of exp(l - logit)
};
const Best kNone = Best(-3.4e38, 0xffffffffu, 0.0);

bool IsBetter(float logit, uint label, Best than) {
  return logit > than.logit || (logit == than.logit && label < than.label);
}

Best best[kSlots];
shared Best of_thread[kThreads];

uint NumChunks() { return (p.classes + kChunk - 1) / kChunk; }
uint LastLogit(uint m) { return o.partial + p.rows * NumChunks() * 3 + m; }

void Take(vec4 logits, uint count, uint m, uint column, uint slot) {
  const uint last = p.classes - 1 - column;
  if (last < count) floats_out[LastLogit(m)] = logits[last];
  [[unroll]] for (uint i = 1; i < 4; ++i) {
    if (i >= count) logits[i] = kNone.logit;
  }
  const Best old = best[slot];
  const float largest = max(max(max(logits.x, logits.y), max(logits.z, logits.w)), old.logit);
  uint label = old.label;
  [[unroll]] for (uint i = 4; i-- > 0;) {
    if (logits[i] > old.logit && logits[i] == largest) label = column + i;  // ends at the first of them
  }
  vec4 terms = Exp(logits - largest);
  [[unroll]] for (uint i = 1; i < 4; ++i) {
    if (i >= count) terms[i] = 0.0;
  }
  const float sum = largest > old.logit ? old.sum * Exp(old.logit - largest) : old.sum;
  best[slot] = Best(largest, label, sum + ((terms.x + terms.y) + (terms.z + terms.w)));
}

void TakeChunk() {
  const uint num_chunks = NumChunks();
  const uint m0 = WorkgroupIndex() / num_chunks * kTileRows, chunk = WorkgroupIndex() % num_chunks;
  if (m0 >= p.rows) return;
  [[unroll]] for (uint i = 0; i < kSlots; ++i) best[i] = kNone;
  const uint end = min(p.classes, (chunk + 1) * kChunk);
  for (uint n0 = chunk * kChunk; n0 < end; n0 += kTileColumns) {
    MultiplyTile(m0, n0, end, p.ic, p.panel);
    TakeTile(m0, n0, p.rows, end);
  }
  [[unroll]] for (uint i = 0; i < kSlots; ++i) {
    of_thread[ThreadIndex()] = best[i];
    barrier();
    const uint m = m0 + TileRow(i);
    if (ThreadIndex() % kThreadsOfRow == 0 && m < p.rows) {
      Best top = kNone;
      for (uint t = 0; t < kThreadsOfRow; ++t) {
        const Best other = of_thread[ThreadIndex() + t];
        if (IsBetter(other.logit, other.label, top)) top = other;
      }
      float sum = 0.0;
      for (uint t = 0; t < kThreadsOfRow; ++t) {
        const Best other = of_thread[ThreadIndex() + t];
        sum = fma(other.sum, Exp(other.logit - top.logit), sum);
      }
      const uint at = o.partial + (m * num_chunks + chunk) * 3;
      floats_out[at] = top.logit;
      floats_out[at + 1] = sum;
      floats_out[at + 2] = float(top.label);
    }
    barrier();
  }
}

void JoinChunks() {
  const uint num_chunks = NumChunks();
  for (uint i = gl_LocalInvocationIndex; i < 256; i += kThreads) {
    const uint m = WorkgroupIndex() * 256 + i;
    if (m >= p.rows) return;
    const uint start = o.partial + m * num_chunks * 3;
    Best top = kNone;
    for (uint chunk = 0; chunk < num_chunks; ++chunk) {
      const float logit = floats[start + chunk * 3];
      if (logit > top.logit) top = Best(logit, uint(floats[start + chunk * 3 + 2]), 0.0);
    }
    float sum = 0.0;
    for (uint chunk = 0; chunk < num_chunks; ++chunk) {
      sum = fma(floats[start + chunk * 3 + 1], Exp(floats[start + chunk * 3] - top.logit), sum);
    }
    words_out[o.y + m * 3] = top.label;
    floats_out[o.y + m * 3 + 1] = top.label == 0 ? 0.0 : 1.0 / sum;
    floats_out[o.y + m * 3 + 2] = Exp(floats[LastLogit(m)] - top.logit);
  }
}

void main() {
  if (kPhase == 0) {
    TakeChunk();
  } else {
    JoinChunks();
  }
}
