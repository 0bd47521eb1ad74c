// ctc_head: blocks of rows times all classes into this thread's scratch, where argmax and probability are taken.
#include <algorithm>
#include <cstring>
#include <limits>

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

// The first class of the largest logit.
HWY_NOINLINE size_t Argmax(const float* logits, size_t count) {
  const V lowest = hn::Set(kD, -std::numeric_limits<float>::infinity());
  V largest = lowest;
  for (size_t c = 0; c < count; c += kLanes) {
    V v = LoadPart(logits + c, count - c);
    if (count - c < kLanes) v = hn::IfThenElse(hn::FirstN(kD, count - c), v, lowest);
    largest = hn::Max(largest, v);
  }
  largest = hn::Set(kD, hn::GetLane(hn::MaxOfLanes(kD, largest)));
  for (size_t c = 0; c < count; c += kLanes) {
    const auto found = hn::FindFirstTrue(kD, hn::Eq(LoadPart(logits + c, count - c), largest));
    if (found >= 0 && c + static_cast<size_t>(found) < count) return c + static_cast<size_t>(found);
  }
  return 0;  // only NaNs
}

// 1 / sum of exp(logit - logits[best]).
HWY_NOINLINE float Probability(const float* logits, size_t count, size_t best) {
  const V shift = hn::Set(kD, logits[best]);
  V sum0 = hn::Zero(kD), sum1 = hn::Zero(kD);
  size_t c = 0;
  for (; c + 2 * kLanes <= count; c += 2 * kLanes) {
    sum0 = hn::Add(sum0, Exp(hn::Sub(hn::LoadU(kD, logits + c), shift)));
    sum1 = hn::Add(sum1, Exp(hn::Sub(hn::LoadU(kD, logits + c + kLanes), shift)));
  }
  for (; c < count; c += kLanes) {
    V e = Exp(hn::Sub(LoadPart(logits + c, count - c), shift));
    if (count - c < kLanes) e = hn::IfThenElseZero(hn::FirstN(kD, count - c), e);
    sum0 = hn::Add(sum0, e);
  }
  return 1.0f / hn::GetLane(hn::SumOfLanes(kD, hn::Add(sum0, sum1)));
}

HWY_NOINLINE void CtcRows(const CtcHeadParams& p, const HostOperands& o, size_t begin, size_t end) {
  const size_t padded = RoundUp(p.classes, kPanel);
  float* logits = ThreadScratch((end - begin) * padded);
  for (size_t column = 0; column < padded; column += kPanel) {
    ForEachTile(begin, end, [&](size_t row, size_t count) HWY_ATTR {
      MatrixTile tile;
      tile.x = o.reads[0] + row * p.x_ld;
      tile.x_row = p.x_ld;
      tile.num_outer = tile.num_inner = 1;
      tile.outer_stride = tile.inner_stride = 0;
      tile.run_length = p.ic;
      tile.w = o.weights[0] + column * p.ic;
      // The panels are read once from afar: each tile brings a part of the next panel.
      const size_t done = (row - begin) * p.ic;
      tile.prefetch = tile.w + kPanel * p.ic + std::min(done / kTileRows * 16, kPanel * p.ic);
      tile.prefetch_stride = 0;
      TileResult result{};
      result.y = logits + (row - begin) * padded + column;
      result.y_ld = padded;
      result.columns = kPanel;
      result.bias = o.weights[1] + column;
      RunMatrixTile(tile, count, result);
    });
  }
  for (size_t row = begin; row < end; ++row) {
    const float* l = logits + (row - begin) * padded;
    const size_t best = Argmax(l, p.classes);
    const int32_t label = static_cast<int32_t>(best);
    std::memcpy(o.writes[0] + row * 2, &label, sizeof(label));
    o.writes[0][row * 2 + 1] = best == 0 ? 0.0f : Probability(l, p.classes, best);
  }
}

void CtcHeadStep(const CtcHeadParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  if (p.rows == 0 || p.classes == 0) return;
  // A block's logits should stay in a near cache, yet blocks be few, for each reads all weights; a block has at least a
  // tile of rows, where there are as many.
  constexpr size_t kScratchBytes = 4 << 20;
  const size_t row_bytes = RoundUp(p.classes, kPanel) * sizeof(float);
  const size_t block = std::max<size_t>(kScratchBytes / row_bytes / kTileRows, 1) * kTileRows;
  const size_t threads = static_cast<size_t>(pool.num_threads());
  const size_t blocks = std::min<size_t>(p.rows, RoundUp(DivideUp(p.rows, block), threads));
  ParallelFor(pool, blocks, [&](size_t i) { CtcRows(p, o, p.rows * i / blocks, p.rows * (i + 1) / blocks); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

HWY_EXPORT(CtcHeadStep);
void RunStep(const CtcHeadParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context) {
  if (p.weights_form == INKREAD_WEIGHTS_BF16) return RunBf16Step(p, epilogue, o, context);
  HWY_DISPATCH_TABLE(CtcHeadStep)[context.target](p, epilogue, o, *context.pool);
}

}  // namespace inkread::cpu
#endif
