#include "planner/builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "planner/ops/op.h"
#include "schedule/step_facts.h"

namespace inkread {
namespace {

// The layout that a dense tensor of this rank takes when no kernel asks for another.
int UsualChannelAxis(int rank) { return rank == 4 ? 1 : rank - 1; }

std::span<const int64_t> DimsOfView(const View& view) { return {view.dims.data(), static_cast<size_t>(view.rank)}; }

}  // namespace

ScheduleBuilder::ScheduleBuilder(const Network& network, std::vector<ValueShape> shapes)
    : network_(network), shapes_(std::move(shapes)) {
  const Graph& g = network.graph;
  producer_.assign(g.values.size(), -1);
  views_.resize(g.values.size());
  for (size_t i = 0; i < g.nodes.size(); ++i) producer_[g.nodes[i].output] = static_cast<int>(i);
  draft_.schedule.network = g.file;
  draft_.schedule.weights_bytes = network.weights_bytes;
  draft_.steps.reserve(network.layers.size() + 8);
}

int ScheduleBuilder::AddBuffer(const DraftBuffer& buffer) {
  draft_.buffers.push_back(buffer);
  return static_cast<int>(draft_.buffers.size()) - 1;
}

Status ScheduleBuilder::Begin(bool output_is_networks) {
  const Dims& dims = DimsOf(graph().input);
  const auto shape = ShapeOf(dims, 1);
  if (!shape || dims.size() != 4)
    return InvalidArgument(graph().file, ": input is ", DimsToString(dims), ", expected four dimensions");
  draft_.schedule.input = *shape;
  const int buffer = AddBuffer({Space::kInput, *shape, true});
  views_[graph().input] = ViewOfPixels({buffer, 0, *shape, shape->c}, dims, 1);
  const bool stores_f32 = network_.caps.storage == INKREAD_ELEMENT_F32;
  if (!stores_f32) {  // only copies read one element and write another
    const View stored = ViewOfPixels(NewBuffer(*shape), dims, 1);
    EmitCopy(*views_[graph().input], stored, graph().values[graph().input].name);
    views_[graph().input] = stored;
  }

  output_is_networks_ = output_is_networks;
  if (!output_is_networks) return Status();
  // The layer behind the output's views may write straight into the caller's memory.
  const ValueId v = LayerOutputBehind(graph().output);
  const bool is_softmax = producer_[v] >= 0 && graph().nodes[producer_[v]].op == OpType::kSoftmax;
  if (!stores_f32 && !(is_softmax && network_.caps.softmax_widens)) return Status();
  if (v != graph().input && !network_.concat_slices[v]) output_value_ = v;
  return Status();
}

ValueId ScheduleBuilder::LayerOutputBehind(ValueId v) const {
  while (producer_[v] >= 0 && IsViewOp(graph().nodes[producer_[v]].op)) v = graph().nodes[producer_[v]].inputs[0];
  return v;
}

Pixels ScheduleBuilder::NewBuffer(const Shape& shape) {
  return {AddBuffer({Space::kArena, shape, true, network_.caps.storage}), 0, shape, shape.c};
}

Pixels ScheduleBuilder::NewSums(const Shape& shape) {
  return {AddBuffer({Space::kArena, shape, true}), 0, shape, shape.c};
}

Pixels ScheduleBuilder::NewOutput(const Shape& shape) {
  draft_.schedule.output = shape;
  output_buffer_ = AddBuffer({Space::kOutput, shape, true});
  return {output_buffer_, 0, shape, shape.c};
}

Result<Pixels> ScheduleBuilder::Write(ValueId v, int channel_axis) {
  const Dims& dims = DimsOf(v);
  const auto shape = ShapeOf(dims, channel_axis);
  if (!shape)
    return Unsupported(graph().file, ": value '", graph().values[v].name, "' is ", DimsToString(dims),
                       ", which has no kernel");
  Pixels pixels;
  if (const auto& slice = network_.concat_slices[v]; slice && channel_axis == 1) {
    pixels = WriteIntoConcat(*slice, *shape);
  } else if (v == output_value_ && output_buffer_ < 0) {
    pixels = NewOutput(*shape);
  } else {
    pixels = NewBuffer(*shape);
  }
  views_[v] = ViewOfPixels(pixels, dims, channel_axis);
  return pixels;
}

Pixels ScheduleBuilder::WriteIntoConcat(const ConcatSlice& slice, const Shape& shape) {
  const Dims& dims = DimsOf(slice.concat);
  if (!views_[slice.concat]) {
    const Shape whole = *ShapeOf(dims, 1);
    const int buffer = AddBuffer({Space::kArena, whole, false, network_.caps.storage});
    views_[slice.concat] = ViewOfPixels({buffer, 0, whole, whole.c}, dims, 1);
  }
  const View& concat = *views_[slice.concat];
  const Node& node = graph().nodes[producer_[slice.concat]];
  uint64_t channel = 0;
  for (int i = 0; i < slice.input; ++i) channel += DimsOf(node.inputs[i])[1];
  return {concat.buffer, channel, shape, draft_.buffers[concat.buffer].shape.c};
}

void ScheduleBuilder::SetView(ValueId v, const View& view) { views_[v] = view; }

Result<View> ScheduleBuilder::ViewOf(ValueId v) {
  // Back to a value whose view is known, then forth again. A loop and no recursion, since a file may have any number of
  // views in a row.
  std::vector<ValueId> missing;
  for (ValueId at = v; !views_[at]; at = graph().nodes[producer_[at]].inputs[0]) {
    if (producer_[at] < 0 || !IsViewOp(graph().nodes[producer_[at]].op))
      return Unsupported(graph().file, ": value '", graph().values[at].name,
                         "' is a constant where a computed tensor is expected");
    missing.push_back(at);
  }
  for (; !missing.empty(); missing.pop_back()) {
    const Node& node = graph().nodes[producer_[missing.back()]];
    const View x = *views_[node.inputs[0]];
    INKREAD_ASSIGN_OR_RETURN(views_[missing.back()], PlannedOpOf(node.op).view(*this, node, x));
  }
  return *views_[v];
}

Result<View> ScheduleBuilder::CopyDense(const View& view, const Node& node) {
  if (view.rank > 5) return NotSupported(node, "a copy of more than five dimensions has no kernel");
  View dense = view;
  int64_t stride = 1;
  for (int i = view.rank - 1; i >= 0; --i) {
    dense.strides[i] = stride;
    stride *= view.dims[i];
  }
  dense.offset = 0;
  dense.buffer = NewBuffer({1, 1, 1, static_cast<uint32_t>(stride)}).buffer;
  EmitCopy(view, dense, node.name);
  return dense;
}

const std::string& ScheduleBuilder::NameOf(ValueId v) const {
  return producer_[v] >= 0 ? graph().nodes[producer_[v]].name : graph().values[v].name;
}

void ScheduleBuilder::EmitCopy(const View& from, const View& to, const std::string& node_name) {
  // Axes in their order in the result, so that a kernel's innermost loop writes adjacent elements.
  std::array<int, View::kMaxRank> order{};
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.begin() + to.rank, [&](int a, int b) { return to.strides[a] > to.strides[b]; });
  CopyParams params{};
  for (int i = 0; i < 5; ++i) {
    const int axis = i < 5 - from.rank ? -1 : order[i - (5 - from.rank)];
    params.dims[i] = axis < 0 ? 1 : static_cast<uint32_t>(from.dims[axis]);
    params.x_stride[i] = axis < 0 ? 0 : static_cast<uint32_t>(from.strides[axis]);
    params.y_stride[i] = axis < 0 ? 0 : static_cast<uint32_t>(to.strides[axis]);
  }
  // Operands of a copy are spans: from the first element to the last.
  const auto span = [](const View& view) {
    uint64_t last = 0;
    for (int i = 0; i < view.rank; ++i) last += (view.dims[i] - 1) * view.strides[i];
    const uint32_t count = static_cast<uint32_t>(last + 1);
    return Pixels{view.buffer, view.offset, {1, 1, 1, count}, count};
  };
  DraftStep step;
  step.step.params = params;
  step.Read(0, span(from));
  step.Write(0, span(to));
  step.step.node = node_name;
  step.SetFacts();
  draft_.steps.push_back(std::move(step));
}

Result<int> ScheduleBuilder::ChannelAxisOf(ValueId v) {
  INKREAD_ASSIGN_OR_RETURN(const View view, ViewOf(v));
  const int usual = UsualChannelAxis(view.rank);
  for (int axis : {usual, view.rank - 1, 1}) {
    if (axis >= 0 && axis < view.rank && PixelsOfView(view, axis)) return axis;
  }
  return usual;
}

Result<Pixels> ScheduleBuilder::Read(ValueId v, int channel_axis) {
  INKREAD_ASSIGN_OR_RETURN(const View view, ViewOf(v));
  if (auto pixels = PixelsOfView(view, channel_axis)) return *pixels;
  const auto shape = ShapeOf(DimsOfView(view), channel_axis);
  if (!shape)
    return Unsupported(graph().file, ": value '", graph().values[v].name, "' of ", DimsToString(DimsOfView(view)),
                       " cannot be read");
  const Pixels pixels = NewBuffer(*shape);
  EmitCopy(view, ViewOfPixels(pixels, DimsOfView(view), channel_axis), NameOf(v));
  return pixels;
}

void ScheduleBuilder::Emit(DraftStep step, const Node& node) {
  step.step.node = node.name;
  step.SetFacts();
  draft_.schedule.macs += step.multiply_adds;
  draft_.steps.push_back(std::move(step));
}

Status ScheduleBuilder::AddEpilogue(const Layer& layer, const Pixels& y, int channel_axis, uint64_t bias_words,
                                    DraftStep& step) {
  EpilogueParams& e = step.step.epilogue;
  e.activation = layer.activation;
  e.alpha = layer.alpha;
  e.beta = layer.beta;
  e.scale = layer.scale;
  e.offset = layer.offset;
  if (layer.has_bias) {
    e.has_bias = 1;
    step.Weights(kBiasSlot, layer.weights[kBiasSlot], bias_words);
  }
  const Node& node = graph().nodes[layer.node];
  if (layer.gate != kNoValue) {
    INKREAD_ASSIGN_OR_RETURN(Pixels gate, Read(layer.gate, 1));
    if (channel_axis != 1 || gate.shape != Shape{y.shape.n, 1, 1, y.shape.c})
      return NotSupported(node, "a gate must have one value a channel");
    if (gate.ld != gate.shape.c) {  // it is a slice of a Concat's result
      const Pixels dense = NewBuffer(gate.shape);
      const Dims& dims = DimsOf(layer.gate);
      EmitCopy(ViewOfPixels(gate, dims, 1), ViewOfPixels(dense, dims, 1), NameOf(layer.gate));
      gate = dense;
    }
    e.has_gate = 1;
    step.Read(kGateSlot, gate);
  }
  if (layer.residual != kNoValue) {
    INKREAD_ASSIGN_OR_RETURN(const Pixels residual, Read(layer.residual, channel_axis));
    if (residual.shape != y.shape) return NotSupported(node, "a sum's operands differ in shape");
    e.has_residual = 1;
    e.residual_ld = residual.ld;
    step.Read(kResidualSlot, residual);
  }
  return Status();
}

// Emits a copy into the caller's memory where the last layer could not write that as the caller expects it.
Status ScheduleBuilder::EmitOutput() {
  INKREAD_ASSIGN_OR_RETURN(const View view, ViewOf(graph().output));
  const int axis = UsualChannelAxis(view.rank);
  const auto shape = ShapeOf(DimsOfView(view), axis);
  if (!shape)
    return Unsupported(graph().file, ": output is ", DimsToString(DimsOfView(view)),
                       ", expected two to four dimensions");
  const auto pixels = PixelsOfView(view, axis);
  if (pixels && pixels->buffer == output_buffer_ && pixels->offset == 0 && pixels->ld == shape->c &&
      shape->num_pixels() * shape->c == draft_.buffers[output_buffer_].num_elements()) {
    draft_.schedule.output = *shape;
    return Status();
  }
  if (output_buffer_ >= 0) {
    draft_.buffers[output_buffer_].space = Space::kArena;
    draft_.buffers[output_buffer_].element = network_.caps.storage;
  }
  const Pixels out = NewOutput(*shape);
  EmitCopy(view, ViewOfPixels(out, DimsOfView(view), axis), NameOf(graph().output));
  return Status();
}

Result<DraftSchedule> ScheduleBuilder::Finish() {
  if (output_is_networks_) INKREAD_RETURN_IF_ERROR(EmitOutput());
  return std::move(draft_);
}

}  // namespace inkread
