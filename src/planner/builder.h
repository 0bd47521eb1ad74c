// Emits the steps of a schedule: the functions of planner/ops read values of the network, write others and emit steps
// between them. What becomes of the draft is draft/passes.h.
#ifndef INKREAD_PLANNER_BUILDER_H_
#define INKREAD_PLANNER_BUILDER_H_

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/shapes.h"
#include "planner/draft/draft.h"
#include "planner/network.h"
#include "planner/view.h"

namespace inkread {

class ScheduleBuilder {
 public:
  // shapes  of the network's values at the input shape to plan for
  ScheduleBuilder(const Network& network, std::vector<ValueShape> shapes);

  const Graph& graph() const { return network_.graph; }
  const Network& network() const { return network_; }
  const Node& NodeOf(const Layer& layer) const { return graph().nodes[layer.node]; }
  const Dims& DimsOf(ValueId v) const { return shapes_[v].dims; }
  // The elements of an integer value; null when they are not known or v is left out.
  const std::vector<int64_t>* IntsOf(ValueId v) const {
    return v != kNoValue && shapes_[v].ints ? &*shapes_[v].ints : nullptr;
  }
  // kUnsupported with the file's and the node's name.
  template <typename... Args>
  Status NotSupported(const Node& node, const Args&... args) const {
    return Unsupported(graph().file, ": node '", node.name, "' (", OpTypeName(node.op), "): ", args...);
  }

  // Declares the network's input; the first call.
  //
  // output_is_networks  the schedule's output is the network's own; otherwise a step writes NewOutput()
  Status Begin(bool output_is_networks);

  // A value as pixels with the given channel axis. Emits a copy where its view does not allow that.
  Result<Pixels> Read(ValueId v, int channel_axis);
  // The view of a value, for kernels that read more than pixels.
  Result<View> ViewOf(ValueId v);
  // The axis along which the channels of v are adjacent in memory.
  Result<int> ChannelAxisOf(ValueId v);

  // A buffer for what a layer computes. The value's later readers see it as its dims with that channel axis.
  Result<Pixels> Write(ValueId v, int channel_axis);
  // As Write, for results whose view is not pixels.
  void SetView(ValueId v, const View& view);
  Pixels NewBuffer(const Shape& shape);  // dense, in the arena
  Pixels NewSums(const Shape& shape);    // as NewBuffer, f32 whatever the device stores
  Pixels NewOutput(const Shape& shape);  // the schedule's output

  // Adds the step, and its multiply-adds to the schedule's.
  void Emit(DraftStep step, const Node& node);
  // A copy step between two views of the same dimensions.
  void EmitCopy(const View& from, const View& to, const std::string& node_name);
  // Emits a copy of the view in its logical order and returns the copy.
  Result<View> CopyDense(const View& view, const Node& node);
  // Fills the epilogue's fields and operands from the layer, for results of shape y with that channel axis.
  Status AddEpilogue(const Layer& layer, const Pixels& y, int channel_axis, uint64_t bias_words, DraftStep& step);

  // The draft of all that was emitted; the last call.
  Result<DraftSchedule> Finish();

 private:
  int AddBuffer(const DraftBuffer& buffer);
  // What messages call a value: its node, or its own name when it is the input.
  const std::string& NameOf(ValueId v) const;
  // The layer output that is the graph's output seen through views.
  ValueId LayerOutputBehind(ValueId v) const;
  Pixels WriteIntoConcat(const ConcatSlice& slice, const Shape& shape);
  Status EmitOutput();

  const Network& network_;
  std::vector<ValueShape> shapes_;
  std::vector<int> producer_;               // node of each value
  std::vector<std::optional<View>> views_;  // by value
  DraftSchedule draft_;
  ValueId output_value_ = kNoValue;  // the value whose layer may write the schedule's output
  int output_buffer_ = -1;
  bool output_is_networks_ = true;
};

}  // namespace inkread

#endif  // INKREAD_PLANNER_BUILDER_H_
