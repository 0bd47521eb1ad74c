#include "tests/conformance/case.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <tuple>

#include "base/aligned_buffer.h"
#include "base/bf16.h"
#include "base/f16.h"
#include "tests/tolerance.h"

namespace inkread::conformance {
namespace {

struct ReadSpec {
  uint64_t pixels = 0;
  uint32_t c = 0, ld = 0;
  float low = -1, high = 1;
};
struct WeightSpec {
  uint64_t rows = 0;     // of `panel` columns each, in blocks of rows_per_panel
  uint32_t columns = 0;  // wanted; a panel's others are 0
  uint64_t rows_per_panel = 0;
  uint32_t panel = 0;  // 0: plain [rows * columns]
  float low = -1, high = 1;
  uint32_t period = 0;  // columns repeat after so many; 0: they do not
  // Of panels: what their rows hold.
  uint32_t weights_form = INKREAD_WEIGHTS_F32;
  uint32_t kw = 0, ic = 0;
};
struct Spec {
  ReadSpec reads[3];
  WeightSpec weights[4];
  ReadSpec writes[2];
  uint64_t batch = 1;
  uint64_t terms = 1;
};

WeightSpec Packed(uint64_t rows, uint32_t columns, uint32_t panel) {
  return {rows * ((columns + panel - 1) / panel), columns, rows, panel};
}
WeightSpec Window(uint64_t kh, uint32_t kw, uint32_t ic, uint32_t columns, uint32_t panel, uint32_t weights_form) {
  const bool is_bf16 = weights_form == INKREAD_WEIGHTS_BF16;
  WeightSpec w = Packed(kh * (is_bf16 ? INKREAD_BF16_ROWS(kw, ic) : uint64_t{kw} * ic), columns, panel);
  w.weights_form = weights_form;
  w.kw = kw;
  w.ic = ic;
  return w;
}
WeightSpec Plain(uint64_t words) { return {1, static_cast<uint32_t>(words), 1, 0}; }

void AddEpilogue(Spec& s, const EpilogueParams& e, uint32_t n, uint32_t c) {
  if (e.has_gate) s.reads[1] = {n, c, c, 0.5f, 1.5f};
  if (e.has_residual) s.reads[2] = {s.writes[0].pixels, c, e.residual_ld};
}

Spec SpecOf(const ConvParams& p, const EpilogueParams& e) {
  Spec s;
  s.reads[0] = {uint64_t{p.n} * p.ih * p.iw, p.ic, p.x_ld};
  s.writes[0] = {uint64_t{p.n} * p.oh * p.ow, p.oc, p.y_ld};
  s.weights[0] = Window(p.kh, p.kw, p.ic, p.oc, p.panel, p.weights_form);
  if (e.has_bias) s.weights[1] = Packed(1, p.oc, p.panel);
  s.batch = p.n;
  s.terms = uint64_t{p.kh} * p.kw * p.ic;
  AddEpilogue(s, e, p.n, p.oc);
  return s;
}
Spec SpecOf(const DepthwiseConvParams& p, const EpilogueParams& e) {
  Spec s;
  s.reads[0] = {uint64_t{p.n} * p.ih * p.iw, p.c, p.x_ld};
  s.writes[0] = {uint64_t{p.n} * p.oh * p.ow, p.c, p.y_ld};
  s.weights[0] = Plain(uint64_t{p.kh} * p.kw * p.c);
  if (e.has_bias) s.weights[1] = Plain(p.c);
  s.batch = p.n;
  s.terms = uint64_t{p.kh} * p.kw;
  AddEpilogue(s, e, p.n, p.c);
  return s;
}
Spec SpecOf(const ConvTransposeParams& p, const EpilogueParams& e) {
  Spec s;
  s.reads[0] = {uint64_t{p.n} * p.ih * p.iw, p.ic, p.x_ld};
  s.writes[0] = {uint64_t{p.n} * p.ih * p.kh * p.iw * p.kw, p.oc, p.y_ld};
  s.weights[0] = Window(1, 1, p.ic, p.kh * p.kw * p.oc, p.panel, p.weights_form);
  if (e.has_bias) s.weights[1] = Packed(1, p.kh * p.kw * p.oc, p.panel);
  s.weights[1].period = p.oc;
  s.batch = p.n;
  s.terms = p.ic;
  AddEpilogue(s, e, p.n, p.oc);
  return s;
}
Spec SpecOf(const PoolParams& p, const EpilogueParams&) {
  Spec s;
  s.reads[0] = {uint64_t{p.n} * p.ih * p.iw, p.c, p.x_ld};
  s.writes[0] = {uint64_t{p.n} * p.oh * p.ow, p.c, p.y_ld};
  s.batch = p.n;
  s.terms = uint64_t{p.kh} * p.kw;
  return s;
}
Spec SpecOf(const GlobalPoolParams& p, const EpilogueParams&) {
  Spec s;
  s.reads[0] = {uint64_t{p.n} * p.h * p.w, p.c, p.x_ld};
  s.writes[0] = {p.n, p.c, p.c};
  s.writes[1] = {uint64_t{p.n} * p.h, p.c, p.c};
  s.batch = p.n;
  s.terms = uint64_t{p.h} * p.w;
  return s;
}
Spec SpecOf(const SqueezeExciteParams& p, const EpilogueParams&) {
  Spec s;
  s.reads[0] = {p.n, p.c, p.c};
  s.writes[0] = {p.n, p.c, p.c};
  s.weights[0] = Plain(uint64_t{p.c} * p.mid);
  s.weights[1] = Plain(p.mid);
  s.weights[2] = Plain(uint64_t{p.mid} * p.c);
  s.weights[3] = Plain(p.c);
  s.batch = p.n;
  s.terms = uint64_t{p.c} + p.mid;
  return s;
}
Spec SpecOf(const ElementwiseParams& p, const EpilogueParams& e) {
  Spec s;
  s.reads[0] = {uint64_t{p.n} * p.h * p.w, p.c, p.x_ld, -4, 4};
  s.writes[0] = {uint64_t{p.n} * p.h * p.w, p.c, p.y_ld};
  if (e.has_bias) s.weights[1] = Plain(p.c);
  s.batch = p.n;
  AddEpilogue(s, e, p.n, p.c);
  return s;
}
Spec SpecOf(const ResizeParams& p, const EpilogueParams& e) {
  Spec s;
  s.reads[0] = {uint64_t{p.n} * p.ih * p.iw, p.c, p.x_ld};
  s.writes[0] = {uint64_t{p.n} * p.ih * p.scale_h * p.iw * p.scale_w, p.c, p.y_ld};
  if (e.has_bias) s.weights[1] = Plain(p.c);
  s.batch = p.n;
  AddEpilogue(s, e, p.n, p.c);
  return s;
}
Spec SpecOf(const LayerNormParams& p, const EpilogueParams&) {
  Spec s;
  s.reads[0] = {p.rows, p.c, p.x_ld, -3, 5};
  s.writes[0] = {p.rows, p.c, p.y_ld};
  s.weights[0] = Plain(p.c);
  s.weights[1] = Plain(p.c);
  s.batch = p.rows;
  s.terms = p.c;
  return s;
}
Spec SpecOf(const AttentionParams& p, const EpilogueParams&) {
  Spec s;
  const uint64_t pixels = uint64_t{p.n} * p.t;
  s.reads[0] = {pixels, p.heads * p.d, p.q_ld};
  s.reads[1] = {pixels, p.heads * p.d, p.k_ld};
  s.reads[2] = {pixels, p.heads * p.d, p.v_ld};
  s.writes[0] = {pixels, p.heads * p.d, p.y_ld};
  s.batch = p.n;
  s.terms = uint64_t{p.d} + p.t;
  return s;
}
Spec SpecOf(const SoftmaxParams& p, const EpilogueParams&) {
  Spec s;
  s.reads[0] = {p.rows, p.c, p.x_ld, -9, 9};
  s.writes[0] = {p.rows, p.c, p.y_ld};
  s.batch = p.rows;
  s.terms = p.c;
  return s;
}
Spec SpecOf(const CtcHeadParams& p, const EpilogueParams&) {
  Spec s;
  s.reads[0] = {p.rows, p.ic, p.x_ld};
  s.writes[0] = {p.rows, 2, 2};
  s.weights[0] = Window(1, 1, p.ic, p.classes, p.panel, p.weights_form);
  s.weights[1] = Packed(1, p.classes, p.panel);
  s.batch = p.rows;
  s.terms = uint64_t{p.ic} + p.classes;
  return s;
}
Spec SpecOf(const CopyParams& p, const EpilogueParams&) {
  const auto words = [&p](const uint(&stride)[5]) {
    uint64_t last = 0;
    for (int i = 0; i < 5; ++i) last += uint64_t{p.dims[i] - 1} * stride[i];
    return last + 1;
  };
  Spec s;
  s.reads[0] = {1, static_cast<uint32_t>(words(p.x_stride)), static_cast<uint32_t>(words(p.x_stride))};
  s.writes[0] = {1, static_cast<uint32_t>(words(p.y_stride)), static_cast<uint32_t>(words(p.y_stride))};
  return s;
}
// Their operands are bytes: image_test.cc.
Spec SpecOf(const ImageResizeParams&, const EpilogueParams&) { return {}; }
Spec SpecOf(const ImageWarpParams&, const EpilogueParams&) { return {}; }
Spec SpecOf(const std::monostate&, const EpilogueParams&) { return {}; }

template <typename P>
concept HasPanel = requires(P p) {
  p.panel;
};
template <typename P>
concept HasN = requires(P p) {
  p.n;
};
template <typename P>
concept HasRows = requires(P p) {
  p.rows;
};

std::vector<float> Draw(std::mt19937& random, uint64_t count, float low, float high) {
  std::vector<float> values(count);
  std::uniform_real_distribution<float> uniform(low, high);
  for (float& v : values) v = uniform(random);
  return values;
}

// The word of two weights in BF16 that stands in row `row` of a panel.
float DrawPair(std::mt19937& random, const WeightSpec& w, uint64_t row) {
  std::uniform_real_distribution<float> uniform(w.low, w.high);
  const uint64_t pairs = (w.ic + 1) / 2, in_window = row % INKREAD_BF16_ROWS(w.kw, w.ic);
  if (in_window >= w.kw * pairs) return 0;
  const uint32_t low = ToBf16(uniform(random)), high = ToBf16(uniform(random));
  const bool has_high = in_window % pairs * 2 + 1 < w.ic;
  return std::bit_cast<float>(low | (has_high ? high << 16 : 0));
}

std::vector<float> DrawWeights(std::mt19937& random, const WeightSpec& w) {
  if (w.panel == 0) return Draw(random, w.rows * w.columns, w.low, w.high);
  std::vector<float> values(w.rows * w.panel, 0.0f);
  std::uniform_real_distribution<float> uniform(w.low, w.high);
  for (uint64_t row = 0; row < w.rows; ++row) {
    for (uint32_t i = 0; i < w.panel; ++i) {
      if (row / w.rows_per_panel * w.panel + i >= w.columns) continue;
      float& value = values[row * w.panel + i];
      value = w.weights_form == INKREAD_WEIGHTS_BF16 ? DrawPair(random, w, row % w.rows_per_panel) : uniform(random);
    }
  }
  if (w.period != 0) {
    for (uint64_t i = w.period; i < w.columns; ++i) values[i] = values[i - w.period];
  }
  return values;
}

// As F16 has them, two in a word.
std::vector<float> Halves(const std::vector<float>& values) {
  std::vector<uint16_t> halves((values.size() + 1) / 2 * 2);
  std::transform(values.begin(), values.end(), halves.begin(), ToF16);
  std::vector<float> words(halves.size() / 2);
  std::memcpy(words.data(), halves.data(), halves.size() * sizeof(uint16_t));
  return words;
}

// Memory for operands one behind another, each 64-byte aligned but for the shift, in elements.
class Block {
 public:
  Block(Space space, uint32_t shift, float filling) : space_(space), shift_(shift), filling_(filling) {}
  Operand Place(const Shape& shape, uint32_t ld, uint32_t element = INKREAD_ELEMENT_F32) {
    Operand o{space_, 0, shape, ld};
    o.element = element;
    o.offset_bytes = (words.size() + 15) / 16 * 64 + shift_ * ElementBytes(element);
    words.resize((o.offset_bytes + o.extent_bytes() + 3) / 4, filling_);
    return o;
  }
  std::vector<float> words;

 private:
  Space space_;
  uint32_t shift_;
  float filling_;
};

// The span from an operand's first element to its last, as a copy sees it.
Operand SpanOf(const Operand& o) {
  Operand span = o;
  span.shape = {1, 1, 1, static_cast<uint32_t>(o.extent())};
  span.ld = span.shape.c;
  return span;
}

// All of an operand's memory, from one place to another.
Step CopyOf(const Operand& from, const Operand& to, uint32_t level) {
  Step copy;
  copy.params = CopyParams{{1, 1, 1, 1, static_cast<uint32_t>(to.extent())}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
  copy.reads[0] = SpanOf(from);
  copy.writes[0] = SpanOf(to);
  copy.level = level;
  return copy;
}

// The schedule with every operand in the arena, as `storage`: copies bring the reads there, and what the output holds,
// and take the results out.
void StoreAs(uint32_t storage, uint32_t shift, Schedule& s, std::vector<float>& input) {
  Block in(Space::kInput, 0, 0), arena(Space::kArena, shift, 0);
  arena.words.resize(s.arena_bytes / 4);  // what must stay f32
  in.words = input;
  std::vector<Step> steps, copies_out;
  std::map<std::tuple<Space, uint64_t, uint32_t, uint64_t>, Operand> stored;
  const uint32_t last = s.steps.back().level + 1;
  const auto move = [&](Operand& o, bool is_written) {
    if (!o.present() || o.space == Space::kArena) return;
    auto [it, is_new] = stored.try_emplace({o.space, o.offset_bytes, o.ld, o.extent()});
    if (is_new) {
      it->second = arena.Place(o.shape, o.ld, storage);
      Operand from = o;
      if (o.space == Space::kOutput) {
        from = in.Place(o.shape, o.ld);
        std::fill_n(in.words.begin() + from.offset_bytes / 4, from.extent(), kUntouched);
      }
      steps.push_back(CopyOf(from, it->second, 0));
    }
    if (is_written && is_new) copies_out.push_back(CopyOf(it->second, o, last + 1));
    o.offset_bytes = it->second.offset_bytes;
    o.space = Space::kArena;
    o.element = storage;
  };
  for (Step& step : s.steps) {
    for (Operand& read : step.reads) move(read, false);
    if (step.kind() != StepKind::kCtcHead) move(step.writes[0], true);
    step.level += 1;
  }
  steps.insert(steps.end(), s.steps.begin(), s.steps.end());
  steps.insert(steps.end(), copies_out.begin(), copies_out.end());
  s.steps = std::move(steps);
  input = std::move(in.words);
  s.input.c = static_cast<uint32_t>(input.size());
  s.arena_bytes = arena.words.size() * 4;
}

}  // namespace

std::string Case::Name() const {
  Schedule s;
  Step step;
  step.params = params;
  step.epilogue = epilogue;
  s.steps.push_back(step);
  std::string text = PrintSchedule(s);
  text = text.substr(text.find('\n') + 1);
  text.pop_back();
  return text + " (" + why + ")";
}

Problem MakeProblem(const Case& c, const Packing& packing, const Placement& placement) {
  Problem problem;
  StepParams params = c.params;
  std::visit(
      [&packing](auto& p) {
        if constexpr (HasPanel<decltype(p)>) {
          p.panel = packing.panel;
          p.weights_form = packing.weights_form;
        }
      },
      params);
  const Spec spec = std::visit([&c](const auto& p) { return SpecOf(p, c.epilogue); }, params);
  problem.batch = spec.batch;
  problem.terms = spec.terms + 16;  // and some for the epilogue
  problem.has_labels = std::holds_alternative<CtcHeadParams>(params);

  const uint a = c.epilogue.activation;
  problem.approximates = a == INKREAD_ACTIVATION_GELU || a == INKREAD_ACTIVATION_SIGMOID ||
                         a == INKREAD_ACTIVATION_SWISH || std::holds_alternative<SoftmaxParams>(params) ||
                         std::holds_alternative<AttentionParams>(params) || problem.has_labels;

  std::mt19937 random(static_cast<uint32_t>(params.index() * 1000 + spec.terms));
  std::vector<std::vector<float>> reads(3), weights(4);
  for (int i = 0; i < 3; ++i) {
    reads[i] = Draw(random, spec.reads[i].pixels * spec.reads[i].ld, spec.reads[i].low, spec.reads[i].high);
  }
  for (int i = 0; i < 4; ++i) weights[i] = DrawWeights(random, spec.weights[i]);
  if (c.tweak) c.tweak(reads, weights);
  for (int i = 0; i < 4; ++i) {
    if (spec.weights[i].weights_form == INKREAD_WEIGHTS_F16) weights[i] = Halves(weights[i]);
  }

  const bool one = placement.only >= 0;
  if (one) {
    problem.batch = 1;
    std::visit(
        [](auto& p) {
          if constexpr (HasN<decltype(p)>) {
            p.n = 1;
          } else if constexpr (HasRows<decltype(p)>) {
            p.rows = 1;
          }
        },
        params);
  }
  const auto shape_of = [&](const ReadSpec& r) {
    return Shape{1, 1, static_cast<uint32_t>(one ? r.pixels / spec.batch : r.pixels), r.c};
  };

  Block input(Space::kInput, placement.shift, 0), output(Space::kOutput, placement.shift, kUntouched);
  Block block(Space::kWeights, placement.shift, 0), arena(Space::kArena, placement.shift, 0);
  Step step;
  step.params = params;
  step.epilogue = c.epilogue;
  step.node = "Case";
  for (int i = 0; i < 2; ++i) {
    if (spec.writes[i].pixels == 0) continue;
    step.writes[i] = (i == 0 ? output : arena).Place(shape_of(spec.writes[i]), spec.writes[i].ld);
  }
  for (int i = 0; i < 3; ++i) {
    if (spec.reads[i].pixels == 0) continue;
    step.reads[i] = input.Place(shape_of(spec.reads[i]), spec.reads[i].ld);
    const uint64_t first = one ? reads[i].size() / spec.batch * placement.only : 0;
    std::copy_n(reads[i].begin() + first, step.reads[i].extent_bytes() / 4,
                input.words.begin() + step.reads[i].offset_bytes / 4);
  }
  for (int i = 0; i < 4; ++i) {
    if (weights[i].empty()) continue;
    step.weights[i] =
        block.Place({1, 1, 1, static_cast<uint32_t>(weights[i].size())}, static_cast<uint32_t>(weights[i].size()));
    std::copy(weights[i].begin(), weights[i].end(), block.words.begin() + step.weights[i].offset_bytes / 4);
  }

  problem.schedule = std::make_shared<Schedule>();
  Schedule& s = *problem.schedule;
  s.network = "conformance";
  if (c.in_place != InPlace::kNo) {
    // The operand is first brought to where y is.
    Operand& aliased = step.reads[c.in_place == InPlace::kX ? 0 : 2];
    const Operand& y = step.writes[0];
    Step copy;
    copy.params = CopyParams{{1, 1, 1, y.shape.w, y.shape.c}, {0, 0, 0, aliased.ld, 1}, {0, 0, 0, y.ld, 1}};
    copy.reads[0] = aliased;
    copy.writes[0] = y;
    s.steps.push_back(copy);
    aliased = y;
    step.level = 1;
  }
  problem.is_result.resize(output.words.size());
  const Operand& y = step.writes[0];
  for (uint64_t pixel = 0; pixel < y.shape.w; ++pixel) {
    for (uint32_t i = 0; i < y.shape.c; ++i) problem.is_result[y.offset_bytes / 4 + pixel * y.ld + i] = true;
  }
  s.steps.push_back(step);
  s.input = {1, 1, 1, static_cast<uint32_t>(input.words.size())};
  s.output = {1, 1, 1, static_cast<uint32_t>(output.words.size())};
  s.weights_bytes = block.words.size() * 4;
  s.arena_bytes = arena.words.size() * 4;
  block.words.resize(block.words.size() + kArenaSlackBytes / 4);
  problem.weights = std::make_shared<std::vector<float>>(std::move(block.words));
  problem.input = std::move(input.words);
  if (packing.storage != INKREAD_ELEMENT_F32) {
    if (!problem.has_labels) problem.storage = packing.storage;
    StoreAs(packing.storage, placement.shift, s, problem.input);
  }
  problem.output = std::move(output.words);
  return problem;
}

std::vector<float> RunProblem(Backend& backend, const Problem& problem) {
  const Status fault = CheckSchedule(*problem.schedule);
  INKREAD_CHECK(fault.ok() || (std::fprintf(stderr, "%s\n", fault.message().c_str()), false));
  // Copies into memory that is as aligned, and has as much behind it, as the contract promises.
  AlignedBuffer input, weights, output;
  const size_t weights_bytes = problem.weights->size() * 4;
  INKREAD_CHECK(input.Reserve(problem.input.size() * 4 + 64).ok());
  INKREAD_CHECK(weights.Reserve(weights_bytes).ok());
  INKREAD_CHECK(output.Reserve(problem.output.size() * 4).ok());
  std::memcpy(input.data(), problem.input.data(), problem.input.size() * 4);
  std::memcpy(weights.data(), problem.weights->data(), weights_bytes);
  std::memcpy(output.data(), problem.output.data(), problem.output.size() * 4);
  auto uploaded = backend.Upload({weights.data(), weights_bytes}, nullptr);
  INKREAD_CHECK(uploaded.ok());
  auto program = backend.Compile(problem.schedule, *uploaded);
  INKREAD_CHECK(program.ok());
  const Job job{program->get(), reinterpret_cast<const float*>(input.data()), output.data()};
  const Status status = backend.Run({&job, 1});
  INKREAD_CHECK(status.ok());
  std::vector<float> result(problem.output.size());
  std::memcpy(result.data(), output.data(), result.size() * 4);
  return result;
}

std::string Compare(const Problem& problem, const std::vector<float>& expected, const std::vector<float>& actual,
                    double* worst) {
  double magnitude = 1;
  bool is_label = problem.has_labels;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!problem.is_result[i]) continue;
    if (!is_label) magnitude = std::max(magnitude, std::abs(double{expected[i]}));
    if (problem.has_labels) is_label = !is_label;
  }
  double tolerance = RoundingTolerance(problem.terms, magnitude);
  if (problem.approximates) tolerance += kActivationTolerance * magnitude;
  is_label = problem.has_labels;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!problem.is_result[i]) {
      if (actual[i] != kUntouched) return StrCat("word ", i, " is not the step's and became ", actual[i]);
      continue;
    }
    if (is_label) {
      int32_t a, b;
      std::memcpy(&a, &expected[i], 4);
      std::memcpy(&b, &actual[i], 4);
      if (a != b) return StrCat("word ", i, " is label ", b, ", expected ", a);
    } else {
      const double error = std::abs(double{expected[i]} - actual[i]);
      const double limit = tolerance + StorageTolerance(problem.storage, expected[i]);
      if (!(error <= limit)) {
        return StrCat("word ", i, " is ", actual[i], ", expected ", expected[i], " within ", limit);
      }
      *worst = std::max(*worst, error / limit);
    }
    if (problem.has_labels) is_label = !is_label;
  }
  return "";
}

std::vector<float> Results(const Problem& problem, const std::vector<float>& output, int64_t index) {
  std::vector<float> results;
  for (size_t i = 0; i < output.size(); ++i) {
    if (problem.is_result[i]) results.push_back(output[i]);
  }
  if (index < 0) return results;
  const size_t part = results.size() / problem.batch;
  return {results.begin() + part * index, results.begin() + part * (index + 1)};
}

std::vector<Case> WithEveryEpiloguePart(Case base) {
  std::vector<Case> cases;
  const auto add = [&](const EpilogueParams& e, const char* why) {
    Case c = base;
    c.epilogue = e;
    c.why = why;
    cases.push_back(c);
  };
  const uint y_ld = std::visit(
      [](const auto& p) {
        if constexpr (requires { p.y_ld; }) {
          return p.y_ld;
        } else {
          return 0u;
        }
      },
      base.params);
  EpilogueParams none{};
  none.alpha = 0.2f;
  none.beta = 0.5f;
  EpilogueParams e = none;
  e.has_bias = 1;
  add(e, "bias alone");
  for (uint a = 1; a < INKREAD_NUM_ACTIVATIONS; ++a) {
    e = none;
    e.activation = a;
    add(e, "activation alone");
  }
  e = none;
  e.has_gate = 1;
  add(e, "gate alone");
  e = none;
  e.has_residual = 1;
  e.residual_ld = y_ld + 3;
  add(e, "residual alone");
  for (uint a = 0; a < INKREAD_NUM_ACTIVATIONS; ++a) {
    e = none;
    e.has_bias = e.has_gate = e.has_residual = 1;
    e.activation = a;
    e.residual_ld = y_ld + 1;
    add(e, "every part, in their order");
  }
  return cases;
}

std::vector<Case> AllCases() {
  std::vector<Case> all;
  for (auto table : {ConvCases, DepthwiseConvCases, ConvTransposeCases, PoolCases, RowCases, SmallCases}) {
    for (const Case& c : table()) all.push_back(c);
  }
  return all;
}

}  // namespace inkread::conformance
