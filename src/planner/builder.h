// The part of planning that knows buffers and steps but no operator: values to operands, steps in order, levels, arena.
// planner/lower/ calls it, one function an operator.
#ifndef INKREAD_PLANNER_BUILDER_H_
#define INKREAD_PLANNER_BUILDER_H_

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/shapes.h"
#include "planner/network.h"
#include "planner/view.h"
#include "schedule/schedule.h"

namespace inkread {

class ScheduleBuilder {
 public:
  ScheduleBuilder(const Network& network, std::vector<ValueShape> shapes);

  const Graph& graph() const { return network_.graph; }
  const Network& network() const { return network_; }
  const Dims& DimsOf(ValueId v) const { return shapes_[v].dims; }
  // The elements of an integer value; null when they are not known or v is left out.
  const std::vector<int64_t>* IntsOf(ValueId v) const {
    return v != kNoValue && shapes_[v].ints ? &*shapes_[v].ints : nullptr;
  }

  // Declares the network's input. output_is_networks: the schedule's output is the network's own; otherwise a step
  // writes NewOutput().
  Status Begin(bool output_is_networks);

  // A value as pixels with the given channel axis. Emits a copy where its view does not allow that.
  Result<Pixels> Read(ValueId v, int channel_axis);
  // The view of a value, for kernels that read more than pixels.
  Result<View> ViewOf(ValueId v);
  // The axis that holds the channels of v as it lies in memory.
  Result<int> ChannelAxisOf(ValueId v);

  // A buffer for what a layer computes. The value's later readers see it as `dims` with that channel axis.
  Result<Pixels> Write(ValueId v, int channel_axis);
  // As Write, for results whose view is not pixels.
  void SetView(ValueId v, const View& view);
  Pixels NewBuffer(const Shape& shape);  // dense, in the arena
  Pixels NewSums(const Shape& shape);    // as NewBuffer, f32 whatever the device stores
  Pixels NewOutput(const Shape& shape);  // the schedule's output

  // A step being put together; slots as the kind's contract says.
  struct PendingStep {
    Step step;
    std::array<int, 3> read_buffers{-1, -1, -1};
    std::array<int, 2> write_buffers{-1, -1};
    // Until Finish() an operand's offset_bytes counts elements, as what a buffer becomes is known only then.
    void Read(int slot, const Pixels& pixels);
    void Write(int slot, const Pixels& pixels);
    void Weights(int slot, uint64_t offset_bytes, uint64_t num_words);
  };
  void Emit(PendingStep step, const Node& node, uint64_t macs = 0);
  // A copy step between two views of the same dimensions.
  void EmitCopy(const View& from, const View& to, const std::string& node_name);
  // Fills the epilogue's fields and operands from the layer, for results of shape y with that channel axis.
  Status AddEpilogue(const Layer& layer, const Pixels& y, int channel_axis, uint64_t bias_words, PendingStep& step);

  // Levels, buffers in place, arena offsets.
  Result<Schedule> Finish();

  Status NodeError(const Node& node, const std::string& what) const;

 private:
  struct Buffer {
    Space space = Space::kArena;
    Shape shape;
    bool whole = true;  // false where a Concat's producers write slices of it
    uint32_t element = INKREAD_ELEMENT_F32;
    uint64_t size_bytes() const { return shape.num_pixels() * shape.c * ElementBytes(element); }
  };
  int AddBuffer(const Buffer& buffer);
  // What messages call a value: its node, or its own name when it is the input.
  const std::string& NameOf(ValueId v) const;
  Result<View> MakeView(ValueId v);                        // from its node's input, whose view is there
  Result<View> Dense(const View& view, const Node& node);  // a copy in the view's logical order
  Status BindOutput();
  void BindElements();
  void AssignLevels();
  void FormBands();
  void ReuseInPlace();
  bool PassesBandBorder(int b, uint32_t band) const;
  void SortByLevel();

  const Network& network_;
  std::vector<ValueShape> shapes_;
  std::vector<int> producer_;               // node of each value
  std::vector<std::optional<View>> views_;  // by value
  std::vector<Buffer> buffers_;
  std::vector<PendingStep> steps_;
  ValueId output_value_ = kNoValue;  // the layer output behind graph().output
  int output_buffer_ = -1;
  bool output_is_networks_ = true;
  Schedule schedule_;
};

}  // namespace inkread

#endif  // INKREAD_PLANNER_BUILDER_H_
