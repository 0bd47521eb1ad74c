#include "planner/builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "planner/arena.h"
#include "planner/bands.h"

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
  schedule_.network = g.file;
  schedule_.weights_bytes = network.weights_bytes;
  steps_.reserve(network.layers.size() + 8);
}

Status ScheduleBuilder::NodeError(const Node& node, const std::string& what) const {
  return Unsupported(graph().file, ": node '", node.name, "' (", OpTypeName(node.op), "): ", what);
}

int ScheduleBuilder::AddBuffer(const Buffer& buffer) {
  buffers_.push_back(buffer);
  return static_cast<int>(buffers_.size()) - 1;
}

Status ScheduleBuilder::Begin(bool output_is_networks) {
  const Dims& dims = DimsOf(graph().input);
  const auto shape = ShapeOf(dims, 1);
  if (!shape || dims.size() != 4)
    return InvalidArgument(graph().file, ": input is ", DimsToString(dims), ", expected four dimensions");
  schedule_.input = *shape;
  const int buffer = AddBuffer({Space::kInput, *shape, true});
  views_[graph().input] = ViewOfPixels({buffer, 0, *shape, shape->c}, dims, 1);
  const bool stores_f32 = network_.caps.storage == INKREAD_ELEMENT_F32;
  if (!stores_f32) {  // only copies see two kinds of elements
    const View stored = ViewOfPixels(NewBuffer(*shape), dims, 1);
    EmitCopy(*views_[graph().input], stored, graph().values[graph().input].name);
    views_[graph().input] = stored;
  }

  output_is_networks_ = output_is_networks;
  if (!output_is_networks) return Status();
  // The layer behind the output's views may write straight into the caller's memory.
  ValueId v = graph().output;
  while (producer_[v] >= 0 && IsViewOp(graph().nodes[producer_[v]].op)) v = graph().nodes[producer_[v]].inputs[0];
  const bool is_softmax = producer_[v] >= 0 && graph().nodes[producer_[v]].op == OpType::kSoftmax;
  if (!stores_f32 && !(is_softmax && network_.caps.softmax_widens)) return Status();
  if (v != graph().input && !network_.placements[v]) output_value_ = v;
  return Status();
}

Pixels ScheduleBuilder::NewBuffer(const Shape& shape) {
  return {AddBuffer({Space::kArena, shape, true, network_.caps.storage}), 0, shape, shape.c};
}

Pixels ScheduleBuilder::NewSums(const Shape& shape) {
  return {AddBuffer({Space::kArena, shape, true}), 0, shape, shape.c};
}

Pixels ScheduleBuilder::NewOutput(const Shape& shape) {
  schedule_.output = shape;
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
  if (const auto& placement = network_.placements[v]; placement && channel_axis == 1) {
    if (!views_[placement->concat]) {
      const auto whole = ShapeOf(DimsOf(placement->concat), 1);
      const int buffer = AddBuffer({Space::kArena, *whole, false, network_.caps.storage});
      views_[placement->concat] = ViewOfPixels({buffer, 0, *whole, whole->c}, DimsOf(placement->concat), 1);
    }
    const View& concat = *views_[placement->concat];
    const Node& node = graph().nodes[producer_[placement->concat]];
    uint64_t channel = 0;
    for (int i = 0; i < placement->input; ++i) channel += DimsOf(node.inputs[i])[1];
    pixels = {concat.buffer, channel, *shape, buffers_[concat.buffer].shape.c};
  } else if (v == output_value_ && output_buffer_ < 0) {
    pixels = NewOutput(*shape);
  } else {
    pixels = NewBuffer(*shape);
  }
  views_[v] = ViewOfPixels(pixels, dims, channel_axis);
  return pixels;
}

void ScheduleBuilder::SetView(ValueId v, const View& view) { views_[v] = view; }

Result<View> ScheduleBuilder::ViewOf(ValueId v) {
  // Back to a value whose view is there, then forth again: a loop, since a file may have any number of views in a row.
  std::vector<ValueId> missing;
  for (ValueId at = v; !views_[at]; at = graph().nodes[producer_[at]].inputs[0]) {
    if (producer_[at] < 0 || !IsViewOp(graph().nodes[producer_[at]].op))
      return Unsupported(graph().file, ": value '", graph().values[at].name,
                         "' is a constant where a computed tensor is expected");
    missing.push_back(at);
  }
  for (; !missing.empty(); missing.pop_back()) {
    INKREAD_ASSIGN_OR_RETURN(views_[missing.back()], MakeView(missing.back()));
  }
  return *views_[v];
}

Result<View> ScheduleBuilder::MakeView(ValueId v) {
  const Node& node = graph().nodes[producer_[v]];
  View view = *views_[node.inputs[0]];
  const Dims& dims = DimsOf(v);
  switch (node.op) {
    case OpType::kTranspose: {
      std::vector<int64_t> perm = std::get<PermAttrs>(node.attrs).perm;
      for (int64_t axis = view.rank - 1; static_cast<int>(perm.size()) < view.rank; --axis) perm.push_back(axis);
      return Transposed(view, perm);
    }
    case OpType::kGather: {
      const std::vector<int64_t>* index = IntsOf(node.inputs[1]);
      if (index == nullptr || index->size() != 1 || !DimsOf(node.inputs[1]).empty())
        return NodeError(node, "only one constant element can be taken");
      int64_t axis = std::get<AxesAttrs>(node.attrs).axes[0];
      if (axis < 0) axis += view.rank;
      return Selected(view, static_cast<int>(axis), (*index)[0] < 0 ? (*index)[0] + view.dims[axis] : (*index)[0]);
    }
    case OpType::kSlice: {
      const std::vector<int64_t>* starts = IntsOf(node.inputs[1]);
      const std::vector<int64_t>* axes = node.inputs.size() > 3 ? IntsOf(node.inputs[3]) : nullptr;
      const std::vector<int64_t>* steps = node.inputs.size() > 4 ? IntsOf(node.inputs[4]) : nullptr;
      if (starts == nullptr) return NodeError(node, "starts are not known");
      for (size_t i = 0; i < starts->size(); ++i) {
        if (steps != nullptr && (*steps)[i] != 1) return NodeError(node, "only steps of 1 can be sliced");
        int64_t axis = axes != nullptr ? (*axes)[i] : static_cast<int64_t>(i);
        if (axis < 0) axis += view.rank;
        int64_t start = (*starts)[i] < 0 ? (*starts)[i] + view.dims[axis] : (*starts)[i];
        start = std::clamp<int64_t>(start, 0, view.dims[axis]);
        view = Sliced(view, static_cast<int>(axis), start, dims[axis]);
      }
      return view;
    }
    default: {  // Identity, Reshape, Squeeze, Unsqueeze
      if (auto reshaped = Reshaped(view, dims)) return *reshaped;
      INKREAD_ASSIGN_OR_RETURN(view, Dense(view, node));
      auto reshaped = Reshaped(view, dims);
      if (!reshaped) return NodeError(node, "cannot be seen as " + DimsToString(dims));
      return *reshaped;
    }
  }
}

Result<View> ScheduleBuilder::Dense(const View& view, const Node& node) {
  if (view.rank > 5) return NodeError(node, "a copy of more than five dimensions has no kernel");
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
  // Axes in the order in which they lie in the result, so that a kernel's innermost loop writes words side by side.
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
  PendingStep step;
  step.step.params = params;
  step.Read(0, span(from));
  step.Write(0, span(to));
  step.step.node = node_name;
  steps_.push_back(std::move(step));
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

void ScheduleBuilder::PendingStep::Read(int slot, const Pixels& pixels) {
  read_buffers[slot] = pixels.buffer;
  step.reads[slot] = {Space::kArena, pixels.offset, pixels.shape, pixels.ld};
}

void ScheduleBuilder::PendingStep::Write(int slot, const Pixels& pixels) {
  write_buffers[slot] = pixels.buffer;
  step.writes[slot] = {Space::kArena, pixels.offset, pixels.shape, pixels.ld};
}

void ScheduleBuilder::PendingStep::Weights(int slot, uint64_t offset_bytes, uint64_t num_words) {
  const uint32_t words = static_cast<uint32_t>(num_words);
  step.weights[slot] = {Space::kWeights, offset_bytes, {1, 1, 1, words}, words};
}

void ScheduleBuilder::Emit(PendingStep step, const Node& node, uint64_t macs) {
  step.step.node = node.name;
  schedule_.macs += macs;
  steps_.push_back(std::move(step));
}

Status ScheduleBuilder::AddEpilogue(const Layer& layer, const Pixels& y, int channel_axis, uint64_t bias_words,
                                    PendingStep& step) {
  EpilogueParams& e = step.step.epilogue;
  e.activation = layer.activation;
  e.alpha = layer.alpha;
  e.beta = layer.beta;
  if (layer.has_bias) {
    e.has_bias = 1;
    step.Weights(1, layer.weights[1], bias_words);
  }
  const Node& node = graph().nodes[layer.node];
  if (layer.gate != kNoValue) {
    INKREAD_ASSIGN_OR_RETURN(Pixels gate, Read(layer.gate, 1));
    if (channel_axis != 1 || gate.shape != Shape{y.shape.n, 1, 1, y.shape.c})
      return NodeError(node, "a gate must have one value a channel");
    if (gate.ld != gate.shape.c) {  // it lies in a Concat's result
      const Pixels dense = NewBuffer(gate.shape);
      const Dims& dims = DimsOf(layer.gate);
      EmitCopy(ViewOfPixels(gate, dims, 1), ViewOfPixels(dense, dims, 1), NameOf(layer.gate));
      gate = dense;
    }
    e.has_gate = 1;
    step.Read(1, gate);
  }
  if (layer.residual != kNoValue) {
    INKREAD_ASSIGN_OR_RETURN(const Pixels residual, Read(layer.residual, channel_axis));
    if (residual.shape != y.shape) return NodeError(node, "a sum's operands differ in shape");
    e.has_residual = 1;
    e.residual_ld = residual.ld;
    step.Read(2, residual);
  }
  return Status();
}

// Where the last layer could not write the caller's memory as the caller expects it, its result is copied there.
Status ScheduleBuilder::BindOutput() {
  INKREAD_ASSIGN_OR_RETURN(const View view, ViewOf(graph().output));
  const int axis = UsualChannelAxis(view.rank);
  const auto shape = ShapeOf(DimsOfView(view), axis);
  if (!shape)
    return Unsupported(graph().file, ": output is ", DimsToString(DimsOfView(view)),
                       ", expected two to four dimensions");
  const auto pixels = PixelsOfView(view, axis);
  if (pixels && pixels->buffer == output_buffer_ && pixels->offset == 0 && pixels->ld == shape->c &&
      shape->num_pixels() * shape->c ==
          buffers_[output_buffer_].shape.num_pixels() * buffers_[output_buffer_].shape.c) {
    schedule_.output = *shape;
    return Status();
  }
  if (output_buffer_ >= 0) {
    buffers_[output_buffer_].space = Space::kArena;
    buffers_[output_buffer_].element = network_.caps.storage;
  }
  const Pixels out = NewOutput(*shape);
  EmitCopy(view, ViewOfPixels(out, DimsOfView(view), axis), NameOf(graph().output));
  return Status();
}

// Operands take over what their buffers are.
void ScheduleBuilder::BindElements() {
  const auto bind = [this](Operand& operand, int b) {
    if (b < 0) return;
    operand.element = buffers_[b].element;
    operand.offset_bytes *= ElementBytes(operand.element);
  };
  for (PendingStep& s : steps_) {
    for (size_t i = 0; i < s.read_buffers.size(); ++i) bind(s.step.reads[i], s.read_buffers[i]);
    for (size_t i = 0; i < s.write_buffers.size(); ++i) bind(s.step.writes[i], s.write_buffers[i]);
  }
}

void ScheduleBuilder::AssignLevels() {
  std::vector<uint32_t> written(buffers_.size(), 0);  // level after which a buffer may be read
  for (PendingStep& s : steps_) {
    uint32_t level = 0;
    for (int b : s.read_buffers) {
      if (b >= 0) level = std::max(level, written[b]);
    }
    s.step.level = level;
    for (int b : s.write_buffers) {
      if (b >= 0) written[b] = std::max(written[b], level + 1);
    }
  }
}

// Puts steps into bands, in the order in which they then run, each at a level of its own.
void ScheduleBuilder::FormBands() {
  const Bands bands = FindBands(steps_, network_.caps.band_bytes);
  std::vector<PendingStep> sorted;
  sorted.reserve(steps_.size());
  for (size_t i : bands.order) {
    PendingStep& s = sorted.emplace_back(std::move(steps_[i]));
    s.step.level = static_cast<uint32_t>(sorted.size()) - 1;
    s.step.band = bands.band_of[i];
  }
  steps_ = std::move(sorted);
  // Which band uses each buffer; kSeveral where it is not one band alone.
  constexpr uint32_t kUnused = UINT32_MAX, kSeveral = UINT32_MAX - 1;
  std::vector<uint32_t> used_by(buffers_.size(), kUnused);
  const auto each_buffer = [](const PendingStep& s, const auto& body) {
    for (int b : s.read_buffers) {
      if (b >= 0) body(b);
    }
    for (int b : s.write_buffers) {
      if (b >= 0) body(b);
    }
  };
  for (const PendingStep& s : steps_) {
    each_buffer(s, [&](int b) {
      const uint32_t user = s.step.band == 0 ? kSeveral : s.step.band;
      used_by[b] = used_by[b] == kUnused || used_by[b] == user ? user : kSeveral;
    });
  }
  // Buffers that the band at hand has written so far: an earlier read of one is of a slice that was there before.
  std::vector<bool> is_made(buffers_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    PendingStep& s = steps_[i];
    if (i == 0 || s.step.band != steps_[i - 1].step.band) std::fill(is_made.begin(), is_made.end(), false);
    if (s.step.band == 0) continue;
    const auto number = [&](int b, Operand& operand) {
      if (b < 0 || !is_made[b]) return;
      operand.band_value = static_cast<uint32_t>(b) + 1;
      operand.leaves_band = used_by[b] == kSeveral || buffers_[b].space != Space::kArena;
    };
    for (size_t k = 0; k < s.read_buffers.size(); ++k) number(s.read_buffers[k], s.step.reads[k]);
    is_made[s.write_buffers[0]] = true;
    for (size_t k = 0; k < s.write_buffers.size(); ++k) number(s.write_buffers[k], s.step.writes[k]);
  }
}

// Whether tensors in buffer b come into the band or leave it: their rows may be read and written until it ends.
bool ScheduleBuilder::PassesBandBorder(int b, uint32_t band) const {
  const auto passes = [](const Operand& o) { return o.band_value == 0 || o.leaves_band; };
  return std::any_of(steps_.begin(), steps_.end(), [&](const PendingStep& s) {
    if (s.step.band != band) return false;
    for (int k = 0; k < 3; ++k) {
      if (s.read_buffers[k] == b && passes(s.step.reads[k])) return true;
    }
    for (int k = 0; k < 2; ++k) {
      if (s.write_buffers[k] == b && passes(s.step.writes[k])) return true;
    }
    return false;
  });
}

// A step whose x or residual dies with it may write over it, if the contract says so.
void ScheduleBuilder::ReuseInPlace() {
  for (size_t i = 0; i < steps_.size(); ++i) {
    PendingStep& s = steps_[i];
    const StepKind kind = s.step.kind();
    const int y = s.write_buffers[0];
    // A recogniser's last softmax works in the memory of its result, which then holds the logits first.
    const bool to_output = buffers_[y].space == Space::kOutput && kind == StepKind::kSoftmax && s.step.band == 0;
    if ((buffers_[y].space != Space::kArena && !to_output) || !buffers_[y].whole) continue;
    for (int slot : {0, 2}) {
      if (slot == 0 && kind != StepKind::kElementwise && kind != StepKind::kLayerNorm && kind != StepKind::kSoftmax)
        continue;
      if (slot == 2 && kind != StepKind::kElementwise && kind != StepKind::kConv && kind != StepKind::kResize) continue;
      const int x = s.read_buffers[slot];
      if (x < 0 || x == y || buffers_[x].space != Space::kArena || !buffers_[x].whole) continue;
      const Operand &from = s.step.reads[slot], &to = s.step.writes[0];
      if (s.step.band != 0 && to.leaves_band && PassesBandBorder(x, s.step.band)) continue;
      if (from.offset_bytes != 0 || from.element != to.element || from.shape != to.shape || from.ld != to.ld ||
          buffers_[x].shape.num_pixels() * buffers_[x].shape.c != to.shape.num_pixels() * to.shape.c)
        continue;
      // Nothing else may read x at this level or later, nor may this step read it through another slot.
      bool last = std::count(s.read_buffers.begin(), s.read_buffers.end(), x) == 1;
      for (size_t j = 0; j < steps_.size() && last; ++j) {
        if (j == i) continue;
        const auto& reads = steps_[j].read_buffers;
        const auto& writes = steps_[j].write_buffers;
        const bool uses = std::find(reads.begin(), reads.end(), x) != reads.end() ||
                          std::find(writes.begin(), writes.end(), x) != writes.end();
        if (uses && steps_[j].step.level >= s.step.level) last = false;
      }
      if (!last) continue;
      const int goes = to_output ? x : y, stays = to_output ? y : x;
      for (PendingStep& other : steps_) {
        for (int& b : other.read_buffers) b = b == goes ? stays : b;
        for (int& b : other.write_buffers) b = b == goes ? stays : b;
      }
      break;
    }
  }
}

void ScheduleBuilder::SortByLevel() {
  std::stable_sort(steps_.begin(), steps_.end(),
                   [](const PendingStep& a, const PendingStep& b) { return a.step.level < b.step.level; });
}

Result<Schedule> ScheduleBuilder::Finish() {
  if (output_is_networks_) INKREAD_RETURN_IF_ERROR(BindOutput());
  BindElements();
  if (network_.caps.band_bytes > 0) {
    FormBands();
    ReuseInPlace();
  } else {
    AssignLevels();
    ReuseInPlace();
    SortByLevel();
  }

  std::vector<ArenaBuffer> arena(buffers_.size());
  for (size_t b = 0; b < buffers_.size(); ++b) {
    arena[b] = {0, UINT32_MAX, 0, 0};
  }
  const auto use = [&](int b, uint32_t first, uint32_t last) {
    if (b < 0 || buffers_[b].space != Space::kArena) return;
    arena[b].size_bytes = buffers_[b].size_bytes();
    arena[b].first_level = std::min(arena[b].first_level, first);
    arena[b].last_level = std::max(arena[b].last_level, last);
  };
  for (size_t first = 0, last = 0; first < steps_.size(); first = last) {
    const uint32_t band = steps_[first].step.band;
    for (last = first + 1; band != 0 && last < steps_.size() && steps_[last].step.band == band;) ++last;
    for (size_t i = first; i < last; ++i) {
      const PendingStep& s = steps_[i];
      // What a band does not keep to itself lives as long as all of the band.
      const auto use_operand = [&](int b, const Operand& operand) {
        const bool is_inner = operand.band_value != 0 && !operand.leaves_band;
        use(b, is_inner ? s.step.level : steps_[first].step.level,
            is_inner ? s.step.level : steps_[last - 1].step.level);
      };
      for (int k = 0; k < 3; ++k) use_operand(s.read_buffers[k], s.step.reads[k]);
      for (int k = 0; k < 2; ++k) use_operand(s.write_buffers[k], s.step.writes[k]);
    }
  }
  // Buffers that nothing uses any more take no room.
  std::vector<int> index(buffers_.size(), -1);
  std::vector<ArenaBuffer> used;
  for (size_t b = 0; b < arena.size(); ++b) {
    if (arena[b].first_level == UINT32_MAX) continue;
    index[b] = static_cast<int>(used.size());
    used.push_back(arena[b]);
  }
  schedule_.arena_bytes = PlaceInArena(used);
  const auto bind = [&](Operand& operand, int b) {
    if (b < 0) return;
    operand.space = buffers_[b].space;
    if (index[b] >= 0) operand.offset_bytes += used[index[b]].offset_bytes;
  };
  schedule_.steps.reserve(steps_.size());
  for (PendingStep& s : steps_) {
    if (!network_.caps.has_step[static_cast<size_t>(s.step.kind())]) {
      return Unsupported(graph().file, ": node '", s.step.node, "': the device has no kernel for ",
                         StepKindName(s.step.kind()));
    }
    for (int i = 0; i < 3; ++i) bind(s.step.reads[i], s.read_buffers[i]);
    for (int i = 0; i < 2; ++i) bind(s.step.writes[i], s.write_buffers[i]);
    schedule_.steps.push_back(std::move(s.step));
  }
  return std::move(schedule_);
}

}  // namespace inkread
