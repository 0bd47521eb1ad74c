// ctc_head in bf16. The products are cheap, so logits are not kept: one pass over the weights finds the class of each
// row, and a second one, over the rows that are not blank, sums their exponentials.
#include <algorithm>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/ctc_head_bf16.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/bf16_kernels.h"
#include "backends/cpu/bf16_unit.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// The classes are cut into groups whose weights stay in the second-level cache. What a group finds does not depend on
// the others, and groups are joined in order, so a row's result does not depend on which thread does which group.
inline constexpr size_t kGroupPanels = 16;
inline constexpr size_t kPanelVectors = kBf16Panel / kLanes;

struct GroupBest {
  float logit;
  int32_t label;
};

// What both passes work on.
struct CtcProblem {
  const uint16_t* x;  // [rows, channels], with room behind
  size_t rows, channels;
  const uint16_t* w;
  const float* bias;
  size_t classes;
};

// body(first_row, num_rows, first class, sums) for each tile of the group's logits, without their bias.
template <typename Body>
HWY_INLINE void ForEachLogitTile(const CtcProblem& c, const Bf16Unit& unit, size_t group, const Body& body) {
  HWY_ALIGN float sums[kBf16MaxRows * kBf16Panel];
  Bf16Tile tile;
  tile.x_row = c.channels;
  tile.num_runs = 1;
  tile.run_stride = 0;
  tile.num_pairs = c.channels / 2;
  tile.num_chunks = DivideUp(tile.num_pairs, kBf16Chunk / 2);
  tile.sums = sums;
  const size_t panels = std::min(DivideUp(c.classes, kBf16Panel), (group + 1) * kGroupPanels);
  unit.begin();
  for (size_t row = 0; row < c.rows; row += unit.tile_rows) {
    tile.x = c.x + row * c.channels;
    tile.rows = std::min<size_t>(unit.tile_rows, c.rows - row);
    for (size_t panel = group * kGroupPanels; panel < panels; ++panel) {
      tile.w = c.w + panel * kBf16Panel * tile.num_chunks * kBf16Chunk;
      tile.columns = std::min(kBf16Panel, c.classes - panel * kBf16Panel);
      unit.multiply(tile);
      body(row, tile.rows, panel * kBf16Panel, sums);
    }
  }
  unit.end();
}

// The biases of the classes from `first` on; those that are not there can neither win nor count.
HWY_INLINE V BiasOf(const CtcProblem& c, size_t first) {
  const V lowest = hn::Set(kD, -std::numeric_limits<float>::infinity());
  if (first >= c.classes) return lowest;
  const size_t part = c.classes - first;
  const V bias = LoadPart(c.bias + first, part);
  return part >= kLanes ? bias : hn::IfThenElse(hn::FirstN(kD, part), bias, lowest);
}

// The first of the group's largest logits for each row. The group of the last class also writes that one's logits.
void FindGroupBest(const CtcProblem& c, const Bf16Unit& unit, size_t group, GroupBest* results, float* last) {
  HWY_ALIGN float best[kBf16MaxRows * kLanes], where[kBf16MaxRows * kLanes];
  const size_t first_class = group * kGroupPanels * kBf16Panel;
  const size_t last_panel = std::min(c.classes - 1, first_class + kGroupPanels * kBf16Panel - 1) / kBf16Panel;
  ForEachLogitTile(c, unit, group, [&](size_t row, size_t count, size_t first, const float* sums) HWY_ATTR {
    if (first == first_class) {
      std::fill_n(best, count * kLanes, -std::numeric_limits<float>::infinity());
      std::fill_n(where, count * kLanes, 0.0f);
    }
    for (size_t v = 0; v < kPanelVectors; ++v) {
      const V bias = BiasOf(c, first + v * kLanes);
      const V number = hn::Set(kD, static_cast<float>((first - first_class) / kLanes + v));
      for (size_t r = 0; r < count; ++r) {
        const V logit = hn::Add(hn::Load(kD, sums + r * kBf16Panel + v * kLanes), bias);
        const V before = hn::Load(kD, best + r * kLanes);
        const auto is_new = hn::Gt(logit, before);
        hn::Store(hn::IfThenElse(is_new, logit, before), kD, best + r * kLanes);
        hn::Store(hn::IfThenElse(is_new, number, hn::Load(kD, where + r * kLanes)), kD, where + r * kLanes);
      }
    }
    if (first / kBf16Panel != last_panel) return;
    if (const size_t column = c.classes - 1 - first; column < kBf16Panel) {
      for (size_t r = 0; r < count; ++r) last[row + r] = sums[r * kBf16Panel + column] + c.bias[c.classes - 1];
    }
    for (size_t r = 0; r < count; ++r) {
      GroupBest found{best[r * kLanes], std::numeric_limits<int32_t>::max()};
      for (size_t i = 1; i < kLanes; ++i) found.logit = std::max(found.logit, best[r * kLanes + i]);
      for (size_t i = 0; i < kLanes; ++i) {
        if (best[r * kLanes + i] != found.logit) continue;
        const size_t label = first_class + static_cast<size_t>(where[r * kLanes + i]) * kLanes + i;
        found.label = std::min(found.label, static_cast<int32_t>(label));
      }
      results[row + r] = found;
    }
  });
}

// The group's sum of exp(logit - shift) for each row.
void SumGroup(const CtcProblem& c, const Bf16Unit& unit, size_t group, const float* shifts, float* results) {
  HWY_ALIGN float total[kBf16MaxRows * kLanes];
  const size_t first_class = group * kGroupPanels * kBf16Panel;
  const size_t last_panel = std::min(c.classes - 1, first_class + kGroupPanels * kBf16Panel - 1) / kBf16Panel;
  ForEachLogitTile(c, unit, group, [&](size_t row, size_t count, size_t first, const float* sums) HWY_ATTR {
    if (first == first_class) std::fill_n(total, count * kLanes, 0.0f);
    for (size_t v = 0; v < kPanelVectors; ++v) {
      const V bias = BiasOf(c, first + v * kLanes);
      for (size_t r = 0; r < count; ++r) {
        const V logit = hn::Add(hn::Load(kD, sums + r * kBf16Panel + v * kLanes), bias);
        const V e = Exp(hn::Sub(logit, hn::Set(kD, shifts[row + r])));
        hn::Store(hn::Add(hn::Load(kD, total + r * kLanes), e), kD, total + r * kLanes);
      }
    }
    if (first / kBf16Panel != last_panel) return;
    for (size_t r = 0; r < count; ++r) {
      results[row + r] = hn::GetLane(hn::SumOfLanes(kD, hn::Load(kD, total + r * kLanes)));
    }
  });
}

// The run's scratch: x, what each group finds for each row, and the largest and the last logit of each row.
struct CtcScratch {
  explicit CtcScratch(const CtcHeadParams& p)
      : channels(RoundUp(p.ic, 2)), groups(DivideUp(DivideUp(p.classes, kBf16Panel), kGroupPanels)) {
    x_floats = RoundUp(((p.rows + kBf16MaxRows) * channels + kBf16Chunk) / 2, 16);
    found_floats = groups * p.rows * (sizeof(GroupBest) / sizeof(float));
    num_floats = x_floats + found_floats + size_t{2} * p.rows;
  }
  size_t channels, groups, x_floats, found_floats, num_floats;
};

size_t CtcHeadBf16Scratch(const CtcHeadParams& p) { return CtcScratch(p).num_floats; }

void CtcHeadBf16Step(const CtcHeadParams& p, const HostOperands& o, const Bf16Unit& unit, ThreadPool& pool,
                     float* run_scratch) {
  if (p.rows == 0 || p.classes == 0) return;
  const CtcScratch scratch(p);
  const size_t rows = p.rows, channels = scratch.channels, groups = scratch.groups;
  uint16_t* x = reinterpret_cast<uint16_t*>(run_scratch);
  GroupBest* found = reinterpret_cast<GroupBest*>(run_scratch + scratch.x_floats);
  float* largest = run_scratch + scratch.x_floats + scratch.found_floats;
  float* last = largest + rows;
  float* y = Values<float>(o.writes[0]);
  CopyPixels(Values<uint16_t>(o.reads[0]), p.x_ld, p.ic, rows, x);
  std::memset(x + rows * channels, 0, kBf16Chunk * sizeof(uint16_t));

  CtcProblem problem{x, rows, channels, Values<uint16_t>(o.weights[0]), Values<float>(o.weights[1]), p.classes};
  ParallelFor(pool, groups, [&](size_t group) { FindGroupBest(problem, unit, group, found + group * rows, last); });

  // The rows that are not blank move together.
  size_t num_rows = 0;
  for (size_t row = 0; row < rows; ++row) {
    GroupBest best{-std::numeric_limits<float>::infinity(), 0};
    for (size_t group = 0; group < groups; ++group) {
      const GroupBest& other = found[group * rows + row];
      if (other.logit > best.logit) best = other;
    }
    std::memcpy(y + row * 3, &best.label, sizeof(best.label));
    y[row * 3 + 1] = 0;
    y[row * 3 + 2] = hn::GetLane(Exp(hn::Set(kD, last[row] - best.logit)));
    if (best.label == 0) continue;
    std::memmove(x + num_rows * channels, x + row * channels, channels * sizeof(uint16_t));
    largest[num_rows++] = best.logit;
  }
  if (num_rows == 0) return;

  float* sums = reinterpret_cast<float*>(found);
  problem.rows = num_rows;
  ParallelFor(pool, groups, [&](size_t group) { SumGroup(problem, unit, group, largest, sums + group * num_rows); });
  for (size_t row = 0, i = 0; row < rows; ++row) {
    int32_t label;
    std::memcpy(&label, y + row * 3, sizeof(label));
    if (label == 0) continue;
    float sum = 0;
    for (size_t group = 0; group < groups; ++group) sum += sums[group * num_rows + i];
    y[row * 3 + 1] = 1.0f / sum;
    ++i;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

HWY_EXPORT(CtcHeadBf16Step);
void RunBf16Step(const CtcHeadParams& p, const EpilogueParams&, const HostOperands& o, const Context& context) {
  HWY_DISPATCH_TABLE(CtcHeadBf16Step)
  [context.target](p, o, *context.bf16, *context.pool, context.run_scratch);
}

HWY_EXPORT(CtcHeadBf16Scratch);
ScratchFloats Bf16ScratchOf(const CtcHeadParams& p, const Context& context) {
  return {.run = HWY_DISPATCH_TABLE(CtcHeadBf16Scratch)[context.target](p)};
}

}  // namespace inkread::cpu
#endif
