#include "planner/bands.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/round.h"
#include "schedule/rows.h"

namespace inkread {
namespace {

using PendingStep = ScheduleBuilder::PendingStep;

bool Contains(const std::vector<bool>& set, int b) { return b >= 0 && set[b]; }

// As late as the steps that need them allow, so that a side branch stands where it is used.
std::vector<size_t> LatestOrder(std::span<const PendingStep> steps, size_t num_buffers) {
  std::vector<int64_t> needed(num_buffers, 0);  // before which place from the end, counted down from 0
  std::vector<int64_t> place(steps.size());
  for (size_t i = steps.size(); i-- > 0;) {
    int64_t at = 0;
    for (int b : steps[i].write_buffers) {
      if (b >= 0) at = std::min(at, needed[b]);
    }
    place[i] = at;
    for (int b : steps[i].read_buffers) {
      if (b >= 0) needed[b] = std::min(needed[b], at - 1);
    }
  }
  std::vector<size_t> order(steps.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return place[a] < place[b]; });
  return order;
}

// A band in the making.
class Band {
 public:
  Band(std::span<const PendingStep> steps, const std::vector<int>& num_writers, uint64_t max_bytes)
      : steps_(steps), num_writers_(num_writers), max_bytes_(max_bytes), writers_(num_writers.size()) {}

  const std::vector<size_t>& members() const { return members_; }

  // Takes the step in if it can run row by row with the others.
  bool Join(size_t index) {
    const PendingStep& s = steps_[index];
    const std::optional<RowRule> rule = RowRuleOf(s.step);
    if (!rule || rule->units < 2 || (!members_.empty() && rule->images != images_)) return false;
    const int gate = s.read_buffers[1], y = s.write_buffers[0];
    if (gate >= 0 && !writers_[gate].empty()) return false;
    bool is_connected = members_.empty() || !writers_[y].empty();
    for (int slot : {0, 2}) {
      const int b = s.read_buffers[slot];
      if (b < 0 || writers_[b].empty()) continue;
      is_connected = true;
      if (static_cast<int>(writers_[b].size()) != num_writers_[b]) return false;  // the rest comes from elsewhere
      for (size_t w : writers_[b]) {
        if (!SameRows(steps_[w].step.writes[0], s.step.reads[slot])) return false;
        if (RowRuleOf(steps_[w].step)->results_per_unit == 0) return false;
      }
    }
    for (size_t w : writers_[y]) {
      if (!SameRows(steps_[w].step.writes[0], s.step.writes[0])) return false;
    }
    if (!is_connected) return false;
    members_.push_back(index);
    if (members_.size() > 1 && Bytes() > max_bytes_) {
      members_.pop_back();
      return false;
    }
    writers_[y].push_back(index);
    images_ = rule->images;
    return true;
  }

 private:
  static bool SameRows(const Operand& a, const Operand& b) {
    return a.shape.n == b.shape.n && a.shape.h == b.shape.h && a.shape.w == b.shape.w && a.ld == b.ld;
  }

  // The weights, and of each result the rows that belong to one row of the lowest tensor and two more for windows.
  uint64_t Bytes() const {
    uint32_t lowest = UINT32_MAX;
    for (size_t m : members_) lowest = std::min(lowest, RowRuleOf(steps_[m].step)->units);
    uint64_t bytes = 0;
    for (size_t m : members_) {
      const Step& step = steps_[m].step;
      for (const Operand& w : step.weights) bytes += w.present() ? w.extent_bytes() : 0;
      const Operand& y = step.writes[0];
      bytes += (DivideUp(y.shape.h, lowest) + 2) * y.shape.w * y.shape.c * ElementBytes(y.element);
    }
    return bytes;
  }

  std::span<const PendingStep> steps_;
  const std::vector<int>& num_writers_;  // by buffer
  uint64_t max_bytes_;
  std::vector<std::vector<size_t>> writers_;  // by buffer, those of the band
  std::vector<size_t> members_;
  uint32_t images_ = 0;
};

}  // namespace

Bands FindBands(std::span<const PendingStep> steps, uint64_t max_bytes) {
  int last_buffer = -1;
  for (const PendingStep& s : steps) {
    for (int b : s.read_buffers) last_buffer = std::max(last_buffer, b);
    for (int b : s.write_buffers) last_buffer = std::max(last_buffer, b);
  }
  const size_t num_buffers = static_cast<size_t>(last_buffer + 1);
  std::vector<int> num_writers(num_buffers);
  for (const PendingStep& s : steps) {
    for (int b : s.write_buffers) {
      if (b >= 0) ++num_writers[b];
    }
  }
  Bands bands;
  bands.band_of.resize(steps.size());
  uint32_t num_bands = 0;
  for (std::vector<size_t> left = LatestOrder(steps, num_buffers), later; !left.empty(); left = std::move(later)) {
    later.clear();
    Band band(steps, num_writers, max_bytes);
    std::vector<bool> is_later(num_buffers);  // buffers that steps behind the band write
    for (size_t i : left) {
      const PendingStep& s = steps[i];
      const bool waits =
          std::any_of(s.read_buffers.begin(), s.read_buffers.end(), [&](int b) { return Contains(is_later, b); });
      if (!waits && band.Join(i)) continue;
      if (later.empty() && band.members().empty()) {
        // The first step, which can be in no band, is done as it is; the next may begin one.
        bands.order.push_back(i);
        continue;
      }
      later.push_back(i);
      for (int b : s.write_buffers) {
        if (b >= 0) is_later[b] = true;
      }
    }
    if (band.members().size() > 1) ++num_bands;
    for (size_t i : band.members()) {
      bands.order.push_back(i);
      bands.band_of[i] = band.members().size() > 1 ? num_bands : 0;
    }
  }
  return bands;
}

}  // namespace inkread
