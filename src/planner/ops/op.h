// What the planner knows of an operator: one row each in op.cc's table, with the functions of that operator's file.
#ifndef INKREAD_PLANNER_OPS_OP_H_
#define INKREAD_PLANNER_OPS_OP_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "graph/shapes.h"
#include "planner/builder.h"
#include "planner/network.h"
#include "planner/pack.h"

namespace inkread {

// The parts of a step's epilogue in the order in which they are applied (schedule/steps/epilogue_params.h).
enum class EpiloguePart : uint8_t { kNone, kActivation, kGate, kResidual };

// Which parts an operator's step can take.
enum class EpilogueSupport : uint8_t { kNone, kWithoutGate, kFull };

// A node of the fused graph and the shapes of all values at one input size, for decisions that are made once a model.
struct NodeContext {
  const Graph& graph;
  const Node& node;
  const std::vector<ValueShape>& shapes;  // by value
  const DeviceCaps& caps;

  const Dims& DimsOf(ValueId v) const { return shapes[v].dims; }
  // Input i where it is a constant; null where it is computed or left out.
  const Tensor* ConstantInput(size_t i) const {
    return i < node.inputs.size() ? graph.ConstantOf(node.inputs[i]) : nullptr;
  }
  PanelForm panel_form() const { return {caps.conv_panel, caps.weights_form}; }

  // kUnsupported with the file's and the node's name.
  template <typename... Args>
  Status NotSupported(const Args&... args) const {
    return Unsupported(graph.file, ": node '", node.name, "' (", OpTypeName(node.op), "): ", args...);
  }
};

// An operator's nodes become layers (`lower`) or views (`view`). Those of an operator with neither have no step: passes
// and fusions turn them into other nodes, and a network that still has one is refused.
struct PlannedOp {
  OpType op;
  // Layers. Sets what the node asks of its step: bias, activation, gate or residual. Null: nothing, and every node of
  // the operator has a kernel. Errors: kUnsupported (no kernel computes the node)
  Status (*start)(const NodeContext& context, Layer& layer) = nullptr;
  // Layers. Adds the weights to the block and sets layer.weights. Null: the operator has none.
  void (*pack)(const NodeContext& context, WeightPacker& packer, Layer& layer) = nullptr;
  // Layers. Emits the steps for one input shape.
  Status (*lower)(ScheduleBuilder& builder, const Layer& layer) = nullptr;
  // Views. The node's output as a view of the memory that holds its first input, of which `x` is the view.
  Result<View> (*view)(ScheduleBuilder& builder, const Node& node, const View& x) = nullptr;
  // Which parts of an epilogue the step can take from nodes behind the layer.
  EpilogueSupport epilogue = EpilogueSupport::kNone;
  // Which part of the epilogue of the layer before it a node can become.
  EpiloguePart part = EpiloguePart::kNone;
  uint32_t activation = INKREAD_ACTIVATION_NONE;  // of part kActivation
  // Whether the step can write its result straight into some channels of a Concat's result.
  bool writes_slices = false;
};

const PlannedOp& PlannedOpOf(OpType op);

inline bool IsViewOp(OpType op) { return PlannedOpOf(op).view != nullptr; }

}  // namespace inkread

#endif  // INKREAD_PLANNER_OPS_OP_H_
