#include "backends/vulkan/dispatch.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/round.h"

namespace inkread::vulkan {
namespace {

constexpr uint64_t kGroupSize = 256;       // step.glsl
constexpr uint64_t kTileSide = 16;         // matrix_tile.glsl
constexpr uint32_t kCtcChunk = 512;        // classes that a group of ctc_head takes
constexpr uint64_t kFewGroups = 128;       // fewer leave most of a large GPU idle
constexpr uint64_t kBlockAlignment = 256;  // of what lies in a run's memory

// A phase of a step.
struct Phase {
  std::array<uint32_t, 4> constants{};
  uint64_t groups = 0;
};

struct Work {
  std::vector<Phase> phases;
  uint64_t scratch_words = 0;  // lies where writes 1 would
};

// One thread a result.
Work Threads(uint64_t count) { return {{{{}, DivideUp(count, kGroupSize)}}}; }

// Rows and columns of a tile that a thread makes. Every size gives the same bits (matrix_tile.glsl).
Phase Tiles(uint64_t rows, uint64_t columns) {
  struct Tile {
    uint32_t rows, columns;
  };
  const auto count = [&](const Tile& t) {
    return DivideUp(rows, t.rows * kTileSide) * DivideUp(columns, t.columns * kTileSide);
  };
  Tile tile = columns <= 16 ? Tile{8, 1} : columns <= 32 ? Tile{4, 2} : Tile{4, 4};
  if (count(tile) < kFewGroups) tile = columns <= 16 ? Tile{2, 1} : Tile{2, 2};
  return {{tile.rows, tile.columns}, count(tile)};
}

Work WorkOf(const ConvParams& p) { return {{Tiles(uint64_t{p.n} * p.oh * p.ow, p.oc)}}; }
Work WorkOf(const ConvTransposeParams& p) {
  return {{Tiles(uint64_t{p.n} * p.ih * p.iw, uint64_t{p.kh} * p.kw * p.oc)}};
}
Work WorkOf(const CtcHeadParams& p) {
  constexpr uint32_t kSide = 4;
  const uint64_t chunks = DivideUp(p.classes, kCtcChunk);
  return {{{{kSide, kSide, 0, kCtcChunk}, DivideUp(p.rows, kSide * kTileSide) * chunks},
           {{kSide, kSide, 1, kCtcChunk}, DivideUp(p.rows, kGroupSize)}},
          uint64_t{p.rows} * chunks * 3};
}
Work WorkOf(const DepthwiseConvParams& p) { return Threads(uint64_t{p.n} * p.oh * p.ow * p.c); }
Work WorkOf(const PoolParams& p) { return Threads(uint64_t{p.n} * p.oh * p.ow * p.c); }
Work WorkOf(const ElementwiseParams& p) { return Threads(uint64_t{p.n} * p.h * p.w * p.c); }
Work WorkOf(const ResizeParams& p) { return Threads(uint64_t{p.n} * p.ih * p.scale_h * p.iw * p.scale_w * p.c); }
Work WorkOf(const CopyParams& p) {
  uint64_t count = 1;
  for (uint d : p.dims) count *= d;
  return Threads(count);
}
Work WorkOf(const GlobalPoolParams& p) {
  return {{{{0, 0, 0}, DivideUp(uint64_t{p.n} * p.h * p.c, kGroupSize)},
           {{0, 0, 1}, DivideUp(uint64_t{p.n} * p.c, kGroupSize)}}};
}
// One group each.
Work WorkOf(const SqueezeExciteParams& p) { return {{{{}, p.n}}}; }
Work WorkOf(const LayerNormParams& p) { return {{{{}, p.rows}}}; }
Work WorkOf(const SoftmaxParams& p) { return {{{{}, p.rows}}}; }
Work WorkOf(const AttentionParams& p) { return {{{{}, uint64_t{p.n} * p.t * p.heads}}}; }
Work WorkOf(const std::monostate&) { return {}; }

uint32_t WeightsForm(const StepParams& params) {
  return std::visit(
      [](const auto& p) -> uint32_t {
        if constexpr (requires { p.weights_form; }) return p.weights_form;
        return INKREAD_WEIGHTS_F32;
      },
      params);
}

// As the kernels with HAS_EPILOGUE.
bool HasEpilogue(StepKind kind) {
  return kind == StepKind::kConv || kind == StepKind::kDepthwiseConv || kind == StepKind::kConvTranspose ||
         kind == StepKind::kElementwise || kind == StepKind::kResize;
}

class PushWriter {
 public:
  explicit PushWriter(Dispatch& dispatch) : dispatch_(dispatch) {}
  template <typename T>
  void Add(const T& words) {
    static_assert(sizeof(T) % 4 == 0);
    INKREAD_CHECK(dispatch_.push_words + sizeof(T) / 4 <= dispatch_.push.size());
    std::memcpy(&dispatch_.push[dispatch_.push_words], &words, sizeof(T));
    dispatch_.push_words += sizeof(T) / 4;
  }
  // An operand, or nothing.
  void AddOffset(const Operand& operand, const BlockLayout& layout) {
    uint64_t offset = operand.offset_bytes;
    if (operand.space == Space::kArena) offset += layout.arena;
    if (operand.space == Space::kInput) offset += layout.input;
    if (operand.space == Space::kOutput) offset += layout.output;
    if (operand.present() && operand.space != Space::kWeights) dispatch_.in_block |= 1u << dispatch_.push_words;
    Add(static_cast<uint32_t>(operand.present() ? offset / 4 : 0));
  }

 private:
  Dispatch& dispatch_;
};

void FillPush(const Step& step, const Operand& second_write, const BlockLayout& layout, Dispatch& dispatch) {
  PushWriter writer(dispatch);
  std::visit(
      [&writer](const auto& params) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(params)>, std::monostate>) writer.Add(params);
      },
      step.params);
  const bool has_epilogue = HasEpilogue(step.kind());
  if (has_epilogue) writer.Add(step.epilogue);
  for (int i : {0, 1, 2}) writer.AddOffset(step.reads[i], layout);
  for (int i : {0, 1}) writer.AddOffset(step.weights[i], layout);
  writer.AddOffset(step.writes[0], layout);
  if (has_epilogue) return;
  for (int i : {2, 3}) writer.AddOffset(step.weights[i], layout);
  writer.AddOffset(second_write, layout);
}

uint64_t BytesOf(const Shape& shape) { return shape.num_pixels() * shape.c * 4; }

}  // namespace

Result<DispatchList> DispatchesOf(const Schedule& schedule) {
  std::vector<Work> works;
  works.reserve(schedule.steps.size());
  // Steps of one level may run at the same time, so that each has scratch of its own; levels use the same again.
  std::vector<uint64_t> scratch_words(schedule.steps.size());
  uint64_t scratch_needed = 0, scratch_of_level = 0;
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    if (WeightsForm(step.params) != INKREAD_WEIGHTS_F32)
      return Internal(schedule.network, ": step ", i, " has weights of form ", WeightsForm(step.params));
    works.push_back(std::visit([](const auto& params) { return WorkOf(params); }, step.params));
    if (i == 0 || step.level != schedule.steps[i - 1].level) scratch_of_level = 0;
    scratch_words[i] = scratch_of_level;
    scratch_of_level += works.back().scratch_words;
    scratch_needed = std::max(scratch_needed, scratch_of_level);
  }

  DispatchList list;
  BlockLayout& layout = list.layout;
  layout.output = RoundUp(BytesOf(schedule.input), kBlockAlignment);
  layout.arena = layout.output + RoundUp(BytesOf(schedule.output), kBlockAlignment);
  layout.scratch = layout.arena + RoundUp(schedule.arena_bytes, kBlockAlignment);
  layout.size_bytes = layout.scratch + RoundUp(scratch_needed * 4, kBlockAlignment);
  if (layout.size_bytes / 4 > UINT32_MAX)
    return Unsupported(schedule.network, ": a run takes ", layout.size_bytes, " bytes, more than 32 bits count words");

  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    Operand second_write = step.writes[1];
    if (works[i].scratch_words > 0)
      second_write = {Space::kArena, layout.scratch - layout.arena + scratch_words[i] * 4, {}, 0};
    for (size_t phase = 0; phase < works[i].phases.size(); ++phase) {
      Dispatch& dispatch = list.dispatches.emplace_back();
      dispatch.variant = {step.kind(), works[i].phases[phase].constants};
      dispatch.groups = works[i].phases[phase].groups;
      dispatch.step = static_cast<uint32_t>(i);
      dispatch.phase = static_cast<uint32_t>(phase);
      FillPush(step, second_write, layout, dispatch);
    }
  }
  return list;
}

}  // namespace inkread::vulkan
