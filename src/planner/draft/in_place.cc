#include <algorithm>

#include "planner/draft/passes.h"

namespace inkread {
namespace {

// Whether the contract of the kind lets writes[0] lie exactly where this read lies.
bool MayWriteOver(StepKind kind, int read_slot) {
  if (read_slot == 0)
    return kind == StepKind::kElementwise || kind == StepKind::kLayerNorm || kind == StepKind::kSoftmax;
  return read_slot == 2 && (kind == StepKind::kElementwise || kind == StepKind::kConv || kind == StepKind::kResize);
}

// Whether tensors in buffer b come into the band or leave it: their rows are read and written until the band ends.
bool CrossesBand(const DraftSchedule& draft, int b, uint32_t band) {
  return std::any_of(draft.steps.begin(), draft.steps.end(), [&](const DraftStep& s) {
    if (s.step.band != band) return false;
    bool crosses = false;
    ForEachOperand(s, [&](int buffer, const Operand& o) {
      crosses = crosses || (buffer == b && (o.band_value == 0 || o.leaves_band));
    });
    return crosses;
  });
}

// Whether a read and writes[0] are the same elements of two buffers, the whole of the read's.
bool LieAlike(const DraftSchedule& draft, int read_buffer, const Operand& from, const Operand& to) {
  return from.offset_bytes == 0 && from.element == to.element && from.shape == to.shape && from.ld == to.ld &&
         draft.buffers[read_buffer].num_elements() == to.shape.num_pixels() * to.shape.c;
}

// Whether step i is the last to use buffer b, and reads it through one slot only.
bool IsLastUse(const DraftSchedule& draft, size_t i, int b) {
  const DraftStep& s = draft.steps[i];
  if (std::count(s.read_buffers.begin(), s.read_buffers.end(), b) != 1) return false;
  for (size_t j = 0; j < draft.steps.size(); ++j) {
    const DraftStep& other = draft.steps[j];
    if (j != i && (other.Reads(b) || other.Writes(b)) && other.step.level >= s.step.level) return false;
  }
  return true;
}

bool CanWriteOver(const DraftSchedule& draft, size_t i, int slot) {
  const DraftStep& s = draft.steps[i];
  const int x = s.read_buffers[slot], y = s.write_buffers[0];
  if (x < 0 || x == y || !MayWriteOver(s.step.kind(), slot)) return false;
  if (draft.buffers[x].space != Space::kArena || !draft.buffers[x].is_whole) return false;
  const Operand &from = s.step.reads[slot], &to = s.step.writes[0];
  if (s.step.band != 0 && to.leaves_band && CrossesBand(draft, x, s.step.band)) return false;
  return LieAlike(draft, x, from, to) && IsLastUse(draft, i, x);
}

void ReplaceBuffer(DraftSchedule& draft, int old_buffer, int new_buffer) {
  for (DraftStep& s : draft.steps) {
    std::replace(s.read_buffers.begin(), s.read_buffers.end(), old_buffer, new_buffer);
    std::replace(s.write_buffers.begin(), s.write_buffers.end(), old_buffer, new_buffer);
  }
}

}  // namespace

void ReuseInPlace(DraftSchedule& draft) {
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    const DraftStep& s = draft.steps[i];
    const int y = s.write_buffers[0];
    // A softmax that ends a recogniser works in the memory of its result, which then holds the logits first.
    const bool to_output =
        draft.buffers[y].space == Space::kOutput && s.step.kind() == StepKind::kSoftmax && s.step.band == 0;
    if ((draft.buffers[y].space != Space::kArena && !to_output) || !draft.buffers[y].is_whole) continue;
    for (int slot : {0, 2}) {
      if (!CanWriteOver(draft, i, slot)) continue;
      const int x = s.read_buffers[slot];
      ReplaceBuffer(draft, to_output ? x : y, to_output ? y : x);
      break;
    }
  }
}

}  // namespace inkread
