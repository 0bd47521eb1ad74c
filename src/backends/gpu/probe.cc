#include "backends/gpu/probe.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/round.h"
#include "schedule/probe.h"

namespace inkread::gpu {
namespace {

constexpr double kEnoughMs = 5;  // a step this long takes many times its fixed cost

// Builds schedules of steps whose operands follow one another in the arena, and measures them.
class Prober {
 public:
  explicit Prober(Backend& backend) : backend_(backend) { schedule_.input = schedule_.output = {1, 1, 1, 1}; }

  // [rows, columns] of the device's values.
  Operand Matrix(uint32_t rows, uint32_t columns) {
    Operand o{Space::kArena, schedule_.arena_bytes, {1, 1, rows, columns}, columns};
    o.element = backend_.Caps().storage;
    schedule_.arena_bytes = RoundUp(schedule_.arena_bytes + o.extent_bytes(), uint64_t{256});
    return o;
  }

  // [rows, depth] times [depth, columns].
  void AddProduct(uint32_t rows, uint32_t depth, uint32_t columns) {
    const DeviceCaps& caps = backend_.Caps();
    ConvParams p{};
    p.n = p.ih = p.oh = p.kh = p.kw = p.stride_h = p.stride_w = 1;
    p.iw = p.ow = rows;
    p.ic = p.x_ld = depth;
    p.oc = p.y_ld = columns;
    p.panel = caps.conv_panel;
    p.weights_form = caps.weights_form;
    const uint64_t words = PackedWeightWords(caps.weights_form, RoundUp(columns, caps.conv_panel), 1, 1, depth);
    Step step = Add(p, rows, depth, columns, 0);
    step.weights[0] = {Space::kWeights, 0, {1, 1, 1, static_cast<uint32_t>(words)}, static_cast<uint32_t>(words)};
    schedule_.weights_bytes = words * 4;
    schedule_.steps.push_back(std::move(step));
  }

  // y = x.
  void AddMove(uint32_t rows, uint32_t columns, uint32_t level) {
    schedule_.steps.push_back(
        Add(ElementwiseParams{1, 1, rows, columns, columns, columns}, rows, columns, columns, level));
  }

  // The quickest of several runs, all steps together.
  Result<double> StepsMs() {
    INKREAD_ASSIGN_OR_RETURN(const auto program, Compile());
    const Job job{program.get(), &input_, &output_};
    std::vector<double> step_ms(program->schedule().steps.size());
    double best = 0;
    for (int run = 0; run < 6; ++run) {
      INKREAD_RETURN_IF_ERROR(backend_.Profile(job, step_ms));
      double ms = 0;
      for (double t : step_ms) ms += t;
      if (run == 0 || ms < best) best = ms;
    }
    return best;
  }

  // The time of a run, submitting and waiting included.
  Result<double> RunMicroseconds() {
    INKREAD_ASSIGN_OR_RETURN(const auto program, Compile());
    const Job job{program.get(), &input_, &output_};
    INKREAD_RETURN_IF_ERROR(backend_.Run({&job, 1}));
    Status status;
    const double us = MedianMicroseconds([&] { status = backend_.Run({&job, 1}); }, 51);
    INKREAD_RETURN_IF_ERROR(status);
    return us;
  }

 private:
  template <typename P>
  Step Add(const P& params, uint32_t rows, uint32_t x_columns, uint32_t y_columns, uint32_t level) {
    Step step;
    step.params = params;
    step.level = level;
    step.reads[0] = Matrix(rows, x_columns);
    step.writes[0] = Matrix(rows, y_columns);
    return step;
  }

  Result<std::unique_ptr<const Program>> Compile() {
    auto weights = std::make_shared<AlignedBuffer>();
    INKREAD_RETURN_IF_ERROR(weights->Reserve(schedule_.weights_bytes + kArenaSlackBytes));
    std::fill_n(weights->data(), schedule_.weights_bytes, std::byte{});
    INKREAD_ASSIGN_OR_RETURN(const auto uploaded, backend_.Upload({weights->data(), schedule_.weights_bytes}, weights));
    return backend_.Compile(std::make_shared<const Schedule>(schedule_), uploaded);
  }

  Backend& backend_;
  Schedule schedule_;
  float input_ = 0, output_ = 0;
};

// The best rate of add(prober, rows) for a growing number of rows, in units of `each` a row and second. An error is
// returned only if not even the fewest rows could be measured: more may exceed the device's memory.
Result<double> BestRate(Backend& backend, uint32_t first_rows, uint32_t last_rows, double each,
                        const std::function<void(Prober&, uint32_t)>& add) {
  double best = 0;
  for (uint32_t rows = first_rows; rows <= last_rows; rows *= 2) {
    Prober prober(backend);
    add(prober, rows);
    const Result<double> ms = prober.StepsMs();
    if (!ms.ok() && best == 0) return ms.status();
    if (!ms.ok()) break;
    if (*ms > 0) best = std::max(best, each * rows / (*ms * 1e-3));
    if (*ms >= kEnoughMs) break;
  }
  return best;
}

// What a step costs beyond its work. has_levels: each step has a level of its own; otherwise all share one.
Result<double> StepMicroseconds(Backend& backend, bool has_levels) {
  constexpr uint32_t kSteps = 200;
  const auto time = [&](uint32_t num_steps) {
    Prober prober(backend);
    for (uint32_t i = 0; i < num_steps; ++i) prober.AddMove(16, 16, has_levels ? i : 0);
    return prober.RunMicroseconds();
  };
  INKREAD_ASSIGN_OR_RETURN(const double few, time(1));
  INKREAD_ASSIGN_OR_RETURN(const double many, time(1 + kSteps));
  return std::max(0.0, many - few) / kSteps;
}

}  // namespace

std::vector<ProbeResult> Probe(Backend& backend) {
  const DeviceCaps& caps = backend.Caps();
  constexpr uint32_t kDepth = 1024, kColumns = 1024, kMoved = 1024;
  const Result<double> products = BestRate(backend, 64, 1 << 16, 1e-9 * kDepth * kColumns,
                                           [](Prober& p, uint32_t rows) { p.AddProduct(rows, kDepth, kColumns); });
  const Result<double> bytes = BestRate(backend, 64, 1 << 17, 1e-9 * 2 * ElementBytes(caps.storage) * kMoved,
                                        [](Prober& p, uint32_t rows) { p.AddMove(rows, kMoved, 0); });
  return {
      ProbeRow(caps.weights_form == INKREAD_WEIGHTS_F32 ? kProbePeakF32 : kProbePeakF16, "GMAC/s", products),
      ProbeRow("copy", "GB/s read and written", bytes),
      ProbeRow("kernel among others of its level", "us", StepMicroseconds(backend, false)),
      ProbeRow("kernel and barrier", "us", StepMicroseconds(backend, true)),
      ProbeRow("empty run", "us", EmptyRunMicroseconds(backend)),
  };
}

}  // namespace inkread::gpu
