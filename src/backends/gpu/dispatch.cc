#include "backends/gpu/dispatch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <type_traits>

#include "backends/gpu/submission.h"
#include "base/round.h"

namespace inkread::gpu {
namespace {

// A phase of a step.
struct Phase {
  std::array<uint32_t, 8> constants{};
  uint64_t groups = 0;
  uint32_t threads = 0;  // 0: the device's group size
};

struct Work {
  std::vector<Phase> phases;
  uint64_t scratch_words = 0;  // lies where writes 1 would
};

bool IsImage(const Operand& o) { return o.space == Space::kInput && o.element == INKREAD_ELEMENT_U8; }

// Whether elements counted by `dims` lie one behind another, without gaps.
bool IsDense(const uint (&dims)[5], const uint (&stride)[5]) {
  uint64_t count = 1;
  for (int i = 4; i >= 0; --i) {
    if (dims[i] != 1 && stride[i] != count) return false;
    count *= dims[i];
  }
  return true;
}

class Worker {
 public:
  Worker(const GpuTraits& traits, const Step& step)
      : traits_(traits), step_(step), width_(WidthOf(step, traits.width)) {}

  Work operator()(const ConvParams& p) const {
    const bool is_direct = traits_.tells_alignment && IsPointwise(p);
    const uint32_t alignment = Alignment(p.ic, p.x_ld, p.oc, p.y_ld);
    return {{Tiles(uint64_t{p.n} * p.oh * p.ow, p.oc, alignment | uint32_t{is_direct} << 3)}};
  }
  Work operator()(const ConvTransposeParams& p) const {
    return {{Tiles(uint64_t{p.n} * p.ih * p.iw, uint64_t{p.kh} * p.kw * p.oc, Alignment(p.ic, p.x_ld, p.oc, p.y_ld))}};
  }
  Work operator()(const CtcHeadParams& p) const {
    const uint64_t chunks = DivideUp(p.classes, traits_.ctc_chunk);
    Phase take = Of(traits_.ctc_tile, DivideUp(p.rows, traits_.ctc_tile.rows) * chunks);
    take.constants[3] = traits_.ctc_chunk;
    take.constants[7] = Alignment(p.ic, p.x_ld, p.classes, p.classes);
    Phase join = take;
    join.constants[2] = 1;
    join.groups = DivideUp(p.rows, take.threads != 0 ? take.threads : traits_.group_size);
    return {{take, join}, uint64_t{p.rows} * chunks * 3};
  }
  Work operator()(const DepthwiseConvParams& p) const {
    const uint64_t lines = uint64_t{p.n} * p.oh * p.c;
    uint32_t run = traits_.depthwise_run;
    if (traits_.depthwise_min_run == 0) return Threads(lines * DivideUp(p.ow, run));
    while (run > traits_.depthwise_min_run &&
           Threads(lines * DivideUp(p.ow, run)).phases[0].groups < traits_.busy_groups)
      run /= 2;
    Work work = Threads(lines * DivideUp(p.ow, run));
    work.phases[0].constants[4] = p.kw;
    work.phases[0].constants[5] = p.stride_w;
    work.phases[0].constants[6] = run;
    return work;
  }
  Work operator()(const PoolParams& p) const { return Threads(uint64_t{p.n} * p.oh * p.ow * p.c); }
  Work operator()(const ElementwiseParams& p) const { return Threads(uint64_t{p.n} * p.h * p.w * p.c); }
  Work operator()(const ResizeParams& p) const {
    return Threads(uint64_t{p.n} * p.ih * p.scale_h * p.iw * p.scale_w * p.c);
  }
  Work operator()(const CopyParams& p) const {
    uint64_t count = 1;
    for (uint d : p.dims) count *= d;
    const bool is_dense = IsDense(p.dims, p.x_stride) && IsDense(p.dims, p.y_stride) &&
                          LiesIn(traits_.copy_width, step_.reads[0]) && LiesIn(traits_.copy_width, step_.writes[0]);
    const uint32_t width = is_dense ? traits_.copy_width : 1;
    return {{{{width}, DivideUp(count / width, traits_.group_size)}}};
  }
  Work operator()(const GlobalPoolParams& p) const {
    if (!traits_.pool_in_slices) {
      return {{{{width_, 0, 0}, DivideUp(uint64_t{p.n} * p.h * p.c / width_, traits_.group_size)},
               {{width_, 0, 1}, DivideUp(uint64_t{p.n} * p.c, traits_.group_size)}}};
    }
    constexpr uint32_t kMinAcross = 8, kMaxAcross = 64;
    const uint64_t vectors = DivideUp(p.c, 4);
    const uint32_t across = std::clamp(static_cast<uint32_t>(std::bit_ceil(vectors)), kMinAcross, kMaxAcross);
    const uint64_t blocks = DivideUp(vectors, across);
    return {{{{width_, 0, 0, 0, across}, uint64_t{p.n} * p.h * blocks}, {{width_, 0, 1, 0, across}, p.n * blocks}}};
  }
  Work operator()(const SqueezeExciteParams& p) const {
    if (traits_.excite_columns == 0 || uint64_t{p.c} * p.mid <= traits_.excite_alone)
      return {{{{1, 0, 0, 0, 0, width_}, p.n}}};
    return {{{{1, 0, 0, 0, traits_.excite_columns, width_}, p.n * DivideUp(p.mid, traits_.excite_columns)},
             {{1, 0, 1, 0, traits_.excite_columns, width_}, p.n * DivideUp(p.c, traits_.excite_columns)}},
            uint64_t{p.n} * p.mid};
  }
  Work operator()(const LayerNormParams& p) const {
    return {{{{traits_.norm_rows == 1 ? 1 : width_}, DivideUp(p.rows, traits_.norm_rows)}}};
  }
  Work operator()(const SoftmaxParams& p) const { return {{{{1}, p.rows}}}; }  // a group each
  Work operator()(const AttentionParams& p) const { return {{{{1}, p.n * DivideUp(p.t, traits_.queries) * p.heads}}}; }
  Work operator()(const ImageResizeParams& p) const { return Pixels(uint64_t{p.oh} * p.y_w); }
  Work operator()(const ImageWarpParams& p) const { return Pixels(uint64_t{p.oh} * p.ow); }
  Work operator()(const std::monostate&) const { return {}; }

 private:
  // Whether an operand is made of so many elements side by side, and begins at a multiple of them.
  static bool LiesIn(uint32_t width, const Operand& o) {
    return !o.present() || (o.offset_bytes % (uint64_t{width} * ElementBytes(o.element)) == 0 && o.ld % width == 0 &&
                            o.shape.c % width == 0);
  }
  static bool BeginsAt(uint32_t width, uint32_t element_bytes, const Operand& o) {
    return o.offset_bytes % (uint64_t{width} * element_bytes) == 0;
  }

  // Channels that a thread may take at a time: the device's width where every operand in the run's block is made of so
  // many, side by side, and all operands begin at a multiple of it; else one. Copies and matrices have rules of their
  // own.
  static uint32_t WidthOf(const Step& step, uint32_t width) {
    const auto lies = [width](const Operand& o) { return LiesIn(width, o); };
    const auto begins = [width](const Operand& o) { return BeginsAt(width, 4, o); };
    return std::all_of(step.reads.begin(), step.reads.end(), lies) &&
                   std::all_of(step.writes.begin(), step.writes.end(), lies) &&
                   std::all_of(step.weights.begin(), step.weights.end(), begins)
               ? width
               : 1;
  }

  // Constant 7 of a matrix kernel.
  uint32_t Alignment(uint32_t ic, uint32_t x_ld, uint32_t oc, uint32_t y_ld) const {
    if (!traits_.tells_alignment) return 0;
    const uint32_t weight_bytes = traits_.weights_form == INKREAD_WEIGHTS_F32 ? 4 : 2;
    const bool reads =
        ic % 8 == 0 && x_ld % 8 == 0 && BeginsAt(8, ElementBytes(step_.reads[0].element), step_.reads[0]);
    const bool weights = BeginsAt(8, weight_bytes, step_.weights[0]);
    const bool results = oc % 4 == 0 && y_ld % 4 == 0 && LiesIn(4, step_.reads[1]) && LiesIn(4, step_.reads[2]) &&
                         BeginsAt(4, 4, step_.weights[1]) &&
                         BeginsAt(4, ElementBytes(step_.writes[0].element), step_.writes[0]);
    const uint32_t activation = step_.epilogue.activation;
    const bool is_plain = activation == INKREAD_ACTIVATION_NONE || activation == INKREAD_ACTIVATION_RELU ||
                          activation == INKREAD_ACTIVATION_GELU;
    return uint32_t{reads} | uint32_t{weights} << 1 | uint32_t{results} << 2 | uint32_t{is_plain} << 4;
  }

  // One thread `width` results.
  Work Threads(uint64_t count) const { return {{{{width_}, DivideUp(count / width_, traits_.group_size)}}}; }

  // One thread a pixel made of an image.
  Work Pixels(uint64_t count) const { return {{{{IsImage(step_.reads[0])}, DivideUp(count, traits_.group_size)}}}; }

  static Phase Of(const MatrixTile& tile, uint64_t groups) {
    const auto& c = tile.constants;
    return {{c[0], c[1], 0, 0, c[2], c[3], c[4]}, groups, tile.threads};
  }

  // The tile that should be done first: a group's time goes with its products and with what it loads for them, and
  // groups that a device has room for cost nothing more.
  Phase Tiles(uint64_t rows, uint64_t columns, uint32_t alignment) const {
    Phase best;
    uint64_t least = UINT64_MAX;
    for (const MatrixTile& tile : traits_.tiles) {
      const uint64_t groups = DivideUp(rows, tile.rows) * DivideUp(columns, tile.columns);
      const uint64_t each =
          uint64_t{tile.rows} * tile.columns + uint64_t{traits_.load_cost} * (tile.rows + tile.columns);
      const uint64_t cost = std::max<uint64_t>(groups, traits_.busy_groups) * each;
      if (cost >= least) continue;
      least = cost;
      best = Of(tile, groups);
    }
    best.constants[7] = alignment;
    return best;
  }

  const GpuTraits& traits_;
  const Step& step_;
  const uint32_t width_;
};

// Of kinds that have one.
std::optional<uint32_t> WeightsForm(const StepParams& params) {
  return std::visit(
      [](const auto& p) -> std::optional<uint32_t> {
        if constexpr (requires { p.weights_form; }) return p.weights_form;
        return std::nullopt;
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
  // An operand, or nothing. What is counted are elements, of two bytes or of four.
  void AddOffset(const Operand& operand, uint32_t element_bytes, const BlockLayout& layout) {
    const uint32_t bit = 1u << dispatch_.num_words;
    uint64_t offset = operand.offset_bytes;
    if (operand.space == Space::kOutput) {
      dispatch_.in_output |= bit;
    } else if (operand.present() && operand.space != Space::kWeights && !IsImage(operand)) {
      offset += operand.space == Space::kArena ? layout.arena : layout.input;
      dispatch_.in_block |= bit;
    }
    if (element_bytes == 2) dispatch_.in_halves |= bit;
    Add(static_cast<uint32_t>(operand.present() ? offset / element_bytes : 0));
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
  const auto add = [&](const Operand& o) {
    writer.AddOffset(o, o.element == INKREAD_ELEMENT_U8 ? 4 : ElementBytes(o.element), layout);
  };
  if (ReadsPixels(step.kind())) {
    for (const Operand* o : {&step.reads[0], &step.weights[0], &step.writes[0]}) add(*o);
    return;
  }
  for (int i : {0, 1, 2}) add(step.reads[i]);
  writer.AddOffset(step.weights[0], WeightsForm(step.params) == INKREAD_WEIGHTS_F16 ? 2 : 4, layout);
  add(step.weights[1]);
  add(step.writes[0]);
  if (has_epilogue) return;
  for (int i : {2, 3}) add(step.weights[i]);
  add(second_write);
}

uint64_t BytesOf(const Shape& shape, uint32_t element = INKREAD_ELEMENT_F32) {
  return shape.num_pixels() * shape.c * ElementBytes(element);
}

// A run's block and its output.
uint64_t RunBytes(const DispatchList& list) {
  return list.layout.size_bytes + RoundUp(list.output_bytes, kBlockAlignment);
}

// Whether every word of the output is written, as far as can be seen: by one step, all of it.
bool WritesWholeOutput(const Schedule& schedule) {
  return std::any_of(schedule.steps.begin(), schedule.steps.end(), [&schedule](const Step& step) {
    const Operand& y = step.writes[0];
    const auto* copy = std::get_if<CopyParams>(&step.params);
    return y.space == Space::kOutput && y.offset_bytes == 0 &&
           (copy == nullptr || IsDense(copy->dims, copy->y_stride)) &&
           (y.ld == y.shape.c || y.shape.num_pixels() == 1) && y.extent_bytes() == BytesOf(schedule.output);
  });
}

}  // namespace

Result<DispatchList> DispatchesOf(const Schedule& schedule, const GpuTraits& traits) {
  std::vector<Work> works;
  works.reserve(schedule.steps.size());
  // Steps of one level may run at the same time, so that each has scratch of its own; levels use the same again.
  std::vector<uint64_t> scratch_words(schedule.steps.size());
  uint64_t scratch_needed = 0, scratch_of_level = 0;
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    if (const auto form = WeightsForm(step.params); form && *form != traits.weights_form)
      return Internal(schedule.network, ": step ", i, " has weights of form ", *form);
    works.push_back(std::visit(Worker(traits, step), step.params));
    if (i == 0 || step.level != schedule.steps[i - 1].level) scratch_of_level = 0;
    scratch_words[i] = scratch_of_level;
    scratch_of_level += works.back().scratch_words;
    scratch_needed = std::max(scratch_needed, scratch_of_level);
  }

  DispatchList list;
  const bool is_image = schedule.input_element == INKREAD_ELEMENT_U8;
  (is_image ? list.image_bytes : list.input_bytes) = BytesOf(schedule.input, schedule.input_element);
  list.output_bytes = BytesOf(schedule.output);
  list.writes_whole_output = WritesWholeOutput(schedule);
  BlockLayout& layout = list.layout;
  layout.arena = RoundUp(list.input_bytes, kBlockAlignment);
  layout.scratch = layout.arena + RoundUp(schedule.arena_bytes, kBlockAlignment);
  layout.size_bytes = layout.scratch + RoundUp(scratch_needed * 4, kBlockAlignment);
  if (RunBytes(list) / 2 > UINT32_MAX)
    return Unsupported(schedule.network, ": a run takes ", RunBytes(list), " bytes, more than 32 bits can count");

  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    Operand second_write = step.writes[1];
    if (works[i].scratch_words > 0)
      second_write = {Space::kArena, layout.scratch - layout.arena + scratch_words[i] * 4, {}, 0};
    for (size_t phase = 0; phase < works[i].phases.size(); ++phase) {
      if (works[i].phases[phase].groups == 0) continue;
      Dispatch& dispatch = list.dispatches.emplace_back();
      dispatch.variant = {step.kind(), works[i].phases[phase].constants, step.reads[0].element, step.writes[0].element};
      dispatch.groups = works[i].phases[phase].groups;
      dispatch.threads = works[i].phases[phase].threads != 0 ? works[i].phases[phase].threads : traits.group_size;
      dispatch.step = static_cast<uint32_t>(i);
      dispatch.level = step.level;
      dispatch.phase = static_cast<uint32_t>(phase);
      FillWords(step, second_write, layout, dispatch);
    }
  }
  return list;
}

std::vector<Dispatch> ImageKernels(const GpuTraits& traits) {
  constexpr uint32_t kU8 = INKREAD_ELEMENT_U8, kF32 = INKREAD_ELEMENT_F32;
  std::vector<Dispatch> kernels(3);
  kernels[0].variant = {StepKind::kImageResize, {true}, kU8, kF32};
  kernels[1].variant = {StepKind::kImageWarp, {true}, kU8, kU8};
  kernels[2].variant = {StepKind::kImageResize, {false}, kU8, kF32};  // of a crop
  for (Dispatch& kernel : kernels) kernel.threads = traits.group_size;
  return kernels;
}

Result<DispatchList> DispatchesFor(const Schedule& schedule, const GpuTraits& traits, uint64_t weights_bytes,
                                   uint64_t max_buffer_bytes, const std::string& who) {
  if (weights_bytes < schedule.weights_bytes)
    return Internal(schedule.network, ": there are ", weights_bytes, " bytes of weights, the schedule expects ",
                    schedule.weights_bytes);
  INKREAD_ASSIGN_OR_RETURN(DispatchList list, DispatchesOf(schedule, traits));
  if (RunBytes(list) + kArenaSlackBytes > max_buffer_bytes)
    return OutOfMemory(who, ": a run of ", schedule.network, " takes ", RunBytes(list), " bytes, its buffers hold ",
                       max_buffer_bytes);
  return list;
}

std::array<uint32_t, kMaxWords> WordsAt(const Dispatch& dispatch, const Place& place) {
  std::array<uint32_t, kMaxWords> words = dispatch.words;
  for (uint32_t i = 0; i < dispatch.num_words; ++i) {
    const uint64_t element_bytes = (dispatch.in_halves >> i & 1) != 0 ? 2 : 4;
    if ((dispatch.in_block >> i & 1) != 0) words[i] += static_cast<uint32_t>(place.block / element_bytes);
    if ((dispatch.in_output >> i & 1) != 0) words[i] += static_cast<uint32_t>(place.output / element_bytes);
  }
  return words;
}

}  // namespace inkread::gpu
