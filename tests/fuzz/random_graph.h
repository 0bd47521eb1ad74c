// Random small networks for the planner's fuzzer. Operators in the spellings that exporters use are joined at random,
// so that fusions, epilogues, views and Concats meet in ways that no available model has.
#ifndef INKREAD_TESTS_FUZZ_RANDOM_GRAPH_H_
#define INKREAD_TESTS_FUZZ_RANDOM_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace inkread {

struct RandomGraph {
  Graph graph;
  std::vector<Dims> input_dims;  // to run it at; the network was made for the first
};

// Each choice takes one of the bytes, so that a fuzzer that changes a byte changes one choice. Choices after the last
// byte, and all choices from at most 16 bytes, come from a generator seeded with the bytes: 8 bytes give a whole
// network.
RandomGraph MakeRandomGraph(std::span<const uint8_t> bytes);

// One line a node, with the shapes of what it makes: for the report of a failure.
std::string PrintGraph(const Graph& graph, const Dims& input_dims);

}  // namespace inkread

#endif  // INKREAD_TESTS_FUZZ_RANDOM_GRAPH_H_
