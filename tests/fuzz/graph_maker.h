// The maker behind MakeRandomGraph: what it has made so far, and one function a piece that it can add.
#ifndef INKREAD_TESTS_FUZZ_GRAPH_MAKER_H_
#define INKREAD_TESTS_FUZZ_GRAPH_MAKER_H_

#include <initializer_list>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"
#include "tests/fuzz/random_graph.h"

namespace inkread {

class Choices {
 public:
  explicit Choices(std::span<const uint8_t> bytes) : bytes_(bytes) {
    std::seed_seq seed(bytes.begin(), bytes.end());
    random_.seed(seed);
  }
  // 0 to n - 1, n at most 256.
  int Below(int n) {
    const unsigned byte = next_ < bytes_.size() && bytes_.size() > 16 ? bytes_[next_++] : random_();
    return static_cast<int>((byte & 0xFF) % static_cast<unsigned>(n));
  }
  int Between(int low, int high) { return low + Below(high - low + 1); }
  bool Chance(int percent) { return Below(100) < percent; }
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(static_cast<int>(values.size()))];
  }
  // Weights are not choices: they come from the generator alone.
  float Weight(float scale) { return std::uniform_real_distribution<float>(-scale, scale)(random_); }

 private:
  std::span<const uint8_t> bytes_;
  size_t next_ = 0;
  std::mt19937 random_;
};

class GraphMaker {
 public:
  explicit GraphMaker(std::span<const uint8_t> bytes) : choose_(bytes) {}

  RandomGraph Make();

 private:
  using PieceFunction = void (GraphMaker::*)(ValueId x);  // adds a piece that reads x

  const Dims& D(ValueId v) const { return dims_.at(v); }
  // A node whose result has these dims.
  ValueId Add(OpType op, std::vector<ValueId> inputs, Dims dims, Attrs attrs = {});
  ValueId Unary(OpType op, ValueId x, Attrs attrs = {}) { return Add(op, {x}, D(x), std::move(attrs)); }
  // The result has the dims of `like`. Operands of an operator that commutes may change places.
  ValueId Binary(OpType op, ValueId a, ValueId b, ValueId like);
  ValueId Scalar(float value) { return choose_.Chance(50) ? b_.Scalar(value) : b_.Floats({1}, value); }
  ValueId Weights(Dims dims, float scale);
  // A value, later ones more often; with the given rank where there is one.
  ValueId Any(size_t rank = 0);
  // Another value of these dims; kNoValue where there is none.
  ValueId OtherWith(const Dims& dims, ValueId besides);
  void Piece();

  // image_pieces.cc: pieces that read [n, c, h, w].
  int64_t Pooled(const WindowAttrs& w, int axis, int64_t in);
  WindowAttrs Window(const Dims& d);
  ValueId ConvWith(ValueId x, const WindowAttrs& w, int64_t oc, bool bias);
  void Conv(ValueId x);
  ValueId Padded(ValueId x);
  void AfterConv(ValueId y, int64_t channels);
  void Depthwise(ValueId x);
  void ConvTranspose(ValueId x);
  void Pool(ValueId x);
  ValueId GlobalMean(ValueId x);
  void Means(ValueId x);
  void SqueezeExcite(ValueId x);
  void Gate(ValueId x);
  void Concat(ValueId x);
  void Resize(ValueId x);
  void ParallelConvs(ValueId x);

  // general_pieces.cc: pieces that read tensors of any rank.
  void Activation(ValueId x);
  void Gelu(ValueId x);
  void Affine(ValueId x);
  void Sum(ValueId x);
  void ChannelConstant(ValueId x);
  void MatMul(ValueId x);
  void SoftmaxOrLayerNorm(ValueId x);
  void Softmax(ValueId x);
  void LayerNorm(ValueId x);
  void Attention(ValueId x);
  void NearMiss(ValueId x);
  void CtcTail();

  // view_pieces.cc: operators that move nothing.
  void View(ValueId x);
  void Transpose(ValueId x);
  void MergeAxes(ValueId x);
  void CutAxis(ValueId x);
  void InsertAxis(ValueId x);
  void DropAxis(ValueId x);
  void Slice(ValueId x);
  void TakeElement(ValueId x);

  Choices choose_;
  GraphBuilder b_;
  ValueId input_ = kNoValue;
  std::map<ValueId, Dims> dims_;
  std::vector<ValueId> dims_list_;  // the values of dims_, in the order in which they were made
};

}  // namespace inkread

#endif  // INKREAD_TESTS_FUZZ_GRAPH_MAKER_H_
