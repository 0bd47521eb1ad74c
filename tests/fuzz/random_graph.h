// Random small networks: what the planner's fuzzer plans. Operators in the spellings that exporters use, joined at
// random, so that fusions, epilogues, views and Concats meet in ways that no model at hand shows.
#ifndef INKREAD_TESTS_FUZZ_RANDOM_GRAPH_H_
#define INKREAD_TESTS_FUZZ_RANDOM_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace inkread {

struct RandomGraph {
  Graph graph;
  std::vector<Dims> input_dims;  // shapes to run it at; the first is the one that its shapes were made for
};

// Each choice takes a byte; where they run out, choices go on from a generator seeded with the bytes: eight bytes are
// a whole network, and a fuzzer that changes one of many changes one choice.
RandomGraph MakeRandomGraph(std::span<const uint8_t> bytes);

// One line a node, with the shapes of what it makes: for the report of a failure.
std::string PrintGraph(const Graph& graph, const Dims& input_dims);

}  // namespace inkread

#endif  // INKREAD_TESTS_FUZZ_RANDOM_GRAPH_H_
