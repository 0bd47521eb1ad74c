// The constant weights and bias of a Conv or ConvTranspose, by output channel.
#ifndef INKREAD_GRAPH_PASSES_CONV_WEIGHTS_H_
#define INKREAD_GRAPH_PASSES_CONV_WEIGHTS_H_

#include <optional>
#include <span>

#include "graph/graph.h"

namespace inkread {

class ConvWeights {
 public:
  // Empty if the node is neither of the two, or its weights and bias are not constants of matching shapes.
  static std::optional<ConvWeights> Of(const Graph& graph, const Node& conv);

  int64_t channels() const { return channels_; }  // number of output channels

  // Gives `conv` new weights w * scale and a new bias b * scale + shift, computed in double and rounded once. An empty
  // scale leaves the weights unchanged. Other nodes that read the old constants keep them.
  void ScaleAndShift(Graph& graph, Node& conv, std::span<const double> scale, std::span<const double> shift) const;

 private:
  Tensor weight_;  // shares its floats with the tensor of the graph
  std::optional<Tensor> bias_;
  int64_t channels_ = 0;
  int64_t group_ = 1;
  bool transposed_ = false;
};

}  // namespace inkread

#endif  // INKREAD_GRAPH_PASSES_CONV_WEIGHTS_H_
