#include "backends/gpu/dispatch.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "backends/gpu/submission.h"
#include "base/round.h"

namespace inkread::gpu {
namespace {

// A phase of a step.
struct Phase {
  std::array<uint32_t, 4> constants{};
  uint64_t groups = 0;
};

struct Work {
  std::vector<Phase> phases;
  uint64_t scratch_words = 0;  // lies where writes 1 would
};

class Worker {
 public:
  explicit Worker(const GpuTraits& traits) : traits_(traits) {}

  Work operator()(const ConvParams& p) const { return {{Tiles(uint64_t{p.n} * p.oh * p.ow, p.oc)}}; }
  Work operator()(const ConvTransposeParams& p) const {
    return {{Tiles(uint64_t{p.n} * p.ih * p.iw, uint64_t{p.kh} * p.kw * p.oc)}};
  }
  Work operator()(const CtcHeadParams& p) const {
    const MatrixTile& tile = traits_.ctc_tile;
    const uint64_t chunks = DivideUp(p.classes, traits_.ctc_chunk);
    return {{{{tile.constants[0], tile.constants[1], 0, traits_.ctc_chunk}, DivideUp(p.rows, tile.rows) * chunks},
             {{tile.constants[0], tile.constants[1], 1, traits_.ctc_chunk}, DivideUp(p.rows, traits_.group_size)}},
            uint64_t{p.rows} * chunks * 3};
  }
  Work operator()(const DepthwiseConvParams& p) const { return Threads(uint64_t{p.n} * p.oh * p.ow * p.c); }
  Work operator()(const PoolParams& p) const { return Threads(uint64_t{p.n} * p.oh * p.ow * p.c); }
  Work operator()(const ElementwiseParams& p) const { return Threads(uint64_t{p.n} * p.h * p.w * p.c); }
  Work operator()(const ResizeParams& p) const {
    return Threads(uint64_t{p.n} * p.ih * p.scale_h * p.iw * p.scale_w * p.c);
  }
  Work operator()(const CopyParams& p) const {
    uint64_t count = 1;
    for (uint d : p.dims) count *= d;
    return Threads(count);
  }
  Work operator()(const GlobalPoolParams& p) const {
    return {{{{0, 0, 0}, DivideUp(uint64_t{p.n} * p.h * p.c, traits_.group_size)},
             {{0, 0, 1}, DivideUp(uint64_t{p.n} * p.c, traits_.group_size)}}};
  }
  // One group each.
  Work operator()(const SqueezeExciteParams& p) const { return {{{{}, p.n}}}; }
  Work operator()(const LayerNormParams& p) const { return {{{{}, p.rows}}}; }
  Work operator()(const SoftmaxParams& p) const { return {{{{}, p.rows}}}; }
  Work operator()(const AttentionParams& p) const { return {{{{}, uint64_t{p.n} * p.t * p.heads}}}; }
  Work operator()(const std::monostate&) const { return {}; }

 private:
  // One thread a result.
  Work Threads(uint64_t count) const { return {{{{}, DivideUp(count, traits_.group_size)}}}; }

  // The tile that should be done first: a group's time goes with its products and with what it loads for them, and
  // groups that a device has room for cost nothing more.
  Phase Tiles(uint64_t rows, uint64_t columns) const {
    constexpr uint64_t kLoad = 8;  // products that loading one value costs as much as
    Phase best;
    uint64_t least = UINT64_MAX;
    for (const MatrixTile& tile : traits_.tiles) {
      const uint64_t groups = DivideUp(rows, tile.rows) * DivideUp(columns, tile.columns);
      const uint64_t each = uint64_t{tile.rows} * tile.columns + kLoad * (tile.rows + tile.columns);
      const uint64_t cost = std::max<uint64_t>(groups, traits_.busy_groups) * each;
      if (cost >= least) continue;
      least = cost;
      best = {{tile.constants[0], tile.constants[1]}, groups};
    }
    return best;
  }

  const GpuTraits& traits_;
};

uint32_t WeightsForm(const StepParams& params) {
  return std::visit(
      [](const auto& p) -> uint32_t {
        if constexpr (requires { p.weights_form; }) return p.weights_form;
        return INKREAD_WEIGHTS_F32;
      },
      params);
}

class WordWriter {
 public:
  explicit WordWriter(Dispatch& dispatch) : dispatch_(dispatch) {}
  template <typename T>
  void Add(const T& words) {
    static_assert(sizeof(T) % 4 == 0);
    INKREAD_CHECK(dispatch_.num_words + sizeof(T) / 4 <= dispatch_.words.size());
    std::memcpy(&dispatch_.words[dispatch_.num_words], &words, sizeof(T));
    dispatch_.num_words += sizeof(T) / 4;
  }
  // An operand, or nothing.
  void AddOffset(const Operand& operand, const BlockLayout& layout) {
    uint64_t offset = operand.offset_bytes;
    if (operand.space == Space::kArena) offset += layout.arena;
    if (operand.space == Space::kInput) offset += layout.input;
    if (operand.space == Space::kOutput) offset += layout.output;
    if (operand.present() && operand.space != Space::kWeights) dispatch_.in_block |= 1u << dispatch_.num_words;
    Add(static_cast<uint32_t>(operand.present() ? offset / 4 : 0));
  }

 private:
  Dispatch& dispatch_;
};

void FillWords(const Step& step, const Operand& second_write, const BlockLayout& layout, Dispatch& dispatch) {
  WordWriter writer(dispatch);
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

// Whether every word of the output is written, as far as can be seen: by one step, all of it.
bool WritesWholeOutput(const Schedule& schedule) {
  return std::any_of(schedule.steps.begin(), schedule.steps.end(), [&schedule](const Step& step) {
    const Operand& y = step.writes[0];
    return step.kind() != StepKind::kCopy && y.space == Space::kOutput && y.offset_bytes == 0 &&
           (y.ld == y.shape.c || y.shape.num_pixels() == 1) && y.extent_bytes() == BytesOf(schedule.output);
  });
}

}  // namespace

bool HasEpilogue(StepKind kind) {
  return kind == StepKind::kConv || kind == StepKind::kDepthwiseConv || kind == StepKind::kConvTranspose ||
         kind == StepKind::kElementwise || kind == StepKind::kResize;
}

Result<DispatchList> DispatchesOf(const Schedule& schedule, const GpuTraits& traits) {
  std::vector<Work> works;
  works.reserve(schedule.steps.size());
  // Steps of one level may run at the same time, so that each has scratch of its own; levels use the same again.
  std::vector<uint64_t> scratch_words(schedule.steps.size());
  uint64_t scratch_needed = 0, scratch_of_level = 0;
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    if (WeightsForm(step.params) != INKREAD_WEIGHTS_F32)
      return Internal(schedule.network, ": step ", i, " has weights of form ", WeightsForm(step.params));
    works.push_back(std::visit(Worker(traits), step.params));
    if (i == 0 || step.level != schedule.steps[i - 1].level) scratch_of_level = 0;
    scratch_words[i] = scratch_of_level;
    scratch_of_level += works.back().scratch_words;
    scratch_needed = std::max(scratch_needed, scratch_of_level);
  }

  DispatchList list;
  list.input_bytes = BytesOf(schedule.input);
  list.output_bytes = BytesOf(schedule.output);
  list.writes_whole_output = WritesWholeOutput(schedule);
  BlockLayout& layout = list.layout;
  layout.output = RoundUp(list.input_bytes, kBlockAlignment);
  layout.arena = layout.output + RoundUp(list.output_bytes, kBlockAlignment);
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
      if (works[i].phases[phase].groups == 0) continue;
      Dispatch& dispatch = list.dispatches.emplace_back();
      dispatch.variant = {step.kind(), works[i].phases[phase].constants};
      dispatch.groups = works[i].phases[phase].groups;
      dispatch.step = static_cast<uint32_t>(i);
      dispatch.level = step.level;
      dispatch.phase = static_cast<uint32_t>(phase);
      FillWords(step, second_write, layout, dispatch);
    }
  }
  return list;
}

std::array<uint32_t, kMaxWords> WordsAt(const Dispatch& dispatch, uint64_t place_bytes) {
  std::array<uint32_t, kMaxWords> words = dispatch.words;
  for (uint32_t i = 0; i < dispatch.num_words; ++i) {
    if ((dispatch.in_block >> i & 1) != 0) words[i] += static_cast<uint32_t>(place_bytes / 4);
  }
  return words;
}

}  // namespace inkread::gpu
