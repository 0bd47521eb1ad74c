// Times every conformance case on every backend: step_bench --benchmark_filter='cpu avx3/conv 1x1'.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/aligned_buffer.h"
#include "base/usable_cpus.h"
#include "bench/lab/step_cost.h"
#include "schedule/step_facts.h"
#include "tests/conformance/backends.h"
#include "tests/conformance/problem.h"

namespace inkread::conformance {
namespace {

void CopyTo(AlignedBuffer& buffer, const std::vector<float>& words, size_t bytes_behind) {
  INKREAD_CHECK(buffer.Reserve(words.size() * sizeof(float) + bytes_behind).ok());
  std::memcpy(buffer.data(), words.data(), words.size() * sizeof(float));
}

void RunCase(benchmark::State& state, const TestedBackend& row, const Case& c) {
  ThreadPool pool(UsableCpus());
  const std::unique_ptr<Backend> backend = row.make(&pool);
  const Problem problem = MakeProblem(c, PackingOf(*backend));
  AlignedBuffer input, weights, output;
  CopyTo(input, problem.input, kInputSlackBytes);
  CopyTo(weights, *problem.weights, 0);  // they have their slack already
  CopyTo(output, problem.output, 0);
  auto uploaded = backend->Upload({weights.data(), problem.weights->size() * sizeof(float)}, nullptr);
  INKREAD_CHECK(uploaded.ok());
  auto program = backend->Compile(problem.schedule, *uploaded);
  if (!program.ok()) {  // the backend has no kernel for it
    state.SkipWithError(program.status().message().c_str());
    return;
  }
  const Job job{program->get(), reinterpret_cast<const float*>(input.data()), output.data()};
  for (auto _ : state) {
    if (const Status status = backend->Run({&job, 1}); !status.ok()) {
      state.SkipWithError(status.message().c_str());
      return;
    }
  }
  using benchmark::Counter;
  uint64_t macs = 0, bytes = 0;
  for (const Step& step : problem.schedule->steps) {
    macs += MultiplyAdds(step);
    bytes += lab::StepBytes(step);
  }
  if (macs > 0) state.counters["MAC/s"] = Counter(static_cast<double>(macs), Counter::kIsIterationInvariantRate);
  state.counters["byte/s"] = Counter(static_cast<double>(bytes), Counter::kIsIterationInvariantRate);
}

void RegisterCases() {
  for (const TestedBackend& row : TestedBackends()) {
    for (const Case& c : AllCases()) {
      const std::string step = c.Name();  // "0 @0 conv 1x1 ...": its place in a schedule says nothing here
      const std::string name = row.name + "/" + step.substr(step.find("@0 ") + 3);
      benchmark::RegisterBenchmark(name.c_str(), [row, c](benchmark::State& state) {
        RunCase(state, row, c);
      })->UseRealTime();
    }
  }
}

}  // namespace
}  // namespace inkread::conformance

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  inkread::conformance::RegisterCases();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
