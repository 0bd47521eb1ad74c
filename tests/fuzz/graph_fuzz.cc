// Random small networks through the planner: every plan must keep to the contracts, and what it computes must be what
// the graph says, on the reference backend and on every instruction set of the cpu backend, there with bands and
// without to the same bits. A network that is not supported gives a Status that names the file.
//
// Under libFuzzer the bytes are choices. On its own: graph_fuzz --seeds FIRST COUNT (what ctest runs), or --show SEED.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#include "graph/shapes.h"
#include "planner/plan.h"
#include "tests/fuzz/random_graph.h"
#include "tests/naive_evaluator.h"
#include "tests/tolerance.h"

namespace inkread {
namespace {

struct Counts {
  int graphs = 0, prepared = 0, plans = 0;
  double worst = 0;  // error as a share of the tolerance
};
Counts counts;
bool show = false;

[[noreturn]] void Fail(const RandomGraph& random, const Dims& dims, const std::string& what) {
  std::fprintf(stderr, "%s\nat %s\n%s", what.c_str(), DimsToString(dims).c_str(),
               PrintGraph(random.graph, dims).c_str());
  std::abort();
}

struct Device {
  std::string name;
  std::unique_ptr<Backend> backend;
  bool same_bits = false;             // as the device before it
  std::optional<uint32_t> storage{};  // another than the backend's own
  DeviceCaps Caps() const {
    DeviceCaps caps = backend->Caps();
    caps.storage = storage.value_or(caps.storage);
    return caps;
  }
};

const std::vector<Device>& Devices() {
  static ThreadPool pool(2), one(1), three(3);
  static const std::vector<Device> devices = [] {
    std::vector<Device> all;
    all.push_back({"reference", MakeReferenceBackend(16)});
    all.push_back({"reference, panel 4", MakeReferenceBackend(4)});
    all.push_back({"reference, f16", MakeReferenceBackend(16), false, INKREAD_ELEMENT_F16});
    for (const CpuTarget& target : CpuTargets()) {
      all.push_back({"cpu " + target.name, MakeCpuBackend(&pool, {.targets = target.bit})});
    }
    const int64_t best = CpuTargets()[0].bit;
    all.push_back({"cpu without bands", MakeCpuBackend(&pool, {.targets = best, .band_rows_bytes = 0})});
    all.push_back({"cpu, 1 thread", MakeCpuBackend(&one, {.targets = best}), true});
    all.push_back({"cpu, 3 threads", MakeCpuBackend(&three, {.targets = best}), true});
    // So that a band's rows go one at a time.
    all.push_back({"cpu, low bands", MakeCpuBackend(&one, {.targets = best, .band_rows_bytes = 1}), true});
    if (MakeCpuBackend(&pool, {.fast = true})->Caps().storage == INKREAD_ELEMENT_BF16) {
      const auto add = [&all](const char* name, ThreadPool* threads, const CpuOptions& options, bool same_bits) {
        all.push_back({name, MakeCpuBackend(threads, options), same_bits});
      };
      add("cpu fast", &pool, {.fast = true}, false);
      add("cpu fast without bands", &pool, {.band_rows_bytes = 0, .fast = true}, true);
      add("cpu fast, 3 threads", &three, {.fast = true}, true);
      add("cpu fast, low bands", &one, {.band_rows_bytes = 1, .fast = true}, true);
      add("cpu fast without amx", &pool, {.fast = true, .amx = false}, false);
    }
    return all;
  }();
  return devices;
}

// The place in a network's own output [n, c, h, w] of element `at` of the schedule's output [n, h, w, c].
size_t Logical(const Dims& dims, size_t at) {
  if (dims.size() != 4) return at;
  const size_t c = dims[1], h = dims[2], w = dims[3];
  const size_t channel = at % c, x = at / c % w, y = at / c / w % h, n = at / c / w / h;
  return ((n * c + channel) * h + y) * w + x;
}

Result<std::vector<float>> Run(Backend& backend, const std::shared_ptr<const Network>& network, const Schedule& plan,
                               const std::vector<float>& nchw, const Dims& dims) {
  // The input as the schedule wants it, with room for a vector behind it.
  std::vector<float> input(nchw.size() + 16);
  for (size_t i = 0; i < nchw.size(); ++i) input[i] = nchw[Logical(dims, i)];
  INKREAD_ASSIGN_OR_RETURN(const auto weights,
                           backend.Upload({network->weights.data(), network->weights_bytes}, network));
  INKREAD_ASSIGN_OR_RETURN(const auto program, backend.Compile(std::make_shared<const Schedule>(plan), weights));
  std::vector<float> output(plan.output.num_pixels() * plan.output.c, NAN);
  const Job job{program.get(), input.data(), output.data()};
  INKREAD_RETURN_IF_ERROR(backend.Run({&job, 1}));
  return output;
}

// How far a device may be from the naive evaluation.
double ToleranceOf(const NaiveResult& naive, const Graph& graph, uint32_t storage) {
  const double activations = kActivationTolerance * static_cast<double>(graph.nodes.size());
  const double magnitude = std::max(1.0, naive.magnitude);
  // Every term can have been stored, and every node's result is.
  const double stored =
      static_cast<double>(naive.terms + graph.nodes.size() + 1) * StorageTolerance(storage, magnitude);
  return (RoundingTolerance(naive.terms, magnitude) + stored + activations) * naive.gain;
}

std::string Compare(const NaiveResult& naive, const std::vector<float>& actual, double tolerance) {
  if (actual.size() != naive.values.size()) {
    return StrCat("result has ", actual.size(), " elements, expected ", DimsToString(naive.dims));
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    const size_t at = Logical(naive.dims, i);
    const double error = std::fabs(actual[i] - naive.values[at]);
    if (!(error <= tolerance)) {
      return StrCat("element ", at, " is ", actual[i], ", expected ", naive.values[at], ", tolerance ", tolerance);
    }
    counts.worst = std::max(counts.worst, error / tolerance);
  }
  return "";
}

// The results of ctc_head against rows of probabilities.
std::string CompareCtc(const NaiveResult& naive, const std::vector<float>& actual, double tolerance) {
  const size_t classes = naive.dims.back(), rows = naive.values.size() / classes;
  if (actual.size() != rows * 3) return StrCat(actual.size(), " words for ", rows, " rows");
  for (size_t row = 0; row < rows; ++row) {
    int32_t label;
    std::memcpy(&label, &actual[row * 3], 4);
    if (label < 0 || label >= static_cast<int32_t>(classes)) return StrCat("label ", label, " of ", classes);
    const auto p = naive.values.begin() + static_cast<ptrdiff_t>(row * classes);
    const double best = *std::max_element(p, p + static_cast<ptrdiff_t>(classes));
    if (p[label] < best - tolerance) return StrCat("row ", row, ": label ", label, " has ", p[label], " of ", best);
    const double expected = label == 0 ? 0 : p[label];
    if (!(std::fabs(actual[row * 3 + 1] - expected) <= tolerance)) {
      return StrCat("row ", row, ": probability ", actual[row * 3 + 1], ", expected ", expected);
    }
    const double last = actual[row * 3 + 2] * p[label];
    if (!(std::fabs(last - p[static_cast<ptrdiff_t>(classes) - 1]) <= tolerance)) {
      return StrCat("row ", row, ": probability ", last, " of the last class, expected ", p[classes - 1]);
    }
  }
  return "";
}

// More would be slow, and show nothing that fewer do not.
constexpr int64_t kMaxElements = 100000;

// In elements; 0 where the graph does not take the input.
int64_t LargestValue(const Graph& graph, const Dims& input_dims) {
  int64_t largest = 0;
  const auto shapes = InferShapes(graph, input_dims);
  if (!shapes.ok()) return 0;
  for (const ValueShape& shape : *shapes) {
    int64_t count = 1;
    for (int64_t d : shape.dims) count *= d;
    largest = std::max(largest, count);
  }
  return largest;
}

// A refusal must be one that the caller can act on.
void CheckRefusal(const RandomGraph& random, const Dims& dims, const Status& status) {
  const bool names_file = status.message().rfind("random.onnx: ", 0) == 0;
  const bool expected_code = status.code() == StatusCode::kUnsupported ||
                             status.code() == StatusCode::kInvalidArgument ||
                             status.code() == StatusCode::kCorruptModel;
  if (show) std::printf("refused: %s\n", status.message().c_str());
  if (!names_file || !expected_code) {
    Fail(random, dims, StrCat("refused with ", StatusCodeName(status.code()), ": ", status.message()));
  }
}

// One input of a network, and what devices have made of it.
struct Trial {
  const RandomGraph& random;
  const Dims& dims;
  std::vector<float> input;
  Result<NaiveResult> naive;
  std::array<std::vector<float>, 2> last{};  // the result of the device before, by head
};

std::vector<float> InputOf(const Dims& dims) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  std::vector<float> input(count);
  for (int64_t i = 0; i < count; ++i) input[i] = static_cast<float>((i * 7919 + 13) % 2003) / 1001.0f - 1.0f;
  return input;
}

// Plans the network with one head, runs it, and compares the result with the naive one and the device before.
void CheckHead(Trial& trial, const Device& device, const std::shared_ptr<const Network>& network, Head head) {
  const RandomGraph& random = trial.random;
  const Dims& dims = trial.dims;
  const Result<Schedule> plan = Plan(*network, dims, head);
  if (!plan.ok()) return CheckRefusal(random, dims, plan.status());
  if (!trial.naive.ok()) Fail(random, dims, "planned, though the graph says: " + trial.naive.status().message());
  ++counts.plans;
  const std::string text = PrintSchedule(*plan);
  if (show && &device == &Devices()[0]) std::printf("%s", text.c_str());
  if (const Status status = CheckSchedule(*plan); !status.ok()) Fail(random, dims, status.message() + "\n" + text);
  const Result<std::vector<float>> result = Run(*device.backend, network, *plan, trial.input, dims);
  if (!result.ok()) Fail(random, dims, device.name + ": " + result.status().message());
  const double tolerance = ToleranceOf(*trial.naive, random.graph, network->caps.storage);
  const std::string difference =
      head == Head::kCtc ? CompareCtc(*trial.naive, *result, tolerance) : Compare(*trial.naive, *result, tolerance);
  if (!difference.empty()) Fail(random, dims, device.name + ": " + difference + "\n" + text);
  std::vector<float>& before = trial.last[head == Head::kCtc];
  if (device.same_bits && (before.size() != result->size() ||
                           std::memcmp(before.data(), result->data(), result->size() * sizeof(float)) != 0)) {
    Fail(random, dims, device.name + ": not the bits of the device before it\n" + text);
  }
  before = *result;
}

// Whether the planner takes the network; where it does, every device has run the trial.
bool CheckOnDevices(Trial& trial) {
  bool prepared = false;
  for (const Device& device : Devices()) {
    constexpr double kLargestF16 = 65504;
    const DeviceCaps caps = device.Caps();
    if (caps.storage == INKREAD_ELEMENT_F16 && trial.naive.ok() && trial.naive->magnitude > kLargestF16 / 2) continue;
    const auto network = PrepareNetwork(trial.random.graph, caps);
    if (!network.ok()) {
      CheckRefusal(trial.random, trial.dims, network.status());
      break;  // another device would say the same
    }
    prepared = true;
    CheckHead(trial, device, *network, Head::kNetwork);
    if ((*network)->ctc_layer >= 0) CheckHead(trial, device, *network, Head::kCtc);
  }
  return prepared;
}

void Check(const RandomGraph& random) {
  ++counts.graphs;
  if (show) std::printf("%s", PrintGraph(random.graph, random.input_dims[0]).c_str());
  bool prepared = false;
  for (const Dims& dims : random.input_dims) {
    if (LargestValue(random.graph, dims) > kMaxElements) continue;
    const std::vector<float> input = InputOf(dims);
    Trial trial{random, dims, input, EvaluateNaively(random.graph, dims, input)};
    if (!trial.naive.ok() && dims == random.input_dims[0])
      Fail(random, dims, "not a network: " + trial.naive.status().message());
    prepared = CheckOnDevices(trial) || prepared;
  }
  if (prepared) ++counts.prepared;
}

}  // namespace
}  // namespace inkread

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  inkread::Check(inkread::MakeRandomGraph({data, size}));
  return 0;
}

#ifndef INKREAD_LIBFUZZER
int main(int argc, char** argv) {
  const bool seeds = argc == 4 && std::strcmp(argv[1], "--seeds") == 0;
  inkread::show = argc == 3 && std::strcmp(argv[1], "--show") == 0;
  if (!seeds && !inkread::show) {
    std::fprintf(stderr, "usage: %s --seeds FIRST COUNT | --show SEED\n", argv[0]);
    return 2;
  }
  const uint64_t first = std::strtoull(argv[2], nullptr, 10), count = seeds ? std::strtoull(argv[3], nullptr, 10) : 1;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::fprintf(stderr, "\rseed %llu",
                 static_cast<unsigned long long>(seed));  // the last one seen is the one at fault
    uint8_t bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(seed >> 8 * i);
    LLVMFuzzerTestOneInput(bytes, sizeof(bytes));
  }
  const auto& c = inkread::counts;
  std::printf("\n%d graphs, %d of them supported, %d plans; worst error %.3f of its tolerance\n", c.graphs, c.prepared,
              c.plans, c.worst);
  // A fuzzer whose graphs are all refused finds nothing.
  return seeds && c.prepared * 3 < c.graphs ? 1 : 0;
}
#endif
