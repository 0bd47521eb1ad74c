// A network made ready for planning: layers with their epilogues, and packed weights. Made once per model and device;
// the plan for an input shape (plan.h) follows from it without looking at weights again.
#ifndef INKREAD_PLANNER_NETWORK_H_
#define INKREAD_PLANNER_NETWORK_H_

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/status.h"
#include "graph/graph.h"
#include "schedule/backend.h"

namespace inkread {

// A node that becomes a step, with the nodes behind it that became its epilogue.
struct Layer {
  int node = -1;  // index into graph.nodes: operator, attributes and name
  ValueId output = kNoValue;
  bool has_bias = false;
  uint32_t activation = 0;  // INKREAD_ACTIVATION_*
  float alpha = 0, beta = 0, scale = 1, offset = 0;
  ValueId gate = kNoValue;
  ValueId residual = kNoValue;
  std::array<uint64_t, 4> weights{};  // offsets in bytes, in the slots of the step's contract
};

// The channels of a Concat's result that the producer of one of its inputs writes itself, so that nothing is copied.
struct ConcatSlice {
  ValueId concat = kNoValue;  // the Concat's result
  int input = 0;              // which of its inputs; the first channel follows from the shapes
};

struct Network {
  Graph graph;  // fused; float constants are gone, since their packed form is what is used
  std::vector<Layer> layers;
  std::vector<std::optional<ConcatSlice>> concat_slices;  // by value
  // The layer that ctc_head can compute together with the Softmax behind it; -1: not a recogniser.
  int ctc_layer = -1;
  DeviceCaps caps;        // of the device that the weights are packed for
  AlignedBuffer weights;  // weights_bytes of them, with kArenaSlackBytes of zeros behind
  uint64_t weights_bytes = 0;
};

// Simplifies and fuses the graph, finds layers and packs weights for a device.
//
// Errors  kUnsupported (an operator that no step kind computes; names the node), kOutOfMemory
Result<std::shared_ptr<const Network>> PrepareNetwork(Graph graph, const DeviceCaps& caps);

}  // namespace inkread

#endif  // INKREAD_PLANNER_NETWORK_H_
