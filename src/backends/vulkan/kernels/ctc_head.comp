// ctc_head in two phases. First a group takes a tile of rows and kChunk classes: it makes their logits tile by tile and
// keeps of each row the best class, its logit and the sum of exp(logit - best). Then the chunks of a row are joined.
// A row's scratch: its chunks one behind another, three words each.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "schedule/steps/ctc_head_params.h"
#define PARAMS CtcHeadParams
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

float XAt(Row row, Tap tap) { return row.is_there ? work[row.start + tap.channel] : 0.0; }

#include "backends/vulkan/kernels/matrix_tile.glsl"

layout(constant_id = 2) const uint kPhase = 0;
layout(constant_id = 3) const uint kChunk = 512;

struct Best {
  float logit;
  uint label;
  float sum;  // of exp(l - logit)
};
const Best kNone = Best(-3.4e38, 0xffffffffu, 0.0);

bool IsBetter(float logit, uint label, Best than) {
  return logit > than.logit || (logit == than.logit && label < than.label);
}

shared Best of_lane[kSide * kSide];

void TakeChunk() {
  const uint num_chunks = (p.classes + kChunk - 1) / kChunk;
  const uint m0 = GroupIndex() / num_chunks * kTileRows, chunk = GroupIndex() % num_chunks;
  if (m0 >= p.rows) return;
  Best best[kRowsPerThread];
  [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) best[i] = kNone;
  const uint end = min(p.classes, (chunk + 1) * kChunk);
  for (uint n0 = chunk * kChunk; n0 < end; n0 += kTileColumns) {
    MultiplyTile(m0, n0, end, p.ic, p.panel);
    [[unroll]] for (uint j = 0; j < kColumnsPerThread; ++j) {
      const uint c = n0 + TileColumn(j);
      if (c >= end) continue;
      const float bias = weights[o.bias + c];
      [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) {
        precise float logit = sums[i * kColumnsPerThread + j] + bias;
        if (logit > best[i].logit) {
          best[i].sum = fma(best[i].sum, Exp(best[i].logit - logit), 1.0);
          best[i].logit = logit;
          best[i].label = c;
        } else {
          best[i].sum += Exp(logit - best[i].logit);
        }
      }
    }
  }
  [[unroll]] for (uint i = 0; i < kRowsPerThread; ++i) {
    of_lane[gl_LocalInvocationIndex] = best[i];
    barrier();
    const uint m = m0 + TileRow(i);
    if (gl_LocalInvocationIndex % kSide == 0 && m < p.rows) {
      Best top = kNone;
      for (uint lane = 0; lane < kSide; ++lane) {
        const Best other = of_lane[gl_LocalInvocationIndex + lane];
        if (IsBetter(other.logit, other.label, top)) top = other;
      }
      float sum = 0.0;
      for (uint lane = 0; lane < kSide; ++lane) {
        const Best other = of_lane[gl_LocalInvocationIndex + lane];
        sum = fma(other.sum, Exp(other.logit - top.logit), sum);
      }
      const uint at = o.partial + (m * num_chunks + chunk) * 3;
      work_out[at] = top.logit;
      work_out[at + 1] = sum;
      work_out[at + 2] = float(top.label);
    }
    barrier();
  }
}

void JoinChunks() {
  const uint num_chunks = (p.classes + kChunk - 1) / kChunk;
  const uint m = GroupIndex() * GROUP_SIZE + gl_LocalInvocationIndex;
  if (m >= p.rows) return;
  const uint start = o.partial + m * num_chunks * 3;
  Best top = kNone;
  for (uint chunk = 0; chunk < num_chunks; ++chunk) {
    const float logit = work[start + chunk * 3];
    if (logit > top.logit) top = Best(logit, uint(work[start + chunk * 3 + 2]), 0.0);
  }
  float sum = 0.0;
  for (uint chunk = 0; chunk < num_chunks; ++chunk) {
    sum = fma(work[start + chunk * 3 + 1], Exp(work[start + chunk * 3] - top.logit), sum);
  }
  work_out_words[o.y + m * 2] = top.label;
  work_out[o.y + m * 2 + 1] = top.label == 0 ? 0.0 : 1.0 / sum;
}

void main() {
  if (kPhase == 0) {
    TakeChunk();
  } else {
    JoinChunks();
  }
}
