// Runs one network on raw tensors, for comparisons with other engines from Python (networks_test.py, bench/peers/).
//
//   run_network MODEL BACKEND THREADS INPUT.f32 OUTPUT N H W [RUNS | -] [fast]
//
// INPUT is f32 [n, h, w, c], OUTPUT the output of the network as Head::kNetwork defines it. The program prints the
// shape of the output and the time of each run in ms (RUNS: 1 by default). With - it prints the shape once the network
// is loaded. Then, for each number of runs on standard input, it prints a line with their times, until the input ends.
// With fast it uses the precision fast, and fails if the device does not support it.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "runtime/backend_registry.h"
#include "runtime/model.h"

namespace {

int Fail(const std::string& message) {
  std::fprintf(stderr, "run_network: %s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace inkread;
  if (argc < 9) return Fail("usage: run_network MODEL BACKEND THREADS INPUT OUTPUT N H W [RUNS | -] [fast]");
  const bool wants_fast = argc > 10 && std::strcmp(argv[10], "fast") == 0;
  ThreadPool pool(std::atoi(argv[3]));
  Result<std::unique_ptr<Backend>> backend = OpenBackend(argv[2], &pool, wants_fast);
  if (!backend.ok()) return Fail(backend.status().message());
  if (wants_fast && (*backend)->Caps().weights_form == INKREAD_WEIGHTS_F32)
    return Fail("precision fast: " + (*backend)->Caps().fast_unavailable_reason);
  std::vector<FallbackChain::Entry> entries;
  entries.push_back({argv[2], std::move(backend).value()});
  Result<std::unique_ptr<Model>> model =
      Model::Load(argv[1], std::make_shared<FallbackChain>(std::move(entries), true));
  if (!model.ok()) return Fail(model.status().message());

  const PlanKey key{std::atoll(argv[6]), std::atoll(argv[7]), std::atoll(argv[8]), Head::kNetwork};
  Result<Shape> shape = (*model)->OutputShape(key);
  if (!shape.ok()) return Fail(shape.status().message());
  const size_t channels = (*model)->input_dims()[1] > 0 ? (*model)->input_dims()[1] : 3;
  std::vector<float> input(key.n * key.h * key.w * channels + 64), output(shape->num_pixels() * shape->c);
  std::ifstream in(argv[4], std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(input.data()), (input.size() - 64) * sizeof(float)))
    return Fail("input is too short");

  // Runs the network and prints the time of each run in ms, followed by `separator`.
  const auto run = [&](int runs, char separator) {
    for (int i = 0; i < runs; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const Task task{key, input.data(), output.data()};
      const Status status = (*model)->Run({&task, 1});
      if (!status.ok()) return status;
      const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
      std::printf("%.3f%c", ms.count(), separator);
    }
    return Status();
  };

  std::printf("%u %u %u %u\n", shape->n, shape->h, shape->w, shape->c);
  if (argc > 9 && std::strcmp(argv[9], "-") == 0) {
    std::fflush(stdout);
    for (int runs; std::cin >> runs;) {
      const Status status = run(runs, ' ');
      if (!status.ok()) return Fail(status.message());
      std::printf("\n");
      std::fflush(stdout);
    }
    if (!std::cin.eof()) return Fail("standard input: expected numbers of runs");
  } else {
    const Status status = run(argc > 9 ? std::atoi(argv[9]) : 1, '\n');
    if (!status.ok()) return Fail(status.message());
  }
  std::ofstream out(argv[5], std::ios::binary);
  out.write(reinterpret_cast<const char*>(output.data()), output.size() * sizeof(float));
  return out.good() ? 0 : Fail("cannot write the output");
}
