#include <utility>

#include "planner/draft/passes.h"

namespace inkread {
namespace {

Status CheckKernels(const DraftSchedule& draft, const DeviceCaps& caps) {
  for (const DraftStep& s : draft.steps) {
    if (!caps.has_step[static_cast<size_t>(s.step.kind())])
      return Unsupported(draft.schedule.network, ": node '", s.step.node, "': the device has no kernel for ",
                         StepKindName(s.step.kind()));
  }
  return Status();
}

}  // namespace

void BindElements(DraftSchedule& draft) {
  for (DraftStep& s : draft.steps) {
    ForEachOperand(s, [&](int b, Operand& operand) {
      operand.element = draft.buffers[b].element;
      operand.offset_bytes *= ElementBytes(operand.element);
    });
  }
}

Result<Schedule> FinishSchedule(DraftSchedule draft, const DeviceCaps& caps) {
  INKREAD_RETURN_IF_ERROR(CheckKernels(draft, caps));
  BindElements(draft);
  if (caps.band_bytes > 0) {
    FormBands(draft, caps.band_bytes);
    ReuseInPlace(draft);
  } else {
    AssignLevels(draft);
    ReuseInPlace(draft);
    SortByLevel(draft);
  }
  PlaceBuffers(draft);
  Schedule schedule = std::move(draft.schedule);
  schedule.steps.reserve(draft.steps.size());
  for (DraftStep& s : draft.steps) schedule.steps.push_back(std::move(s.step));
  return schedule;
}

}  // namespace inkread
