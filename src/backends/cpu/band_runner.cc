#include "backends/cpu/band_runner.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

#include "backends/cpu/parallel.h"
#include "base/trace.h"

namespace inkread::cpu {
namespace {

// Kernels may read a little past a row. A multiple of AlignedBuffer::kAlignment.
constexpr uint64_t kScratchSlack = 4096;
// The share of the work that may be done twice at the edges of chunks.
constexpr double kMaxRepeatedWork = 0.2;

uint64_t RowBytes(const Operand& o) { return uint64_t{o.shape.w} * o.ld * ElementBytes(o.element); }

// Pointers that may be outside their block until the distance of a row is added.
std::byte* Back(std::byte* p, uint64_t bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<uintptr_t>(p) - bytes);
}
template <typename Byte>
Byte* Forward(Byte* p, uint64_t bytes) {
  return p == nullptr ? p : reinterpret_cast<Byte*>(reinterpret_cast<uintptr_t>(p) + bytes);
}

}  // namespace

BandRunner::BandRunner(const Schedule& schedule, const KernelTable& kernels, size_t first, uint64_t rows_bytes,
                       const Context& context, int num_threads) {
  for (size_t i = first; i < schedule.steps.size() && schedule.steps[i].band == schedule.steps[first].band; ++i) {
    const Step& step = schedule.steps[i];
    const Kernel& kernel = kernels[static_cast<size_t>(step.kind())];
    members_.push_back({&step, &kernel, *RowRuleOf(step)});
    if (kernel.scratch != nullptr) kernel_floats_ = std::max(kernel_floats_, kernel.scratch(step, context).thread);
  }
  // Values are the tensors that one member writes and another reads.
  for (const Member& m : members_) {
    for (int slot : {0, 2}) {
      const uint32_t id = m.step->reads[slot].band_value;
      if (id != 0 && FindValue(id) < 0) values_.push_back({.id = id});
    }
  }
  for (size_t m = 0; m < members_.size(); ++m) {
    const Step& step = *members_[m].step;
    AddValue(step.reads[0], &Member::x, m, &Value::x_readers);
    AddValue(step.reads[2], &Member::residual, m, &Value::residual_readers);
    AddValue(step.writes[0], &Member::y, m, &Value::writers);
    members_[m].has_own_rows = members_[m].y < 0 || step.writes[0].leaves_band;
  }
  images_ = members_[0].rule.images;
  grid_ = members_[0].rule.units;
  for (const Member& m : members_) grid_ = std::min(grid_, m.rule.units);
  const uint32_t threads = static_cast<uint32_t>(num_threads);
  chunks_ = std::min(grid_, images_ >= 2 * threads ? 1 : static_cast<uint32_t>(DivideUp(threads, images_)));
  PlanScratch(rows_bytes);
  const auto runs_rows = [](const Member& m) { return m.kernel->run_rows != nullptr; };
  pays_ = pays_ && std::all_of(members_.begin(), members_.end(), runs_rows);
}

int BandRunner::FindValue(uint32_t id) const {
  for (size_t v = 0; v < values_.size(); ++v) {
    if (values_[v].id == id) return static_cast<int>(v);
  }
  return -1;
}

void BandRunner::AddValue(const Operand& operand, int Member::*slot, size_t member, std::vector<size_t> Value::*list) {
  const int index = FindValue(operand.band_value);
  if (index < 0) return;
  Value& value = values_[index];
  value.begin_bytes = std::min(value.begin_bytes, operand.offset_bytes);
  value.row_bytes = RowBytes(operand);
  (value.*list).push_back(member);
  members_[member].*slot = index;
}

uint32_t BandRunner::OwnUnits(const Member& m, uint32_t grid) const {
  return static_cast<uint32_t>(uint64_t{m.rule.units} * grid / grid_);
}

// Sets `first` and `done` to where each member begins in a chunk whose own rows begin at `begin` of the grid.
void BandRunner::StartChunk(uint32_t begin, Progress& progress) const {
  progress.first.assign(members_.size(), UINT32_MAX);
  for (size_t i = members_.size(); i-- > 0;) {
    const Member& m = members_[i];
    uint32_t& first = progress.first[i];
    if (m.has_own_rows) first = std::min(first, OwnUnits(m, begin));
    const auto need = [&](int value, uint32_t row) {
      if (value < 0) return;
      for (size_t w : values_[value].writers) {
        progress.first[w] = std::min(progress.first[w], row / members_[w].rule.results_per_unit);
      }
    };
    need(m.x, m.rule.FirstX(first));
    need(m.residual, first * m.rule.results_per_unit);
  }
  progress.done = progress.first;
  progress.next = progress.first;
  progress.base.assign(values_.size(), 0);
  for (size_t v = 0; v < values_.size(); ++v) progress.base[v] = KeptFrom(values_[v], progress);
}

// Sets `next` to how far each member must get for its own rows up to `grid`, and for those of its readers.
void BandRunner::AimAt(uint32_t grid, Progress& progress) const {
  std::fill(progress.next.begin(), progress.next.end(), 0);
  for (size_t i = members_.size(); i-- > 0;) {
    const Member& m = members_[i];
    uint32_t& next = progress.next[i];
    if (m.has_own_rows) next = std::max(next, OwnUnits(m, grid));
    next = std::max(next, progress.done[i]);
    if (next == progress.first[i]) continue;
    const auto need = [&](int value, uint32_t rows) {
      if (value < 0) return;
      for (size_t w : values_[value].writers) {
        const uint32_t units = static_cast<uint32_t>(DivideUp(rows, members_[w].rule.results_per_unit));
        progress.next[w] = std::max(progress.next[w], units);
      }
    };
    need(m.x, m.rule.EndX(next));
    need(m.residual, next * m.rule.results_per_unit);
  }
}

uint32_t BandRunner::KeptFrom(const Value& value, const Progress& progress) const {
  uint32_t row = UINT32_MAX;
  for (size_t r : value.x_readers) row = std::min(row, members_[r].rule.FirstX(progress.done[r]));
  for (size_t r : value.residual_readers) {
    row = std::min(row, progress.done[r] * members_[r].rule.results_per_unit);
  }
  // Rows that are still to be computed need their place even if nothing reads them.
  for (size_t w : value.writers) row = std::min(row, progress.done[w] * members_[w].rule.results_per_unit);
  return row;
}

uint32_t BandRunner::MadeUpTo(const Value& value, const std::vector<uint32_t>& units) const {
  uint32_t row = 0;
  for (size_t w : value.writers) row = std::max(row, units[w] * members_[w].rule.results_per_unit);
  return row;
}

uint32_t BandRunner::ChunkBegin(uint32_t chunk) const { return grid_ * chunk / chunks_; }

template <typename Pass>
void BandRunner::WalkChunk(uint32_t chunk, Progress& progress, const Pass& pass) const {
  StartChunk(ChunkBegin(chunk), progress);
  for (uint32_t at = ChunkBegin(chunk), end = ChunkBegin(chunk + 1); at < end;) {
    at = std::min(end, at + rows_at_a_time_);
    AimAt(at, progress);
    pass();
    progress.done = progress.next;
  }
}

// Finds how many rows go at a time, how many of each value must be kept for that, and whether it pays, by walking
// through all chunks without computing anything.
void BandRunner::PlanScratch(uint64_t rows_bytes) {
  uint64_t grid_row_bytes = 1;
  for (const Value& value : values_) {
    const Member& writer = members_[value.writers[0]];
    grid_row_bytes += value.row_bytes * writer.rule.units * writer.rule.results_per_unit / grid_;
  }
  rows_at_a_time_ = static_cast<uint32_t>(std::clamp<uint64_t>(rows_bytes / grid_row_bytes, 1, grid_));
  std::vector<uint32_t> capacity(values_.size(), 0);        // rows
  std::vector<bool> stays_in_chunk(members_.size(), true);  // no chunk computes more than its own rows
  double made = 0, wanted = 0;
  Progress progress;
  for (uint32_t chunk = 0; chunk < chunks_; ++chunk) {
    WalkChunk(chunk, progress, [&] {
      for (size_t v = 0; v < values_.size(); ++v) {
        const uint32_t rows = MadeUpTo(values_[v], progress.next) - KeptFrom(values_[v], progress);
        capacity[v] = std::max(capacity[v], rows);
      }
    });
    for (size_t i = 0; i < members_.size(); ++i) {
      const uint32_t begin = OwnUnits(members_[i], ChunkBegin(chunk)),
                     end = OwnUnits(members_[i], ChunkBegin(chunk + 1));
      if (progress.first[i] != begin || progress.done[i] != end) stays_in_chunk[i] = false;
      const double unit = static_cast<double>(members_[i].step->writes[0].extent_bytes()) / members_[i].rule.units;
      made += unit * (progress.done[i] - progress.first[i]);
      wanted += unit * (end - begin);
    }
  }
  pays_ = made <= wanted * (1 + kMaxRepeatedWork);
  uint64_t scratch_bytes = 0;
  for (size_t v = 0; v < values_.size(); ++v) {
    Value& value = values_[v];
    value.is_whole = std::all_of(value.writers.begin(), value.writers.end(), [&](size_t w) {
      return members_[w].step->writes[0].leaves_band && stays_in_chunk[w];
    });
    if (value.is_whole) continue;
    value.scratch_bytes = scratch_bytes;
    scratch_bytes += RoundUp(capacity[v] * value.row_bytes, AlignedBuffer::kAlignment);
  }
  rows_floats_ = (scratch_bytes + kScratchSlack) / sizeof(float);
}

// The operands of a member. Each points to where row 0 of the image is, or would be if it were kept.
HostOperands BandRunner::OperandsOf(const Member& m, const HostBlocks& blocks, uint32_t image, const Progress& progress,
                                    std::byte* scratch) const {
  const Step& step = *m.step;
  HostOperands o = OnHost(step, blocks);
  const auto move = [&](auto& operand, const Operand& where, int v) {
    if (v < 0 || values_[v].is_whole) {
      operand.data = Forward(operand.data, image * where.shape.h * RowBytes(where));
      return;
    }
    const Value& value = values_[v];
    std::byte* row0 = Back(scratch + value.scratch_bytes, progress.base[v] * value.row_bytes);
    operand.data = Forward(row0, where.offset_bytes - value.begin_bytes);
  };
  move(o.reads[0], step.reads[0], m.x);
  move(o.reads[1], step.reads[1], -1);
  move(o.reads[2], step.reads[2], m.residual);
  move(o.writes[0], step.writes[0], m.y);
  move(o.writes[1], step.writes[1], -1);
  return o;
}

void BandRunner::CopyRows(const Step& step, const std::byte* from, std::byte* to, uint32_t first, uint32_t last) const {
  const Operand& y = step.writes[0];
  const uint64_t row_bytes = RowBytes(y), element_bytes = ElementBytes(y.element);
  const uint64_t pixel_bytes = y.shape.c * element_bytes, ld_bytes = y.ld * element_bytes;
  for (uint64_t at = first * row_bytes; first < last && at < last * row_bytes; at += ld_bytes)
    std::memcpy(Forward(to, at), Forward(from, at), pixel_bytes);
}

// A member's units from `done` to `next`.
void BandRunner::RunUnits(size_t member, const HostBlocks& blocks, const Context& context, uint32_t image,
                          uint32_t chunk, const Progress& progress, std::byte* scratch) const {
  const Member& m = members_[member];
  const uint32_t begin = progress.done[member], end = progress.next[member];
  const Step& step = *m.step;
  const HostOperands o = OperandsOf(m, blocks, image, progress, scratch);
  m.kernel->run_rows(step, o, begin, end, context, reinterpret_cast<float*>(scratch) + rows_floats_);
  if (!step.writes[0].leaves_band || m.y < 0 || values_[m.y].is_whole) return;
  const uint32_t per_unit = m.rule.results_per_unit;
  const uint32_t first = std::max(begin, OwnUnits(m, ChunkBegin(chunk))) * per_unit;
  const uint32_t last = std::min(end, OwnUnits(m, ChunkBegin(chunk + 1))) * per_unit;
  std::byte* whole = OnHost(step, blocks).writes[0].data + image * step.writes[0].shape.h * RowBytes(step.writes[0]);
  CopyRows(step, o.writes[0].data, whole, first, last);
}

void BandRunner::RunChunk(const HostBlocks& blocks, const Context& context, uint32_t image, uint32_t chunk,
                          float* floats, std::span<double> step_ms) const {
  const TraceSpan span("rows");
  thread_local Progress progress;
  std::byte* scratch = reinterpret_cast<std::byte*>(floats);
  WalkChunk(chunk, progress, [&] {
    for (size_t v = 0; v < values_.size(); ++v) {
      const Value& value = values_[v];
      if (value.is_whole) continue;
      const uint32_t kept = KeptFrom(value, progress), made = MadeUpTo(value, progress.done);
      if (kept == progress.base[v]) continue;
      if (made > kept) {
        std::byte* rows = scratch + value.scratch_bytes;
        std::memmove(rows, rows + (kept - progress.base[v]) * value.row_bytes, (made - kept) * value.row_bytes);
      }
      progress.base[v] = kept;
    }
    for (size_t i = 0; i < members_.size(); ++i) {
      if (progress.next[i] == progress.done[i]) continue;
      std::chrono::steady_clock::time_point start;
      if (!step_ms.empty()) start = std::chrono::steady_clock::now();
      RunUnits(i, blocks, context, image, chunk, progress, scratch);
      if (!step_ms.empty()) {
        step_ms[i] += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      }
    }
  });
}

void BandRunner::Run(const HostBlocks& blocks, const Context& context, std::span<double> step_ms) const {
  std::mutex mutex;
  const size_t tasks = size_t{images_} * chunks_;
  const double share = 1.0 / static_cast<double>(std::min<size_t>(tasks, context.pool->num_available()));
  ParallelFor(*context.pool, tasks, scratch_floats(), [&](size_t task, float* scratch) {
    std::vector<double> ms(step_ms.size());
    RunChunk(blocks, context, static_cast<uint32_t>(task / chunks_), static_cast<uint32_t>(task % chunks_), scratch,
             ms);
    if (ms.empty()) return;
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < ms.size(); ++i) step_ms[i] += ms[i] * share;
  });
  for (const Member& m : members_) {
    const auto* p = std::get_if<GlobalPoolParams>(&m.step->params);
    if (p == nullptr) continue;
    const HostOperands o = OnHost(*m.step, blocks);
    for (size_t image = 0; image < p->n; ++image) FinishGlobalPool(*p, o, image, context);
  }
}

}  // namespace inkread::cpu
