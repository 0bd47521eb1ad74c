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

// A node of the fused graph with its shapes at one input size, for what is decided once a model.
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

// An operator is a layer (`lower`), a view (`view`), or has no step kind of its own (neither): fusions and passes turn
// nodes of that last sort into others, and what is left of them is refused.
struct PlannedOp {
  OpType op;
  // Layers. Sets what the node itself asks of its step. Errors: kUnsupported, where no kernel computes the node. Null:
  // the step asks for nothing, and any node of the operator has a kernel.
  Status (*start)(const NodeContext& context, Layer& layer) = nullptr;
  // Layers. Adds the weights to the block and sets layer.weights. Null: there are none.
  void (*pack)(const NodeContext& context, WeightPacker& packer, Layer& layer) = nullptr;
  // Layers. Emits the steps for one input shape.
  Status (*lower)(ScheduleBuilder& builder, const Layer& layer) = nullptr;
  // Views: the node's output, seen in the memory of its first input, which `x` views.
  Result<View> (*view)(ScheduleBuilder& builder, const Node& node, const View& x) = nullptr;
  // What the nodes behind a layer can become in its step.
  EpilogueSupport epilogue = EpilogueSupport::kNone;
  // What the node can become in the step of the layer before it.
  EpiloguePart part = EpiloguePart::kNone;
  uint32_t activation = INKREAD_ACTIVATION_NONE;  // of part kActivation
  // The step can write its result straight into the channels of a Concat.
  bool writes_slices = false;
};

const PlannedOp& PlannedOpOf(OpType op);

inline bool IsViewOp(OpType op) { return PlannedOpOf(op).view != nullptr; }

}  // namespace inkread

#endif  // INKREAD_PLANNER_OPS_OP_H_
