// The facts of a step kind that follow from its parameters alone, as plain data. steps/NAME.cc has those of one kind;
// whatever checks, prints, costs or places steps asks here and knows no kind.
#ifndef INKREAD_SCHEDULE_STEP_FACTS_H_
#define INKREAD_SCHEDULE_STEP_FACTS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "schedule/rows.h"
#include "schedule/step.h"

namespace inkread {

// Which element (steps/element.h) an operand has.
enum class ElementRule : uint8_t {
  kStored,             // the device's, one and the same in all such operands of a step
  kStoredOrF32Output,  // the same, or F32 where the operand lies in the output
  kAny,                // any but U8, whatever the step's other operands have
  kF32,                // F32
  kLabels,             // 32-bit words by threes: an int, then two floats
  kPixels,             // U8
};

// The bytes that a step touches where the operand's shape does not tell them: from its offset on `extent` elements, and
// of each `ld` of those only the first `c`. All in elements.
struct Footprint {
  uint64_t extent = 0;
  uint64_t ld = 0;
  uint64_t c = 0;
};

// One tensor that a step reads or writes.
struct OperandFacts {
  uint64_t pixels = 0;  // n * h * w
  uint64_t c = 0;       // channels
  uint64_t ld = 0;      // elements from one pixel to the next
  ElementRule element = ElementRule::kStored;
  bool may_be_overwritten = false;          // a read: writes[0] may lie exactly where it lies
  uint32_t alignment_bytes = 1;             // of its offset, where that is more than its element's
  std::optional<Footprint> footprint = {};  // where it is there, the operand's own shape and ld are free
};

// One packed weight.
struct WeightFacts {
  uint64_t words = 0;  // of 32 bits
  // A weight in panels is [ceil(columns / panel), kh, kw, ic, panel] in `form` (steps/weights_form.h). The columns that
  // the last panel has too many are 0.
  uint32_t panel = 0;  // 0: the weight is plain words
  uint64_t columns = 0;
  uint32_t kh = 1, kw = 1, ic = 1;
  uint32_t form = INKREAD_WEIGHTS_F32;
  uint64_t period = 0;  // column i equals column i - period; 0: no such rule
};

// The epilogue's operands have the same slots in all kinds.
inline constexpr int kGateSlot = 1;      // of the reads
inline constexpr int kResidualSlot = 2;  // of the reads
inline constexpr int kBiasSlot = 1;      // of the weights

struct StepFacts {
  // By slot. A slot without facts must be empty in the step.
  std::array<std::optional<OperandFacts>, 3> reads;
  std::array<std::optional<WeightFacts>, 4> weights;
  std::array<std::optional<OperandFacts>, 2> writes;
  std::string fault;            // what is wrong with the params themselves; empty: nothing
  std::optional<RowRule> rows;  // absent where results are not made of rows
  uint64_t multiply_adds = 0;   // of its sums of products
  uint64_t terms = 1;           // values that one result is summed from: its rounding error grows with them
  bool uses_exp = false;        // exp takes part, which devices approximate
};

StepFacts FactsOf(const Step& step);

// Multiply-adds of the step's sums of products; 0 for kinds without any.
uint64_t MultiplyAdds(const Step& step);

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_STEP_FACTS_H_
