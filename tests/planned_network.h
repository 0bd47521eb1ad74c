// What the planner's tests share: a graph is planned, checked, run on the reference backend and compared with the naive
// evaluation of the graph.
#ifndef INKREAD_TESTS_PLANNED_NETWORK_H_
#define INKREAD_TESTS_PLANNED_NETWORK_H_

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "graph/graph_builder.h"
#include "planner/plan.h"
#include "tests/naive_evaluator.h"
#include "tests/tolerance.h"

namespace inkread {

inline ValueId Ramp(GraphBuilder& b, Dims dims) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 37 % 101) / 101.0f - 0.5f);
  return b.Floats(std::move(dims), std::move(values));
}

inline WindowAttrs Window(int64_t kernel, int64_t pad, int64_t group = 1) {
  WindowAttrs w;
  w.kernel = {kernel, kernel};
  w.pads = {pad, pad, pad, pad};
  w.group = group;
  return w;
}

// A Conv with bias, same size.
inline ValueId Conv(GraphBuilder& b, ValueId x, int64_t ic, int64_t oc, int64_t kernel = 1) {
  return b.Node(OpType::kConv, {x, Ramp(b, {oc, ic, kernel, kernel}), Ramp(b, {oc})}, Window(kernel, kernel / 2));
}

// "Conv Gelu": the operators that are left.
inline std::string OpsOf(const Graph& graph) {
  std::string ops;
  for (const Node& node : graph.nodes) ops += StrCat(ops.empty() ? "" : " ", OpTypeName(node.op));
  return ops;
}

inline std::shared_ptr<const Network> Prepared(const Graph& graph, uint64_t band_bytes = 0,
                                               uint32_t storage = INKREAD_ELEMENT_F32) {
  DeviceCaps caps = MakeReferenceBackend(16)->Caps();
  caps.band_bytes = band_bytes;
  caps.storage = storage;
  auto network = PrepareNetwork(graph, caps);
  return network.ok() ? *network : nullptr;
}

// Empty where the plan keeps to the contracts and computes what the graph says; otherwise what is wrong.
inline std::string Difference(const Graph& graph, const Dims& dims) {
  auto backend = MakeReferenceBackend(16);
  auto network = PrepareNetwork(graph, backend->Caps());
  if (!network.ok()) return network.status().message();
  auto plan = Plan(**network, dims, Head::kNetwork);
  if (!plan.ok()) return plan.status().message();
  if (Status status = CheckSchedule(*plan); !status.ok()) return status.message() + "\n" + PrintSchedule(*plan);

  const auto pixel = [](const Dims& d, size_t at) {  // the place in [n, c, h, w] of element `at` of [n, h, w, c]
    if (d.size() != 4) return at;
    const size_t c = d[1], h = d[2], w = d[3];
    return ((at / c / w / h * c + at % c) * h + at / c / w % h) * w + at / c % w;
  };
  size_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<float> nchw(count), input(count + 16);
  for (size_t i = 0; i < count; ++i) nchw[i] = static_cast<float>(i * 7919 % 2003) / 1001.0f - 1.0f;
  for (size_t i = 0; i < count; ++i) input[i] = nchw[pixel(dims, i)];
  auto naive = EvaluateNaively(graph, dims, nchw);
  if (!naive.ok()) return naive.status().message();
  auto weights = backend->Upload({(*network)->weights.data(), (*network)->weights_bytes}, *network);
  auto program = backend->Compile(std::make_shared<const Schedule>(*plan), *weights);
  std::vector<float> output(plan->output.num_pixels() * plan->output.c);
  const Job job{program->get(), input.data(), output.data()};
  if (Status status = backend->Run({&job, 1}); !status.ok()) return status.message();
  if (output.size() != naive->values.size()) return StrCat(output.size(), " results for ", DimsToString(naive->dims));
  const double tolerance = RoundingTolerance(naive->terms, std::max(1.0, naive->magnitude)) * naive->gain;
  for (size_t i = 0; i < output.size(); ++i) {
    const double expected = naive->values[pixel(naive->dims, i)];
    if (!(std::fabs(output[i] - expected) <= tolerance))
      return StrCat("result ", i, " is ", output[i], ", expected ", expected, "\n", PrintSchedule(*plan));
  }
  return "";
}

}  // namespace inkread

#endif  // INKREAD_TESTS_PLANNED_NETWORK_H_
