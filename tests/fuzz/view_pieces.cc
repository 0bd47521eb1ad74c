#include <algorithm>
#include <utility>

#include "tests/fuzz/graph_maker.h"

namespace inkread {

void GraphMaker::View(ValueId x) {
  static constexpr PieceFunction kViews[] = {&GraphMaker::Transpose,  &GraphMaker::MergeAxes, &GraphMaker::CutAxis,
                                             &GraphMaker::InsertAxis, &GraphMaker::DropAxis,  &GraphMaker::Slice,
                                             &GraphMaker::TakeElement};
  (this->*kViews[choose_.Below(std::size(kViews))])(x);
}

void GraphMaker::Transpose(ValueId x) {
  const Dims d = D(x);
  const int64_t rank = static_cast<int64_t>(d.size());
  std::vector<int64_t> perm(rank);
  for (int64_t i = 0; i < rank; ++i) perm[i] = i;
  for (int64_t i = rank - 1; i > 0; --i) std::swap(perm[i], perm[choose_.Below(static_cast<int>(i + 1))]);
  if (choose_.Chance(10)) {
    Add(OpType::kTranspose, {x}, {d.rbegin(), d.rend()}, PermAttrs{});
    return;
  }
  Dims out;
  for (int64_t axis : perm) out.push_back(d[axis]);
  Add(OpType::kTranspose, {x}, out, PermAttrs{perm});
}

// [n, c, h, w] to [n, c, h * w] and the like.
void GraphMaker::MergeAxes(ValueId x) {
  const Dims d = D(x);
  const int64_t rank = static_cast<int64_t>(d.size());
  if (rank < 3) return;
  const int64_t at = choose_.Below(static_cast<int>(rank - 1));
  Dims out, target;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == at + 1) continue;
    out.push_back(i == at ? d[i] * d[i + 1] : d[i]);
    target.push_back(i == at ? -1 : i < at ? 0 : d[i]);
  }
  Add(OpType::kReshape, {x, b_.Ints(target)}, out);
}

// One axis cut in two.
void GraphMaker::CutAxis(ValueId x) {
  const Dims d = D(x);
  const int64_t rank = static_cast<int64_t>(d.size());
  const int64_t at = choose_.Below(static_cast<int>(rank));
  const int64_t part = choose_.OneOf({1, 2, 3});
  if (d[at] % part != 0 || rank > 5) return;
  Dims out, target;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == at) {
      out.push_back(d[i] / part);
      target.push_back(-1);
      out.push_back(part);
      target.push_back(part);
    } else {
      out.push_back(d[i]);
      target.push_back(i < at ? 0 : d[i]);
    }
  }
  Add(OpType::kReshape, {x, b_.Ints(target)}, out);
}

void GraphMaker::InsertAxis(ValueId x) {
  const Dims d = D(x);
  const int64_t rank = static_cast<int64_t>(d.size());
  const int64_t at = choose_.Below(static_cast<int>(rank + 1));
  if (rank > 5) return;
  Dims out = d;
  out.insert(out.begin() + at, 1);
  Add(OpType::kUnsqueeze, {x}, out, AxesAttrs{{at}, true, false});
}

void GraphMaker::DropAxis(ValueId x) {
  const Dims d = D(x);
  const int64_t rank = static_cast<int64_t>(d.size());
  for (int64_t at = 0; at < rank; ++at) {
    if (d[at] != 1 || choose_.Chance(40)) continue;
    Dims out = d;
    out.erase(out.begin() + at);
    Add(OpType::kSqueeze, {x}, out, AxesAttrs{{choose_.Chance(50) ? at : at - rank}, true, false});
    return;
  }
}

void GraphMaker::Slice(ValueId x) {
  const Dims d = D(x);
  const int64_t rank = static_cast<int64_t>(d.size());
  const int64_t axis = choose_.Below(static_cast<int>(rank));
  const int64_t start = choose_.Below(static_cast<int>(std::min<int64_t>(d[axis], 200)));
  const int64_t end = start + 1 + choose_.Below(static_cast<int>(std::min<int64_t>(d[axis] - start, 200)));
  Dims out = d;
  out[axis] = end - start;
  const bool backwards = choose_.Chance(30);
  std::vector<ValueId> inputs = {x, b_.Ints({backwards ? start - d[axis] : start}),
                                 b_.Ints({end == d[axis] ? INT64_MAX : end}), b_.Ints({axis})};
  if (choose_.Chance(30)) inputs.push_back(b_.Ints({1}));
  if (axis == 0 && choose_.Chance(50)) inputs = {x, b_.Ints({start}), b_.Ints({end}), kNoValue, b_.Ints({1})};
  Add(OpType::kSlice, inputs, out);
}

void GraphMaker::TakeElement(ValueId x) {
  const Dims d = D(x);
  const int64_t rank = static_cast<int64_t>(d.size());
  const int64_t axis = choose_.Below(static_cast<int>(rank));
  const int64_t at = choose_.Below(static_cast<int>(std::min<int64_t>(d[axis], 200)));
  Dims out = d;
  out.erase(out.begin() + axis);
  const int64_t written = choose_.Chance(30) ? at - d[axis] : at;
  if (out.size() < 2) return;
  Add(OpType::kGather, {x, b_.Constant(Tensor::FromInts({}, {written}))}, out,
      AxesAttrs{{choose_.Chance(50) ? axis : axis - rank}, true, false});
}

}  // namespace inkread
