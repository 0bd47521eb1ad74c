// One step of a schedule: which kernel, its parameters, and where its operands lie. Plain data, no device object.
#ifndef INKREAD_SCHEDULE_STEP_H_
#define INKREAD_SCHEDULE_STEP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace inkread {

using uint = uint32_t;  // the params headers use the shading languages' name
// NOLINTBEGIN: the headers are shared with shading languages and stand outside any namespace there
#include "schedule/steps/element.h"
#include "schedule/steps/epilogue_params.h"
#include "schedule/steps/weights_form.h"
// The params of every kind.
#define INKREAD_STEP(kind, params, stem)
#include "schedule/steps.inc"
#undef INKREAD_STEP
// NOLINTEND

// The kind of a step is the index of its params in StepParams.
enum class StepKind : uint8_t {
#define INKREAD_STEP(kind, params, stem) kind,
#include "schedule/steps.inc"
#undef INKREAD_STEP
};
inline constexpr int kNumStepKinds = 0
#define INKREAD_STEP(kind, params, stem) +1
#include "schedule/steps.inc"
#undef INKREAD_STEP
    ;

// The epilogue of the other kinds is empty.
constexpr bool HasEpilogue(StepKind kind) {
  switch (kind) {
#define INKREAD_STEP(kind, params, stem)
#define INKREAD_STEP_WITH_EPILOGUE(kind, params, stem) \
  case StepKind::kind:                                 \
    return true;
#include "schedule/steps.inc"
#undef INKREAD_STEP
    default:
      return false;
  }
}

// Whether read 0 is bytes: an image or a crop of one.
bool ReadsPixels(StepKind kind);

// A step's params and epilogue together stay within the 128 bytes of push constants that every Vulkan device promises.
#define INKREAD_STEP(kind, params, stem)                                                                    \
  static_assert(sizeof(params) + (HasEpilogue(StepKind::kind) ? sizeof(EpilogueParams) : size_t{0}) <= 128, \
                "push constants of " #stem " are too large");
#include "schedule/steps.inc"
#undef INKREAD_STEP

using StepParams = std::variant<
#define INKREAD_STEP(kind, params, stem) params,
#include "schedule/steps.inc"
#undef INKREAD_STEP
    std::monostate>;

const char* StepKindName(StepKind kind);  // "depthwise_conv"

// Which block of memory an operand lies in.
enum class Space : uint8_t {
  kNone,     // the operand is not there
  kArena,    // the run's scratch block
  kWeights,  // the model's packed weights
  kInput,    // what the caller gives
  kOutput,   // what the caller receives
};

// [n, h, w, c]. Pixels of a tensor are dense but for the distance from one to the next, Operand::ld.
struct Shape {
  uint32_t n = 0, h = 0, w = 0, c = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
  uint64_t num_pixels() const { return uint64_t{n} * h * w; }
};

// The size of one element (steps/element.h).
inline constexpr uint32_t ElementBytes(uint32_t element) {
  return element == INKREAD_ELEMENT_U8 ? 1 : element == INKREAD_ELEMENT_F32 ? 4 : 2;
}

// A tensor.
struct Operand {
  Space space = Space::kNone;
  uint64_t offset_bytes = 0;
  Shape shape;
  uint32_t ld = 0;  // elements from one pixel to the next, >= shape.c
  // The number of the tensor among those whose rows a band makes, the same in all operands that are part of it. 0: no
  // band makes it.
  uint32_t band_value = 0;
  bool leaves_band = false;  // steps outside the band, or the caller, use it too
  uint32_t element = INKREAD_ELEMENT_F32;
  bool present() const { return space != Space::kNone; }
  // Bytes from offset_bytes to the end of the last pixel.
  uint64_t extent_bytes() const { return extent() * ElementBytes(element); }
  uint64_t extent() const { return shape.num_pixels() == 0 ? 0 : (shape.num_pixels() - 1) * ld + shape.c; }  // elements
};

// The kind's contract (steps/*_params.h) gives each operand a slot. An absent operand leaves its slot empty, so that no
// operand's slot depends on which others are there.
struct Step {
  StepParams params{std::monostate{}};
  EpilogueParams epilogue{};
  std::array<Operand, 3> reads;
  std::array<Operand, 4> weights;
  std::array<Operand, 2> writes;
  uint32_t level = 0;  // steps of one level do not depend on one another; levels run in order
  // Consecutive steps with the same number other than 0 may also run interleaved, a few rows of each at a time, so that
  // rows that one step makes are still in a near cache when the next reads them. Tensors that come into the band or
  // leave it keep their memory from its first step to its last.
  uint32_t band = 0;
  std::string node;  // the network's name for what this computes, for messages and profiles

  StepKind kind() const { return static_cast<StepKind>(params.index()); }
};

// 32-bit words of packed weights: `columns` columns, which fill whole panels, each a window of kh x kw x ic.
inline uint64_t PackedWeightWords(uint32_t form, uint64_t columns, uint64_t kh, uint64_t kw, uint64_t ic) {
  if (form == INKREAD_WEIGHTS_BF16) return columns * kh * INKREAD_BF16_ROWS(kw, ic);
  return form == INKREAD_WEIGHTS_F16 ? (columns * kh * kw * ic + 1) / 2 : columns * kh * kw * ic;
}

// True where each result depends on the one pixel of x at its own place, so that all rows can be worked on as one.
inline bool IsPointwise(const ConvParams& p) {
  return p.kh == 1 && p.kw == 1 && p.stride_h == 1 && p.stride_w == 1 && p.pad_top == 0 && p.pad_left == 0 &&
         p.ih == p.oh && p.iw == p.ow;
}

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_STEP_H_
