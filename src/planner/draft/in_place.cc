#include <algorithm>

#include "planner/draft/passes.h"
#include "schedule/step_facts.h"

namespace inkread {
namespace {

// Whether a read and writes[0] are the same elements of two buffers, the whole of the read's.
bool LieAlike(const DraftBuffer& read, const Operand& from, const Operand& to) {
  return from.offset_bytes == 0 && from.element == to.element && from.shape == to.shape && from.ld == to.ld &&
         read.num_elements() == to.shape.num_pixels() * to.shape.c;
}

class InPlaceReuse {
 public:
  explicit InPlaceReuse(DraftSchedule& draft) : draft_(draft), users_(draft.buffers.size()) {
    for (std::vector<size_t>& users : users_) users.reserve(4);  // one allocation each
    for (size_t i = 0; i < draft.steps.size(); ++i) {
      ForEachOperand(draft.steps[i], [&](int b, const Operand&) { users_[b].push_back(i); });
    }
  }

  void Run() {
    for (size_t i = 0; i < draft_.steps.size(); ++i) {
      const DraftStep& s = draft_.steps[i];
      const int y = s.write_buffers[0];
      // A softmax that ends a recogniser works in the memory of its result, which then holds the logits first.
      const bool to_output =
          draft_.buffers[y].space == Space::kOutput && s.step.kind() == StepKind::kSoftmax && s.step.band == 0;
      if ((draft_.buffers[y].space != Space::kArena && !to_output) || !draft_.buffers[y].is_whole) continue;
      for (int slot : {0, kResidualSlot}) {
        if (!CanWriteOver(i, slot)) continue;
        const int x = s.read_buffers[slot];
        Replace(to_output ? x : y, to_output ? y : x);
        break;
      }
    }
  }

 private:
  bool CanWriteOver(size_t i, int slot) const {
    const DraftStep& s = draft_.steps[i];
    const int x = s.read_buffers[slot], y = s.write_buffers[0];
    if (x < 0 || x == y || !s.may_overwrite[slot]) return false;
    if (draft_.buffers[x].space != Space::kArena || !draft_.buffers[x].is_whole) return false;
    const Operand &from = s.step.reads[slot], &to = s.step.writes[0];
    if (s.step.band != 0 && to.leaves_band && CrossesBand(x, s.step.band)) return false;
    return LieAlike(draft_.buffers[x], from, to) && IsLastUse(i, x);
  }

  // Whether step i is the last to use buffer b, and reads it through one slot only.
  bool IsLastUse(size_t i, int b) const {
    const DraftStep& s = draft_.steps[i];
    return std::count(s.read_buffers.begin(), s.read_buffers.end(), b) == 1 &&
           std::all_of(users_[b].begin(), users_[b].end(),
                       [&](size_t j) { return j == i || draft_.steps[j].step.level < s.step.level; });
  }

  // Whether tensors in buffer b come into the band or leave it: their rows are read and written until the band ends.
  bool CrossesBand(int b, uint32_t band) const {
    return std::any_of(users_[b].begin(), users_[b].end(), [&](size_t j) {
      const DraftStep& s = draft_.steps[j];
      bool crosses = false;
      ForEachOperand(s, [&](int other, const Operand& o) {
        crosses = crosses || (other == b && (o.band_value == 0 || o.leaves_band));
      });
      return s.step.band == band && crosses;
    });
  }

  void Replace(int old_buffer, int new_buffer) {
    for (size_t j : users_[old_buffer]) {
      DraftStep& s = draft_.steps[j];
      std::replace(s.read_buffers.begin(), s.read_buffers.end(), old_buffer, new_buffer);
      std::replace(s.write_buffers.begin(), s.write_buffers.end(), old_buffer, new_buffer);
      users_[new_buffer].push_back(j);
    }
    users_[old_buffer].clear();
  }

  DraftSchedule& draft_;
  std::vector<std::vector<size_t>> users_;  // by buffer, the steps that use it, maybe twice
};

}  // namespace

void ReuseInPlace(DraftSchedule& draft) { InPlaceReuse(draft).Run(); }

}  // namespace inkread
