#include "tests/fuzz/random_graph.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "graph/passes.h"
#include "graph/shapes.h"
#include "tests/fuzz/graph_maker.h"

namespace inkread {

RandomGraph GraphMaker::Make() {
  const Dims dims = {choose_.Between(1, 3), choose_.Between(1, 9), choose_.Between(1, 13), choose_.Between(1, 13)};
  Dims declared = dims;
  const bool is_free = choose_.Chance(60);
  if (is_free) declared[0] = declared[2] = declared[3] = -1;
  input_ = b_.Input(declared);
  dims_[input_] = dims;
  dims_list_.push_back(input_);
  const int num_pieces = choose_.Between(1, 10);
  for (int i = 0; i < num_pieces; ++i) Piece();
  if (choose_.Chance(15)) CtcTail();
  ValueId output = choose_.Chance(90) ? dims_list_.back() : Any();
  if (output == input_) output = Unary(OpType::kRelu, output);
  RandomGraph made{b_.Output(output), {dims}};
  made.graph.file = "random.onnx";
  Prune(made.graph);  // what nothing reads may be of any shape
  if (is_free) {
    made.input_dims.push_back({choose_.Between(1, 2), dims[1], choose_.Between(1, 20), choose_.Between(1, 20)});
  }
  return made;
}

ValueId GraphMaker::Add(OpType op, std::vector<ValueId> inputs, Dims dims, Attrs attrs) {
  const ValueId v = b_.Node(op, std::move(inputs), std::move(attrs));
  dims_[v] = std::move(dims);
  dims_list_.push_back(v);
  return v;
}

ValueId GraphMaker::Binary(OpType op, ValueId a, ValueId b, ValueId like) {
  if (op != OpType::kSub && op != OpType::kDiv && op != OpType::kPow && choose_.Chance(50)) std::swap(a, b);
  return Add(op, {a, b}, D(like));
}

ValueId GraphMaker::Weights(Dims dims, float scale) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<float> values(count);
  for (float& v : values) v = choose_.Weight(scale);
  return b_.Floats(std::move(dims), std::move(values));
}

ValueId GraphMaker::Any(size_t rank) {
  std::vector<ValueId> fit;
  for (ValueId v : dims_list_) {
    if (rank == 0 || D(v).size() == rank) fit.push_back(v);
  }
  if (fit.empty()) return kNoValue;
  if (choose_.Chance(60)) return fit.back();
  return fit[choose_.Below(static_cast<int>(std::min<size_t>(fit.size(), 256)))];
}

ValueId GraphMaker::OtherWith(const Dims& dims, ValueId besides) {
  std::vector<ValueId> fit;
  for (ValueId v : dims_list_) {
    if (D(v) == dims && v != besides) fit.push_back(v);
  }
  return fit.empty() ? kNoValue : fit[choose_.Below(static_cast<int>(fit.size()))];
}

void GraphMaker::Piece() {
  // A piece that is listed twice is chosen twice as often.
  static constexpr PieceFunction kImagePieces[] = {
      &GraphMaker::Conv,          &GraphMaker::Conv,   &GraphMaker::Conv,   &GraphMaker::Depthwise,
      &GraphMaker::ConvTranspose, &GraphMaker::Pool,   &GraphMaker::Means,  &GraphMaker::SqueezeExcite,
      &GraphMaker::Concat,        &GraphMaker::Concat, &GraphMaker::Resize, &GraphMaker::ParallelConvs,
      &GraphMaker::Gate};
  static constexpr PieceFunction kGeneralPieces[] = {
      &GraphMaker::Activation,         &GraphMaker::Activation, &GraphMaker::Sum,
      &GraphMaker::ChannelConstant,    &GraphMaker::MatMul,     &GraphMaker::View,
      &GraphMaker::SoftmaxOrLayerNorm, &GraphMaker::Attention,  &GraphMaker::NearMiss};
  constexpr int kNumImage = std::size(kImagePieces), kNumGeneral = std::size(kGeneralPieces);
  const ValueId x = Any(choose_.Chance(75) ? 4 : 0);
  if (D(x).size() == 4) {
    const int chosen = choose_.Below(kNumImage + kNumGeneral);  // an image can be read by a general piece too
    if (chosen < kNumImage) return (this->*kImagePieces[chosen])(x);
  }
  (this->*kGeneralPieces[choose_.Below(kNumGeneral)])(x);
}

RandomGraph MakeRandomGraph(std::span<const uint8_t> bytes) { return GraphMaker(bytes).Make(); }

std::string PrintGraph(const Graph& graph, const Dims& input_dims) {
  std::string text =
      StrCat("input ", graph.input, " ", DimsToString(graph.input_dims), ", output ", graph.output, "\n");
  const auto shapes = InferShapes(graph, input_dims);
  for (const Node& node : graph.nodes) {
    text += StrCat("  ", node.output, " = ", node.name, "(");
    for (ValueId v : node.inputs) {
      const Tensor* t = graph.ConstantOf(v);
      text += StrCat(" ", v);
      if (t == nullptr) continue;
      text += DimsToString(t->dims);
      if (t->is_int) text += StrCat("=", DimsToString(t->ints));
      if (!t->is_int && t->floats.size() == 1) text += StrCat("=", t->floats[0]);
    }
    text += " )";
    if (shapes.ok()) text += StrCat(" ", DimsToString((*shapes)[node.output].dims));
    text += "\n";
  }
  return text;
}

}  // namespace inkread
