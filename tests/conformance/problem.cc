#include "tests/conformance/problem.h"

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
#include "base/round.h"
#include "schedule/step_facts.h"
#include "tests/tolerance.h"

namespace inkread::conformance {
namespace {

// The values of a step's operands, by slot; empty where there is no operand.
struct Values {
  std::vector<std::vector<float>> reads = std::vector<std::vector<float>>(3);
  std::vector<std::vector<float>> weights = std::vector<std::vector<float>>(4);
};

std::vector<float> Draw(std::mt19937& random, uint64_t count, float low, float high) {
  std::vector<float> values(count);
  std::uniform_real_distribution<float> uniform(low, high);
  for (float& v : values) v = uniform(random);
  return values;
}

// A word of two weights in BF16: row `row` of a row of the window.
float DrawPair(std::mt19937& random, const WeightFacts& w, uint64_t row) {
  std::uniform_real_distribution<float> uniform(-1, 1);
  const uint64_t pairs = (w.ic + 1) / 2;
  if (row >= w.kw * pairs) return 0;
  const uint32_t low = ToBf16(uniform(random)), high = ToBf16(uniform(random));
  const bool has_high = row % pairs * 2 + 1 < w.ic;
  return std::bit_cast<float>(low | (has_high ? high << 16 : 0));
}

// Weights in F16 are drawn as F32; Halves rounds them.
std::vector<float> DrawWeight(std::mt19937& random, const WeightFacts& w) {
  if (w.panel == 0) return Draw(random, w.words, -1, 1);
  const bool is_bf16 = w.form == INKREAD_WEIGHTS_BF16;
  const uint64_t window_rows = is_bf16 ? INKREAD_BF16_ROWS(w.kw, w.ic) : uint64_t{w.kw} * w.ic;
  const uint64_t panel_rows = w.kh * window_rows, panels = DivideUp(w.columns, w.panel);
  std::vector<float> values(panels * panel_rows * w.panel, 0.0f);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (uint64_t row = 0; row < panels * panel_rows; ++row) {
    for (uint32_t i = 0; i < w.panel; ++i) {
      if (row / panel_rows * w.panel + i >= w.columns) continue;
      values[row * w.panel + i] = is_bf16 ? DrawPair(random, w, row % panel_rows % window_rows) : uniform(random);
    }
  }
  if (w.period != 0) {
    for (uint64_t i = w.period; i < w.columns; ++i) values[i] = values[i - w.period];
  }
  return values;
}

// The values rounded to F16, two in a word.
std::vector<float> Halves(const std::vector<float>& values) {
  std::vector<uint16_t> halves((values.size() + 1) / 2 * 2);
  std::transform(values.begin(), values.end(), halves.begin(), ToF16);
  std::vector<float> words(halves.size() / 2);
  std::memcpy(words.data(), halves.data(), halves.size() * sizeof(uint16_t));
  return words;
}

Values DrawValues(const Case& c, const Step& step, const StepFacts& facts) {
  std::mt19937 random(static_cast<uint32_t>(step.params.index() * 1000 + facts.terms));
  Values values;
  for (int i = 0; i < 3; ++i) {
    if (!facts.reads[i]) continue;
    const bool is_gate = i == kGateSlot && HasEpilogue(step.kind());
    const float min = is_gate ? 0.5f : i == 0 ? c.x_min : -1, max = is_gate ? 1.5f : i == 0 ? c.x_max : 1;
    values.reads[i] = Draw(random, facts.reads[i]->pixels * facts.reads[i]->ld, min, max);
  }
  for (int i = 0; i < 4; ++i) {
    if (facts.weights[i]) values.weights[i] = DrawWeight(random, *facts.weights[i]);
  }
  if (c.tweak) c.tweak(values.reads, values.weights);
  for (int i = 0; i < 4; ++i) {
    if (facts.weights[i] && facts.weights[i]->form == INKREAD_WEIGHTS_F16)
      values.weights[i] = Halves(values.weights[i]);
  }
  return values;
}

// Memory for operands one behind another. Each begins `shift` elements behind a multiple of 64 bytes.
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

// From an operand's first element to its last, as one row.
Operand SpanOf(const Operand& o) {
  Operand span = o;
  span.shape = {1, 1, 1, static_cast<uint32_t>(o.extent())};
  span.ld = span.shape.c;
  return span;
}

// Copies all of an operand's memory.
Step CopyOf(const Operand& from, const Operand& to, uint32_t level) {
  Step copy;
  copy.params = CopyParams{{1, 1, 1, 1, static_cast<uint32_t>(to.extent())}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
  copy.reads[0] = SpanOf(from);
  copy.writes[0] = SpanOf(to);
  copy.level = level;
  return copy;
}

// Moves every operand of the schedule into the arena, as element `storage`. Copies bring there the reads and what the
// output holds before the run, and take the results out.
void StoreAs(uint32_t storage, uint32_t shift, Schedule& s, std::vector<float>& input) {
  Block in(Space::kInput, 0, 0), arena(Space::kArena, shift, 0);
  arena.words.resize(s.arena_bytes / 4);  // operands that must stay f32 lie there already
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
    if (FactsOf(step).writes[0]->element != ElementRule::kLabels) move(step.writes[0], true);
    step.level += 1;
  }
  steps.insert(steps.end(), s.steps.begin(), s.steps.end());
  steps.insert(steps.end(), copies_out.begin(), copies_out.end());
  s.steps = std::move(steps);
  input = std::move(in.words);
  s.input.c = static_cast<uint32_t>(input.size());
  s.arena_bytes = arena.words.size() * 4;
}

// The case's step without operands, its weights packed as the device wants them.
Step StepOf(const Case& c, const Packing& packing) {
  Step step;
  step.params = c.params;
  step.epilogue = c.epilogue;
  step.node = "Case";
  std::visit(
      [&packing](auto& p) {
        if constexpr (requires { p.panel; }) {
          p.panel = packing.panel;
          p.weights_form = packing.weights_form;
        }
      },
      step.params);
  return step;
}

// How many images the params are for, or rows in kinds that have those instead; null: the kind has neither.
uint* BatchOf(StepParams& params) {
  return std::visit(
      [](auto& p) -> uint* {
        if constexpr (requires { p.n; }) {
          return &p.n;
        } else if constexpr (requires { p.rows; }) {
          return &p.rows;
        } else {
          return nullptr;
        }
      },
      params);
}

Shape ShapeOf(const OperandFacts& facts) {
  return {1, 1, static_cast<uint32_t>(facts.pixels), static_cast<uint32_t>(facts.c)};
}

// The blocks that a problem's operands lie in.
struct Blocks {
  explicit Blocks(uint32_t shift)
      : input(Space::kInput, shift, 0),
        output(Space::kOutput, shift, kUntouched),
        weights(Space::kWeights, shift, 0),
        arena(Space::kArena, shift, 0) {}
  Block input, output, weights, arena;
};

// Gives the step its operands. `batch` is the number of images that `values` are for; the step may be for one only.
void PlaceOperands(Step& step, const Values& values, uint64_t batch, const OperandLayout& layout, Blocks& blocks) {
  const StepFacts facts = FactsOf(step);
  for (int i = 0; i < 2; ++i) {
    if (!facts.writes[i]) continue;
    Block& block = i == 0 ? blocks.output : blocks.arena;
    step.writes[i] = block.Place(ShapeOf(*facts.writes[i]), static_cast<uint32_t>(facts.writes[i]->ld));
  }
  for (int i = 0; i < 3; ++i) {
    if (!facts.reads[i]) continue;
    Operand& o = step.reads[i];
    o = blocks.input.Place(ShapeOf(*facts.reads[i]), static_cast<uint32_t>(facts.reads[i]->ld));
    const uint64_t first = layout.only >= 0 ? values.reads[i].size() / batch * layout.only : 0;
    std::copy_n(values.reads[i].begin() + first, o.extent(), blocks.input.words.begin() + o.offset_bytes / 4);
  }
  for (int i = 0; i < 4; ++i) {
    const std::vector<float>& words = values.weights[i];
    if (words.empty()) continue;
    const auto size = static_cast<uint32_t>(words.size());
    step.weights[i] = blocks.weights.Place({1, 1, 1, size}, size);
    std::copy(words.begin(), words.end(), blocks.weights.words.begin() + step.weights[i].offset_bytes / 4);
  }
}

// Makes the step read the operand where y is, and returns a copy that brings it there.
Step BringToY(Step& step, InPlace in_place) {
  Operand& aliased = step.reads[in_place == InPlace::kX ? 0 : kResidualSlot];
  const Operand& y = step.writes[0];
  Step copy;
  copy.params = CopyParams{{1, 1, 1, y.shape.w, y.shape.c}, {0, 0, 0, aliased.ld, 1}, {0, 0, 0, y.ld, 1}};
  copy.reads[0] = aliased;
  copy.writes[0] = y;
  aliased = y;
  step.level = 1;
  return copy;
}

// Which words of a block of f32 belong to the operand. Gaps between pixels do not.
std::vector<bool> WordsOf(const Operand& o, size_t block_words) {
  std::vector<bool> is_in(block_words);
  for (uint64_t pixel = 0; pixel < o.shape.w; ++pixel) {
    for (uint32_t i = 0; i < o.shape.c; ++i) is_in[o.offset_bytes / 4 + pixel * o.ld + i] = true;
  }
  return is_in;
}

}  // namespace

Problem MakeProblem(const Case& c, const Packing& packing, const OperandLayout& layout) {
  Step step = StepOf(c, packing);
  const StepFacts facts = FactsOf(step);
  Problem problem;
  uint* const batch = BatchOf(step.params);
  problem.batch = batch == nullptr ? 1 : *batch;
  problem.terms = facts.terms + 16;  // and some for the epilogue
  problem.has_labels = facts.writes[0]->element == ElementRule::kLabels;
  const uint a = c.epilogue.activation;
  problem.approximates = facts.uses_exp || a == INKREAD_ACTIVATION_GELU || a == INKREAD_ACTIVATION_SIGMOID ||
                         a == INKREAD_ACTIVATION_SWISH;

  const Values values = DrawValues(c, step, facts);
  Blocks blocks(layout.shift);
  if (layout.only >= 0 && batch != nullptr) *batch = 1;
  PlaceOperands(step, values, problem.batch, layout, blocks);
  if (layout.only >= 0) problem.batch = 1;
  problem.is_result = WordsOf(step.writes[0], blocks.output.words.size());

  problem.schedule = std::make_shared<Schedule>();
  Schedule& s = *problem.schedule;
  s.network = "conformance";
  if (c.in_place != InPlace::kNo) s.steps.push_back(BringToY(step, c.in_place));
  s.steps.push_back(step);
  s.input = {1, 1, 1, static_cast<uint32_t>(blocks.input.words.size())};
  s.output = {1, 1, 1, static_cast<uint32_t>(blocks.output.words.size())};
  s.weights_bytes = blocks.weights.words.size() * 4;
  s.arena_bytes = blocks.arena.words.size() * 4;
  blocks.weights.words.resize(blocks.weights.words.size() + kArenaSlackBytes / 4);
  problem.weights = std::make_shared<std::vector<float>>(std::move(blocks.weights.words));
  problem.input = std::move(blocks.input.words);
  problem.output = std::move(blocks.output.words);
  if (packing.storage != INKREAD_ELEMENT_F32) {
    if (!problem.has_labels) problem.storage = packing.storage;
    StoreAs(packing.storage, layout.shift, s, problem.input);
  }
  return problem;
}

std::vector<float> RunProblem(Backend& backend, const Problem& problem) {
  const Status fault = CheckSchedule(*problem.schedule);
  INKREAD_CHECK(fault.ok() || (std::fprintf(stderr, "%s\n", fault.message().c_str()), false));
  // Memory as aligned as the contract promises, and with as many bytes behind it.
  AlignedBuffer input, weights, output;
  const size_t weights_bytes = problem.weights->size() * 4;
  INKREAD_CHECK(input.Reserve(problem.input.size() * 4 + kInputSlackBytes).ok());
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
  size_t num_results = 0;
  const auto next_is_label = [&] { return problem.has_labels && num_results++ % 3 == 0; };
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!problem.is_result[i]) continue;
    if (!next_is_label()) magnitude = std::max(magnitude, std::abs(double{expected[i]}));
  }
  double tolerance = RoundingTolerance(problem.terms, magnitude);
  if (problem.approximates) tolerance += kActivationTolerance * magnitude;
  num_results = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!problem.is_result[i]) {
      if (actual[i] != kUntouched) return StrCat("word ", i, " is none of the step's results and became ", actual[i]);
      continue;
    }
    if (next_is_label()) {
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

}  // namespace inkread::conformance
