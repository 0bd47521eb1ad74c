// A network opened for one input shape, with its schedule in hand: what plan, profile and repeat work on.
#ifndef INKREAD_BENCH_LAB_NETWORK_H_
#define INKREAD_BENCH_LAB_NETWORK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "bench/lab/commands.h"
#include "planner/plan.h"
#include "planner/plan_cache.h"

namespace inkread::lab {

struct NetworkArguments {
  std::string model;  // a path, or SIZE/NET such as tiny/det in the model folder
  std::string shape;  // NxHxW
  bool ctc = false;   // the recogniser's best classes instead of the network's own output
  BackendArguments backend;
};
void AddNetworkArguments(CLI::App* command, NetworkArguments* arguments);

// "2x48x320" -> {2, 48, 320}. Errors: kInvalidArgument
Result<PlanKey> ParseShape(const std::string& text);

struct OpenedNetwork {
  OpenedBackend device;
  std::shared_ptr<const Network> network;
  std::shared_ptr<const DeviceWeights> weights;
  std::shared_ptr<const Schedule> schedule;
  std::unique_ptr<const Program> program;
  double plan_ms = 0;  // median
};
Result<OpenedNetwork> OpenNetwork(const NetworkArguments& arguments);

// Input and output of one run; the input is noise in [-1, 1], always the same.
class RunBuffers {
 public:
  static Result<RunBuffers> For(const Schedule& schedule);
  Job JobOf(const Program& program) const;
  uint32_t* output() const { return reinterpret_cast<uint32_t*>(output_.data()); }
  size_t num_output_words() const { return num_output_words_; }

 private:
  AlignedBuffer input_, output_;
  size_t num_output_words_ = 0;
};

// "tiny/det [1,736,960,3] -> [1,736,960,1]"
std::string NetworkText(const NetworkArguments& arguments, const Schedule& schedule);

}  // namespace inkread::lab

#endif  // INKREAD_BENCH_LAB_NETWORK_H_
