// The constant weights and bias of a Conv or ConvTranspose, seen by output channel.
#ifndef INKREAD_GRAPH_PASSES_CONV_WEIGHTS_H_
#define INKREAD_GRAPH_PASSES_CONV_WEIGHTS_H_

#include <optional>
#include <span>

#include "graph/graph.h"

namespace inkread {

class ConvWeights {
 public:
  // Nothing when the node is none of the two, or its weights and bias are not constants that fit each other.
  static std::optional<ConvWeights> Of(const Graph& graph, const Node& conv);

  int64_t channels() const { return channels_; }  // of the output

  // Gives `conv` new weights w * scale and a new bias b * scale + shift, computed in double and rounded once.
  // An empty scale stands for ones; the weights then stay as they are. Other readers of the old constants keep them.
  void ScaleAndShift(Graph& graph, Node& conv, std::span<const double> scale, std::span<const double> shift) const;

 private:
  Tensor weight_;  // shares its floats with the graph's
  std::optional<Tensor> bias_;
  int64_t channels_ = 0;
  int64_t group_ = 1;
  bool transposed_ = false;
};

}  // namespace inkread

#endif  // INKREAD_GRAPH_PASSES_CONV_WEIGHTS_H_
