// Runs the steps of a band (schedule/step.h) a few rows of each at a time. The results of one step stay in the
// second-level cache until the next step has read them, and those that only the band needs never go to memory. The rows
// are the same, and computed the same way, as when each step runs on its own.
//
// The rows of an image are cut into chunks, which threads share out. At the edges of a chunk rows may be computed
// twice.
#ifndef INKREAD_BACKENDS_CPU_BAND_RUNNER_H_
#define INKREAD_BACKENDS_CPU_BAND_RUNNER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/kernels.h"
#include "schedule/rows.h"
#include "schedule/schedule.h"

namespace inkread::cpu {

class BandRunner {
 public:
  // kernels     must outlive the runner
  // first       the band's first step
  // rows_bytes  about what the rows in use take; at least one row of the lowest tensor, and what belongs to it, are in
  //             use
  // num_threads  that may share a run
  BandRunner(const Schedule& schedule, const KernelTable& kernels, size_t first, uint64_t rows_bytes,
             const Context& context, int num_threads);

  size_t num_steps() const { return members_.size(); }
  // Whether all steps have kernels that run rows, and few enough rows would be computed twice. With many threads these
  // cost more than the band saves.
  bool pays() const { return pays_; }
  // Scratch that each thread needs.
  size_t scratch_floats() const { return rows_floats_ + kernel_floats_; }

  // Runs all steps. This thread has reserved scratch_floats() (parallel.h). If step_ms is not empty, the milliseconds
  // of each step are added to its entry: [num_steps()].
  void Run(const HostBlocks& blocks, const Context& context, std::span<double> step_ms) const;

 private:
  // A tensor whose rows are read within the band. A thread keeps the rows that are still needed.
  struct Value {
    uint32_t id;                        // Operand::band_value
    uint64_t begin_bytes = UINT64_MAX;  // offset of the whole tensor in the arena
    uint64_t row_bytes = 0;
    // Rows are written to the tensor's final location, since steps outside the band read it too. Chunks write disjoint
    // rows.
    bool is_whole = false;
    uint64_t scratch_bytes = 0;                                               // offset of its rows in scratch
    std::vector<size_t> writers = {}, x_readers = {}, residual_readers = {};  // members
  };
  struct Member {
    const Step* step;
    const Kernel* kernel;
    RowRule rule;
    int x = -1, residual = -1, y = -1;  // values; -1: the whole tensor is in memory
    bool has_own_rows = true;           // results are used elsewhere than by members that read them
  };
  // How far each member has got in a chunk, and which row of each value is the first in scratch.
  struct Progress {
    std::vector<uint32_t> first, done, next;  // units, by member
    std::vector<uint32_t> base;               // by value
  };

  int FindValue(uint32_t id) const;  // -1: none
  void AddValue(const Operand& operand, int Member::*slot, size_t member, std::vector<size_t> Value::*list);
  void StartChunk(uint32_t begin, Progress& progress) const;
  void AimAt(uint32_t grid, Progress& progress) const;
  // The first row of a value that is still needed, or still to be computed.
  uint32_t KeptFrom(const Value& value, const Progress& progress) const;
  uint32_t MadeUpTo(const Value& value, const std::vector<uint32_t>& units) const;
  uint32_t OwnUnits(const Member& m, uint32_t grid) const;
  uint32_t ChunkBegin(uint32_t chunk) const;  // of the grid
  // Goes through a chunk a few rows at a time, and calls pass() with `done` and `next` set in progress.
  template <typename Pass>
  void WalkChunk(uint32_t chunk, Progress& progress, const Pass& pass) const;
  void PlanScratch(uint64_t rows_bytes);
  // `scratch` is this thread's.
  void RunChunk(const HostBlocks& blocks, const Context& context, uint32_t image, uint32_t chunk, float* scratch,
                std::span<double> step_ms) const;
  HostOperands OperandsOf(const Member& m, const HostBlocks& blocks, uint32_t image, const Progress& progress,
                          std::byte* scratch) const;
  void RunUnits(size_t member, const HostBlocks& blocks, const Context& context, uint32_t image, uint32_t chunk,
                const Progress& progress, std::byte* scratch) const;
  // Rows [first, last) of the results to the whole tensor, which begins at `to`.
  void CopyRows(const Step& step, const std::byte* from, std::byte* to, uint32_t first, uint32_t last) const;

  uint32_t images_ = 1;
  uint32_t grid_ = 0;    // rows of the lowest tensor, in which progress is counted
  uint32_t chunks_ = 1;  // of an image
  uint32_t rows_at_a_time_ = 1;
  bool pays_ = true;
  // Of a thread's scratch: the rows of values, then what its kernels need.
  size_t rows_floats_ = 0, kernel_floats_ = 0;
  std::vector<Member> members_;
  std::vector<Value> values_;
};

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_BAND_RUNNER_H_
