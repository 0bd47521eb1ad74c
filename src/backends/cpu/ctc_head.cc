// ctc_head: a group of classes at a time, so that weights are read once and the logits of a group stay in the
// second-level cache. The best class and the sum of exponentials of each row and group are kept; then the groups of
// each row are joined in order.
#include <algorithm>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/ctc_head.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/bf16_kernels.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/matrix_tile-inl.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

inline constexpr size_t kGroup = kPanel * HWY_MAX(512 / kPanel, 1);  // classes

// What is kept of rows and groups: three arrays of `ld` values a row, of which the first num_groups are used, and one
// value a row.
struct Kept {
  size_t num_groups, ld;
  float* largest;  // logit
  float* sum;      // of exp(logit - largest)
  int32_t* best;   // first class of the largest logit
  float* last;     // logit of the last class

  static size_t NumFloats(size_t rows, size_t num_groups) { return rows * (3 * RoundUp(num_groups, kLanes) + 1); }
};

// The first place of a value; 0 where it is nowhere, since all are NaN.
HWY_NOINLINE size_t FirstOf(const float* x, size_t count, float value) {
  const V wanted = hn::Set(kD, value);
  for (size_t c = 0; c < count; c += kLanes) {
    const auto found = hn::FindFirstTrue(kD, hn::Eq(LoadPart(x + c, count - c), wanted));
    if (found >= 0 && c + static_cast<size_t>(found) < count) return c + static_cast<size_t>(found);
  }
  return 0;
}

HWY_NOINLINE float SumOfExponentials(const float* x, size_t count, float shift) {
  const V s = hn::Set(kD, shift);
  V sum0 = hn::Zero(kD), sum1 = sum0;
  size_t c = 0;
  for (; c + 2 * kLanes <= count; c += 2 * kLanes) {
    sum0 = hn::Add(sum0, Exp(hn::Sub(hn::LoadU(kD, x + c), s)));
    sum1 = hn::Add(sum1, Exp(hn::Sub(hn::LoadU(kD, x + c + kLanes), s)));
  }
  for (; c < count; c += kLanes) {
    V e = Exp(hn::Sub(LoadPart(x + c, count - c), s));
    if (count - c < kLanes) e = hn::IfThenElseZero(hn::FirstN(kD, count - c), e);
    sum0 = hn::Add(sum0, e);
  }
  return hn::GetLane(hn::SumOfLanes(kD, hn::Add(sum0, sum1)));
}

// Rows [begin, end) times the classes of one group.
HWY_NOINLINE void RunGroup(const CtcHeadParams& p, const HostOperands& o, size_t group, size_t begin, size_t end,
                           const Kept& kept, float* logits) {
  const size_t first = group * kGroup, count = std::min<size_t>(kGroup, p.classes - first);
  for (size_t column = 0; column < count; column += kPanel) {
    ForEachTile(begin, end, [&](size_t row, size_t num_rows) HWY_ATTR {
      MatrixTile tile;
      tile.x = Values<float>(o.reads[0]) + row * p.x_ld;
      tile.x_row = p.x_ld;
      tile.num_outer = tile.num_inner = 1;
      tile.outer_stride = tile.inner_stride = 0;
      tile.run_length = p.ic;
      tile.w = Values<float>(o.weights[0]) + (first + column) * p.ic;
      // The panels are read once from afar: each tile brings a part of the next panel.
      const size_t done = (row - begin) * p.ic;
      tile.prefetch = tile.w + kPanel * p.ic + std::min(done / kTileRows * 16, kPanel * p.ic);
      tile.prefetch_stride = 0;
      TileResult result{};
      result.y = logits + (row - begin) * kGroup + column;
      result.y_ld = kGroup;
      result.columns = kPanel;
      result.bias = Values<float>(o.weights[1]) + first + column;
      RunMatrixTile(tile, num_rows, result);
    });
  }
  for (size_t row = begin; row < end; ++row) {
    const float* l = logits + (row - begin) * kGroup;
    const float largest = Largest(l, count);
    const size_t at = row * kept.ld + group;
    kept.largest[at] = largest;
    kept.best[at] = static_cast<int32_t>(first + FirstOf(l, count, largest));
    kept.sum[at] = SumOfExponentials(l, count, largest);
    if (first + count == p.classes) kept.last[row] = l[count - 1];
  }
}

// Writes the results of one row.
HWY_NOINLINE void JoinGroups(const Kept& kept, size_t row, float* y) {
  const float* groups_largest = kept.largest + row * kept.ld;
  const float largest = Largest(groups_largest, kept.num_groups);
  const int32_t best = kept.best[row * kept.ld + FirstOf(groups_largest, kept.num_groups, largest)];
  std::memcpy(y, &best, sizeof(best));
  V sum = hn::Zero(kD);
  for (size_t g = 0; best != 0 && g < kept.num_groups; g += kLanes) {
    const size_t part = kept.num_groups - g;
    const V factor = Exp(hn::Sub(LoadPart(groups_largest + g, part), hn::Set(kD, largest)));
    sum = hn::MulAdd(LoadPart(kept.sum + row * kept.ld + g, part), factor, sum);  // 0 behind the last group
  }
  y[1] = best == 0 ? 0.0f : 1.0f / hn::GetLane(hn::SumOfLanes(kD, sum));
  y[2] = hn::GetLane(Exp(hn::Set(kD, kept.last[row] - largest)));
}

// The logits of a block of rows are half a megabyte at most.
inline constexpr size_t kBlockRows = 256;

// For the run what is kept of rows and groups, for a thread the logits of a block and group.
ScratchFloats CtcHeadScratch(const CtcHeadParams& p) {
  return {Kept::NumFloats(p.rows, DivideUp(p.classes, kGroup)), std::min<size_t>(p.rows, kBlockRows) * kGroup};
}

void CtcHeadStep(const CtcHeadParams& p, const HostOperands& o, ThreadPool& pool, float* run_scratch) {
  if (p.rows == 0 || p.classes == 0) return;
  Kept kept;
  kept.num_groups = DivideUp(p.classes, kGroup);
  kept.ld = RoundUp(kept.num_groups, kLanes);
  kept.largest = run_scratch;
  kept.sum = kept.largest + p.rows * kept.ld;
  kept.best = reinterpret_cast<int32_t*>(kept.sum + p.rows * kept.ld);
  kept.last = kept.sum + 2 * p.rows * kept.ld;
  // More blocks than kBlockRows asks for only if there are too few groups for the threads.
  const size_t threads = ThreadsFor(pool, size_t{p.rows} * p.ic * p.classes);
  const size_t tasks_wanted = threads == 1 ? 1 : 4 * threads;
  const size_t max_blocks = DivideUp(p.rows, 2 * kTileRows);
  const size_t blocks =
      std::max<size_t>(DivideUp(p.rows, kBlockRows), std::min(max_blocks, DivideUp(tasks_wanted, kept.num_groups)));
  ParallelFor(pool, kept.num_groups * blocks, CtcHeadScratch(p).thread, [&](size_t i, float* logits) {
    const size_t block = i % blocks;
    RunGroup(p, o, i / blocks, p.rows * block / blocks, p.rows * (block + 1) / blocks, kept, logits);
  });
  for (size_t row = 0; row < p.rows; ++row) JoinGroups(kept, row, Values<float>(o.writes[0]) + row * 3);
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

HWY_EXPORT(CtcHeadStep);
void RunStep(const CtcHeadParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context) {
  if (p.weights_form == INKREAD_WEIGHTS_BF16) return RunBf16Step(p, epilogue, o, context);
  HWY_DISPATCH_TABLE(CtcHeadStep)[context.target](p, o, *context.pool, context.run_scratch);
}

HWY_EXPORT(CtcHeadScratch);
ScratchFloats ScratchOf(const CtcHeadParams& p, const Step&, const Context& context) {
  if (p.weights_form == INKREAD_WEIGHTS_BF16) return Bf16ScratchOf(p, context);
  return HWY_DISPATCH_TABLE(CtcHeadScratch)[context.target](p);
}

}  // namespace inkread::cpu
#endif
