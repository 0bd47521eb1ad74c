#include <algorithm>
#include <numeric>
#include <optional>

#include "base/round.h"
#include "planner/draft/passes.h"
#include "schedule/step_facts.h"

namespace inkread {
namespace {

// The steps, each as late as those that need its results allow, so that a side branch comes just before its reader.
std::vector<size_t> LatestOrder(const std::vector<DraftStep>& steps, size_t num_buffers) {
  // The place before which a buffer is read. Places count down from the end: 0, -1, -2 ...
  std::vector<int64_t> needed(num_buffers, 0);
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

// A step, and the size of its weights, which is asked for each band that it might join.
struct Candidate {
  explicit Candidate(const DraftStep& s) : draft_step(s) {
    for (const Operand& w : s.step.weights) weights_bytes += w.present() ? w.extent_bytes() : 0;
  }
  const Step& step() const { return draft_step.step; }

  const DraftStep& draft_step;
  uint64_t weights_bytes = 0;
};

// Takes steps in as long as they can run together.
class BandFormer {
 public:
  BandFormer(const std::vector<Candidate>& steps, const std::vector<int>& num_writers, uint64_t max_bytes)
      : steps_(steps), num_writers_(num_writers), max_bytes_(max_bytes), writers_(num_writers.size()) {}

  const std::vector<size_t>& members() const { return members_; }

  void Clear() {
    for (size_t m : members_) writers_[steps_[m].draft_step.write_buffers[0]].clear();
    members_.clear();
  }

  // Takes the step in if it can run row by row with the members; false otherwise.
  bool Join(size_t index) {
    const DraftStep& s = steps_[index].draft_step;
    const std::optional<RowRule>& rows = s.rows;
    if (!rows || rows->units < 2 || (!members_.empty() && rows->images != images_)) return false;
    const int gate = s.read_buffers[kGateSlot], y = s.write_buffers[0];
    if (gate >= 0 && !writers_[gate].empty()) return false;
    bool is_connected = members_.empty() || !writers_[y].empty();
    for (int slot : {0, kResidualSlot}) {
      const int b = s.read_buffers[slot];
      if (b < 0 || writers_[b].empty()) continue;
      is_connected = true;
      if (static_cast<int>(writers_[b].size()) != num_writers_[b]) return false;  // other slices are made outside
      for (size_t w : writers_[b]) {
        if (!SameRows(steps_[w].step().writes[0], s.step.reads[slot])) return false;
        if (steps_[w].draft_step.rows->results_per_unit == 0) return false;
      }
    }
    for (size_t w : writers_[y]) {
      if (!SameRows(steps_[w].step().writes[0], s.step.writes[0])) return false;
    }
    if (!is_connected) return false;
    members_.push_back(index);
    if (members_.size() > 1 && Bytes() > max_bytes_) {
      members_.pop_back();
      return false;
    }
    writers_[y].push_back(index);
    images_ = rows->images;
    return true;
  }

 private:
  static bool SameRows(const Operand& a, const Operand& b) {
    return a.shape.n == b.shape.n && a.shape.h == b.shape.h && a.shape.w == b.shape.w && a.ld == b.ld;
  }

  // The weights, and of each result the rows that belong to one row of the tensor with the fewest rows, and two more
  // for windows.
  uint64_t Bytes() const {
    uint32_t fewest_units = UINT32_MAX;
    for (size_t m : members_) fewest_units = std::min(fewest_units, steps_[m].draft_step.rows->units);
    uint64_t bytes = 0;
    for (size_t m : members_) {
      const Operand& y = steps_[m].step().writes[0];
      bytes += steps_[m].weights_bytes;
      bytes += (DivideUp(y.shape.h, fewest_units) + 2) * y.shape.w * y.shape.c * ElementBytes(y.element);
    }
    return bytes;
  }

  const std::vector<Candidate>& steps_;
  const std::vector<int>& num_writers_;  // by buffer
  const uint64_t max_bytes_;
  std::vector<std::vector<size_t>> writers_;  // by buffer, the members that write it
  std::vector<size_t> members_;
  uint32_t images_ = 0;
};

struct BandAssignment {
  std::vector<size_t> order;      // of the steps; those of a band next to one another
  std::vector<uint32_t> band_of;  // by step as given; 0: none
};

BandAssignment AssignBands(const DraftSchedule& draft, uint64_t max_bytes) {
  const std::vector<DraftStep>& steps = draft.steps;
  std::vector<Candidate> candidates;
  candidates.reserve(steps.size());
  std::vector<int> num_writers(draft.buffers.size());
  for (const DraftStep& s : steps) {
    candidates.emplace_back(s);
    for (int b : s.write_buffers) {
      if (b >= 0) ++num_writers[b];
    }
  }
  BandAssignment bands;
  bands.band_of.resize(steps.size());
  uint32_t num_bands = 0;
  BandFormer band(candidates, num_writers, max_bytes);
  for (std::vector<size_t> left = LatestOrder(steps, draft.buffers.size()), later; !left.empty();
       left = std::move(later)) {
    later.clear();
    band.Clear();
    std::vector<bool> is_later(draft.buffers.size());  // buffers that steps after the band write
    for (size_t i : left) {
      const DraftStep& s = steps[i];
      const bool waits =
          std::any_of(s.read_buffers.begin(), s.read_buffers.end(), [&](int b) { return b >= 0 && is_later[b]; });
      if (!waits && band.Join(i)) continue;
      if (later.empty() && band.members().empty()) {
        // The first step cannot be in a band: it runs on its own, and the next one may begin a band.
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

// By buffer: the number of the band whose steps alone use it; kSeveral where other steps use it too.
constexpr uint32_t kUnused = UINT32_MAX, kSeveral = UINT32_MAX - 1;
std::vector<uint32_t> BandsUsingBuffers(const DraftSchedule& draft) {
  std::vector<uint32_t> used_by(draft.buffers.size(), kUnused);
  for (const DraftStep& s : draft.steps) {
    const uint32_t user = s.step.band == 0 ? kSeveral : s.step.band;
    ForEachOperand(
        s, [&](int b, const Operand&) { used_by[b] = used_by[b] == kUnused || used_by[b] == user ? user : kSeveral; });
  }
  return used_by;
}

// Numbers the values that bands make (Operand::band_value) and marks those that leave their band.
void NumberValues(DraftSchedule& draft) {
  const std::vector<uint32_t> used_by = BandsUsingBuffers(draft);
  // Buffers that the current band has written so far: an earlier read of one is of a slice that was there before.
  std::vector<bool> is_made(draft.buffers.size());
  uint32_t band = 0;
  for (DraftStep& s : draft.steps) {
    if (s.step.band != band) std::fill(is_made.begin(), is_made.end(), false);
    band = s.step.band;
    if (band == 0) continue;
    const auto number = [&](int b, Operand& operand) {
      if (b < 0 || !is_made[b]) return;
      operand.band_value = static_cast<uint32_t>(b) + 1;
      operand.leaves_band = used_by[b] == kSeveral || draft.buffers[b].space != Space::kArena;
    };
    for (size_t k = 0; k < s.read_buffers.size(); ++k) number(s.read_buffers[k], s.step.reads[k]);
    is_made[s.write_buffers[0]] = true;
    for (size_t k = 0; k < s.write_buffers.size(); ++k) number(s.write_buffers[k], s.step.writes[k]);
  }
}

}  // namespace

void FormBands(DraftSchedule& draft, uint64_t max_bytes) {
  const BandAssignment bands = AssignBands(draft, max_bytes);
  std::vector<DraftStep> sorted;
  sorted.reserve(draft.steps.size());
  for (size_t i : bands.order) {
    DraftStep& s = sorted.emplace_back(std::move(draft.steps[i]));
    s.step.level = static_cast<uint32_t>(sorted.size()) - 1;
    s.step.band = bands.band_of[i];
  }
  draft.steps = std::move(sorted);
  NumberValues(draft);
}

}  // namespace inkread
