// Runs the steps of a band (schedule/step.h) a few rows of each at a time: what one step makes stays in the
// second-level cache until the next has read it, and what no other step needs never goes to memory. The rows are the
// same, and are computed the same way, as when each step runs on its own.
#ifndef INKREAD_BACKENDS_CPU_BANDS_H_
#define INKREAD_BACKENDS_CPU_BANDS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/kernels.h"
#include "schedule/rows.h"
#include "schedule/schedule.h"

namespace inkread::cpu {

class Band {
 public:
  // The steps from `first` on with that step's band, for a pool of num_threads. The rows in use take about rows_bytes,
  // or one row of the lowest tensor and what belongs to it.
  Band(const Schedule& schedule, size_t first, uint64_t rows_bytes, int num_threads);

  size_t num_steps() const { return members_.size(); }
  // Whether running by rows pays: with many threads the rows that neighbours both make would cost too much.
  bool pays() const { return pays_; }

  // Runs all steps. Where step_ms is not empty each step's milliseconds are added to its entry, [num_steps()].
  void Run(const HostBlocks& blocks, const Context& context, std::span<double> step_ms) const;

 private:
  // A tensor whose rows are read within the band: a thread keeps those that are still needed.
  struct Value {
    uint32_t id;                        // Operand::band_value
    uint64_t begin_bytes = UINT64_MAX;  // where the whole tensor would lie
    uint64_t row_bytes = 0;
    // The rows lie where the whole tensor does: it is wanted outside too, and no chunk makes rows that are another's.
    bool is_whole = false;
    uint64_t scratch_bytes = 0;                                               // where its rows lie in scratch
    std::vector<size_t> writers = {}, x_readers = {}, residual_readers = {};  // members
  };
  struct Member {
    const Step* step;
    RowRule rule;
    int x = -1, residual = -1, y = -1;  // values; -1: the tensor lies whole in memory
    bool has_own_rows = true;           // what it makes is wanted beside its readers in the band
  };
  // How far each member has got in a chunk, and which row of each value comes first in scratch.
  struct Progress {
    std::vector<uint32_t> first, done, next;  // units, by member
    std::vector<uint32_t> base;               // by value
  };

  int FindValue(uint32_t id) const;  // -1: none
  void AddValue(const Operand& operand, int Member::*slot, size_t member, std::vector<size_t> Value::*list);
  void StartChunk(uint32_t begin, Progress& progress) const;
  void AimAt(uint32_t grid, Progress& progress) const;
  // The first row of a value that is still needed, or still to be made.
  uint32_t KeptFrom(const Value& value, const Progress& progress) const;
  uint32_t MadeUpTo(const Value& value, const std::vector<uint32_t>& units) const;
  uint32_t OwnUnits(const Member& m, uint32_t grid) const;
  uint32_t ChunkBegin(uint32_t chunk) const;  // of the grid
  // Through a chunk a few rows at a time: pass() finds `done` and `next` in progress.
  template <typename Pass>
  void WalkChunk(uint32_t chunk, Progress& progress, const Pass& pass) const;
  void PlanScratch(uint64_t rows_bytes);
  void RunChunk(const HostBlocks& blocks, const Context& context, uint32_t image, uint32_t chunk,
                std::span<double> step_ms) const;
  void RunUnits(size_t member, const HostBlocks& blocks, const Context& context, uint32_t image, uint32_t chunk,
                const Progress& progress, std::byte* scratch) const;

  uint32_t images_ = 1;
  uint32_t grid_ = 0;    // rows of the lowest tensor: progress is counted in them
  uint32_t chunks_ = 1;  // of an image, shared out to threads
  uint32_t rows_at_a_time_ = 1;
  bool pays_ = true;
  uint64_t scratch_bytes_ = 0;
  std::vector<Member> members_;
  std::vector<Value> values_;
};

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_BANDS_H_
