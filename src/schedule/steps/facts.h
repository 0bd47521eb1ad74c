// What steps/NAME.cc gives for each step kind, and the parts of contracts that several kinds share.
#ifndef INKREAD_SCHEDULE_STEPS_FACTS_H_
#define INKREAD_SCHEDULE_STEPS_FACTS_H_

#include <ostream>

#include "base/round.h"
#include "base/status.h"
#include "schedule/step_facts.h"

namespace inkread {

// FactsOf gives the facts of a step with these params, which may be anything, all zeros too. PrintParams prints what
// the operands' shapes do not tell already, each part with a space before it.
#define INKREAD_STEP(kind, params, stem) \
  StepFacts FactsOf(const params& p);    \
  void PrintParams(std::ostream& out, const params& p);
#define INKREAD_STEP_WITH_EPILOGUE(kind, params, stem)                \
  StepFacts FactsOf(const params& p, const EpilogueParams& epilogue); \
  void PrintParams(std::ostream& out, const params& p);
#include "schedule/steps.inc"
#undef INKREAD_STEP

// A weight of so many plain words.
inline WeightFacts PlainWeight(uint64_t words) { return {.words = words}; }

// Weights of `columns` columns in panels, each column a window of kh x kw x ic. A panel of 0, which is a fault, holds
// no words.
inline WeightFacts PanelWeight(uint64_t columns, uint32_t panel, uint32_t kh, uint32_t kw, uint32_t ic, uint32_t form) {
  const uint64_t padded = panel == 0 ? 0 : RoundUp(columns, uint64_t{panel});
  return {.words = PackedWeightWords(form, padded, kh, kw, ic),
          .panel = panel,
          .columns = columns,
          .kh = kh,
          .kw = kw,
          .ic = ic,
          .form = form};
}

// The bias of as many columns, in the same panels.
inline WeightFacts PanelBias(uint64_t columns, uint32_t panel) {
  return PanelWeight(columns, panel, 1, 1, 1, INKREAD_WEIGHTS_F32);
}

// The epilogue's operands, where `epilogue` has them, and its faults. `facts` has writes[0] already; `images` is its n.
inline void AddEpilogue(StepFacts& facts, const EpilogueParams& epilogue, uint64_t images, const WeightFacts& bias,
                        bool residual_may_be_overwritten) {
  const OperandFacts& y = *facts.writes[0];
  if (epilogue.has_bias) facts.weights[kBiasSlot] = bias;
  if (epilogue.has_gate) facts.reads[kGateSlot] = OperandFacts{.pixels = images, .c = y.c, .ld = y.c};
  if (epilogue.has_residual) {
    facts.reads[kResidualSlot] = OperandFacts{
        .pixels = y.pixels, .c = y.c, .ld = epilogue.residual_ld, .may_be_overwritten = residual_may_be_overwritten};
  }
  if (epilogue.activation >= INKREAD_NUM_ACTIVATIONS) facts.fault = StrCat("unknown activation ", epilogue.activation);
}

// For params with a panel and a form of weights.
template <typename Params>
void CheckPacking(StepFacts& facts, const Params& p) {
  if (p.panel == 0) facts.fault = "panel is 0";
  if (p.weights_form >= INKREAD_NUM_WEIGHTS_FORMS) facts.fault = StrCat("unknown form of weights ", p.weights_form);
}

inline void PrintWeightsForm(std::ostream& out, uint32_t form) {
  if (form == INKREAD_WEIGHTS_BF16) out << " bf16";
  if (form == INKREAD_WEIGHTS_F16) out << " f16";
}

// For params with a window that moves over x: kh, kw, stride_h, stride_w, pad_top, pad_left.
template <typename Params>
void CheckWindow(StepFacts& facts, const Params& p) {
  if (p.kh == 0 || p.kw == 0 || p.stride_h == 0 || p.stride_w == 0) facts.fault = "a window or stride is 0";
}

template <typename Params>
RowRule WindowRows(const Params& p) {
  return {.images = p.n, .units = p.oh, .x_rows = p.ih, .stride = p.stride_h, .pad = p.pad_top, .window = p.kh};
}

// Window, stride and pads, each only where it says something: " 3x3/2 pad=1,1".
template <typename Params>
void PrintWindow(std::ostream& out, const Params& p) {
  out << ' ' << p.kh << 'x' << p.kw;
  if (p.stride_h != 1 || p.stride_w != 1) {
    out << '/' << p.stride_h;
    if (p.stride_w != p.stride_h) out << 'x' << p.stride_w;
  }
  if (p.pad_top != 0 || p.pad_left != 0) out << " pad=" << p.pad_top << ',' << p.pad_left;
}

// For params of kinds that read an image: checks them and adds read 0.
template <typename Params>
void AddImage(StepFacts& facts, const Params& p) {
  if (p.ih == 0 || p.iw == 0 || p.oh == 0 || p.ow == 0) facts.fault = "a side is 0";
  if (p.pixel_bytes != 1 && p.pixel_bytes != 3 && p.pixel_bytes != 4)
    facts.fault = StrCat("a pixel has ", p.pixel_bytes, " bytes");
  for (uint at : p.at) {
    if (at >= p.pixel_bytes) facts.fault = StrCat("there is no byte ", at, " in a pixel of ", p.pixel_bytes);
  }
  facts.reads[0] = OperandFacts{
      .pixels = uint64_t{p.ih} * p.iw, .c = p.pixel_bytes, .ld = p.pixel_bytes, .element = ElementRule::kPixels};
}

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_STEPS_FACTS_H_
