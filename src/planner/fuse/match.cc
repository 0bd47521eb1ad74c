#include "planner/fuse/match.h"

#include <cmath>
#include <utility>

#include "base/status.h"

namespace inkread {

Matcher::Matcher(Graph& graph) : graph_(graph) { Index(); }

void Matcher::Index() {
  producer_.assign(graph_.values.size(), -1);
  readers_.assign(graph_.values.size(), {});
  for (int i = 0; i < num_nodes(); ++i) {
    producer_[graph_.nodes[i].output] = i;
    for (ValueId v : graph_.nodes[i].inputs) {
      // A node that reads a value twice (x * x) counts as two readers, so that it is never an only reader.
      if (v != kNoValue) readers_[v].push_back(i);
    }
  }
}

int Matcher::ProducerOf(ValueId v, OpType op) const {
  const int i = ProducerOf(v);
  return i >= 0 && graph_.nodes[i].op == op ? i : -1;
}

int Matcher::OnlyReaderOf(ValueId v) const {
  return v != graph_.output && readers_[v].size() == 1 ? readers_[v][0] : -1;
}

int Matcher::OnlyReaderOf(ValueId v, OpType op) const {
  const int i = OnlyReaderOf(v);
  return i >= 0 && graph_.nodes[i].op == op ? i : -1;
}

std::optional<float> Matcher::ScalarOf(ValueId v) const {
  const Tensor* t = graph_.ConstantOf(v);
  if (t == nullptr || t->is_int || t->num_elements() != 1 || t->dims.size() > 1) return std::nullopt;
  return t->floats[0];
}

bool Matcher::IsScalar(ValueId v, float expected) const {
  const std::optional<float> s = ScalarOf(v);
  return s && std::fabs(*s - expected) <= 1e-6f * std::fabs(expected);
}

std::optional<Matcher::ScalarOperand> Matcher::SplitScalar(const Node& node) const {
  if (node.inputs.size() != 2) return std::nullopt;
  for (int i = 0; i < 2; ++i) {
    if (auto s = ScalarOf(node.inputs[i])) return ScalarOperand{*s, node.inputs[1 - i]};
  }
  return std::nullopt;
}

void Matcher::Replace(int index, Node node) {
  node.output = graph_.nodes[index].output;
  node.name = graph_.nodes[index].name;
  graph_.nodes[index] = std::move(node);
  Index();
}

}  // namespace inkread
