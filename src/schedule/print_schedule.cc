// The text of a schedule, one line a step. Planner tests compare it, so its form is stable.
#include <sstream>

#include "schedule/schedule.h"

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
  }
  return "?";
}

// Window, stride and pads, each only where it says something: " 3x3/2 pad=1,1".
template <typename P>
void PrintWindow(std::ostream& out, const P& p) {
  out << ' ' << p.kh << 'x' << p.kw;
  if (p.stride_h != 1 || p.stride_w != 1) {
    out << '/' << p.stride_h;
    if (p.stride_w != p.stride_h) out << 'x' << p.stride_w;
  }
  if (p.pad_top != 0 || p.pad_left != 0) out << " pad=" << p.pad_top << ',' << p.pad_left;
}

void PrintForm(std::ostream& out, uint32_t weights_form) {
  if (weights_form == INKREAD_WEIGHTS_BF16) out << " bf16";
  if (weights_form == INKREAD_WEIGHTS_F16) out << " f16";
}

// What the operands' shapes do not tell already.
void PrintParams(std::ostream& out, const ConvParams& p) {
  PrintWindow(out, p);
  PrintForm(out, p.weights_form);
}
void PrintParams(std::ostream& out, const DepthwiseConvParams& p) { PrintWindow(out, p); }
void PrintParams(std::ostream& out, const ConvTransposeParams& p) {
  out << ' ' << p.kh << 'x' << p.kw;
  PrintForm(out, p.weights_form);
}
void PrintParams(std::ostream& out, const PoolParams& p) {
  out << (p.mode == INKREAD_POOL_MAX ? " max" : " average");
  PrintWindow(out, p);
  if (p.count_padding) out << " count_padding";
}
void PrintParams(std::ostream&, const GlobalPoolParams&) {}
void PrintParams(std::ostream& out, const SqueezeExciteParams& p) {
  out << " mid=" << p.mid << " alpha=" << p.alpha << " beta=" << p.beta;
  if (p.add_one) out << " add_one";
}
void PrintParams(std::ostream&, const ElementwiseParams&) {}
void PrintParams(std::ostream& out, const ResizeParams& p) { out << " scale=" << p.scale_h << 'x' << p.scale_w; }
void PrintParams(std::ostream& out, const LayerNormParams& p) { out << " epsilon=" << p.epsilon; }
void PrintParams(std::ostream& out, const AttentionParams& p) {
  out << " heads=" << p.heads << " d=" << p.d << " scale=" << p.scale;
}
void PrintParams(std::ostream&, const SoftmaxParams&) {}
void PrintParams(std::ostream& out, const CtcHeadParams& p) { PrintForm(out, p.weights_form); }
void PrintParams(std::ostream& out, const CopyParams& p) {
  const auto list = [&out](const char* name, const uint(&values)[5]) {
    out << ' ' << name << '=';
    for (int i = 0; i < 5; ++i) out << (i ? "," : "") << values[i];
  };
  list("dims", p.dims);
  list("x_stride", p.x_stride);
  list("y_stride", p.y_stride);
}
void PrintParams(std::ostream& out, const ImageResizeParams& p) {
  out << ' ' << p.ow << 'x' << p.oh;
  if (p.quarter_turns != 0) out << " turns=" << p.quarter_turns;
}
void PrintParams(std::ostream&, const ImageWarpParams&) {}
void PrintParams(std::ostream&, const std::monostate&) {}

void PrintEpilogue(std::ostream& out, const EpilogueParams& e) {
  if (e.has_bias) out << " +bias";
  if (e.activation != INKREAD_ACTIVATION_NONE) {
    out << ' ' << ActivationName(e.activation);
    const bool takes_numbers = e.activation == INKREAD_ACTIVATION_HARD_SIGMOID ||
                               e.activation == INKREAD_ACTIVATION_HARD_SWISH || e.activation == INKREAD_ACTIVATION_CLIP;
    if (takes_numbers) out << '(' << e.alpha << ',' << e.beta << ')';
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
    std::visit([&out](const auto& params) { PrintParams(out, params); }, step.params);
    PrintEpilogue(out, step.epilogue);
    for (size_t k = 0; k < step.reads.size(); ++k) PrintOperand(out, kReads[k], step.reads[k]);
    for (size_t k = 0; k < step.weights.size(); ++k) PrintOperand(out, kWeights[k], step.weights[k]);
    for (size_t k = 0; k < step.writes.size(); ++k) PrintOperand(out, kWrites[k], step.writes[k]);
    out << '\n';
  }
  return out.str();
}

}  // namespace inkread
