// The text of a schedule, one line a step. Planner tests compare it, so its form is stable.
#include <sstream>

#include "schedule/schedule.h"
#include "schedule/steps/facts.h"

namespace inkread {
namespace {

std::ostream& operator<<(std::ostream& out, const Shape& s) {
  return out << '[' << s.n << ',' << s.h << ',' << s.w << ',' << s.c << ']';
}

const char* SpaceName(Space space) {
  switch (space) {
    case Space::kNone:
      return "none";
    case Space::kArena:
      return "arena";
    case Space::kWeights:
      return "w";
    case Space::kInput:
      return "input";
    case Space::kOutput:
      return "output";
  }
  return "?";
}

void PrintOperand(std::ostream& out, const char* name, const Operand& o) {
  if (!o.present()) return;
  out << ' ' << name << '=' << SpaceName(o.space) << '+' << o.offset_bytes << ' ' << o.shape;
  if (o.ld != o.shape.c) out << '/' << o.ld;
  if (o.element == INKREAD_ELEMENT_F16) out << " f16";
  if (o.element == INKREAD_ELEMENT_BF16) out << " bf16";
  if (o.element == INKREAD_ELEMENT_U8) out << " u8";
}

const char* ActivationName(uint activation) {
  switch (activation) {
    case INKREAD_ACTIVATION_NONE:
      return "none";
    case INKREAD_ACTIVATION_RELU:
      return "relu";
    case INKREAD_ACTIVATION_GELU:
      return "gelu";
    case INKREAD_ACTIVATION_HARD_SIGMOID:
      return "hard_sigmoid";
    case INKREAD_ACTIVATION_HARD_SWISH:
      return "hard_swish";
    case INKREAD_ACTIVATION_SIGMOID:
      return "sigmoid";
    case INKREAD_ACTIVATION_SWISH:
      return "swish";
    case INKREAD_ACTIVATION_CLIP:
      return "clip";
    case INKREAD_ACTIVATION_AFFINE:
      return "affine";
  }
  return "?";
}

void PrintEpilogue(std::ostream& out, const EpilogueParams& e) {
  if (e.has_bias) out << " +bias";
  if (e.activation != INKREAD_ACTIVATION_NONE) {
    out << ' ' << ActivationName(e.activation);
    const bool takes_numbers = e.activation == INKREAD_ACTIVATION_HARD_SIGMOID ||
                               e.activation == INKREAD_ACTIVATION_HARD_SWISH || e.activation == INKREAD_ACTIVATION_CLIP;
    if (takes_numbers) out << '(' << e.alpha << ',' << e.beta << ')';
    const bool is_scaled = e.activation == INKREAD_ACTIVATION_HARD_SWISH && (e.scale != 1 || e.offset != 0);
    if (is_scaled || e.activation == INKREAD_ACTIVATION_AFFINE) out << '*' << e.scale << '+' << e.offset;
  }
  if (e.has_gate) out << " *gate";
  if (e.has_residual) out << " +residual";
}

}  // namespace

const char* StepKindName(StepKind kind) {
  switch (kind) {
#define INKREAD_STEP(kind, params, stem) \
  case StepKind::kind:                   \
    return #stem;
#include "schedule/steps.inc"
#undef INKREAD_STEP
  }
  return "none";
}

std::string PrintSchedule(const Schedule& schedule) {
  static constexpr const char* kReads[] = {"x", "x1", "x2"};
  static constexpr const char* kWeights[] = {"w", "w1", "w2", "w3"};
  static constexpr const char* kWrites[] = {"y", "y1"};
  std::ostringstream out;
  out << schedule.network << ' ' << schedule.input << " -> " << schedule.output << " arena=" << schedule.arena_bytes
      << " weights=" << schedule.weights_bytes << " macs=" << schedule.macs << '\n';
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    out << i << " @" << step.level;
    if (step.band != 0) out << " band=" << step.band;
    out << ' ' << StepKindName(step.kind());
    std::visit(
        [&out](const auto& params) {
          if constexpr (requires { PrintParams(out, params); }) PrintParams(out, params);
        },
        step.params);
    PrintEpilogue(out, step.epilogue);
    for (size_t k = 0; k < step.reads.size(); ++k) PrintOperand(out, kReads[k], step.reads[k]);
    for (size_t k = 0; k < step.weights.size(); ++k) PrintOperand(out, kWeights[k], step.weights[k]);
    for (size_t k = 0; k < step.writes.size(); ++k) PrintOperand(out, kWrites[k], step.writes[k]);
    out << '\n';
  }
  return out.str();
}

}  // namespace inkread
