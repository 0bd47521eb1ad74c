// How long a network's runs take on a Vulkan device from submit to fence, transfers by the device included.
//
//   submit_times MODEL DEVICE N H W RUNS precise|fast [ctc]
//
// Prints the least, the median and the largest of the last half of the runs, in milliseconds: a GPU that was idle takes
// a while to reach its clocks. With ctc the network is a recogniser whose last layers are the fused head.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "backends/vulkan/vulkan_backend.h"
#include "session/model.h"

int main(int argc, char** argv) {
  using namespace inkread;
  if (argc < 8) {
    std::fprintf(stderr, "usage: submit_times MODEL DEVICE N H W RUNS precise|fast [ctc]\n");
    return 2;
  }
  std::vector<double> times;
  VulkanOptions options;
  options.device = argv[2];
  options.fast = std::strcmp(argv[7], "fast") == 0;
  options.submitted = [&times](double ms) { times.push_back(ms); };
  const auto fail = [](const Status& status) {
    std::fprintf(stderr, "submit_times: %s\n", status.message().c_str());
    return 1;
  };
  auto backend = MakeVulkanBackend(options);
  if (!backend.ok()) return fail(backend.status());
  std::vector<Devices::Entry> entries;
  entries.push_back({"vulkan", std::move(backend).value()});
  auto model = Model::Load(argv[1], std::make_shared<Devices>(std::move(entries), true));
  if (!model.ok()) return fail(model.status());
  const Head head = argc > 8 && std::strcmp(argv[8], "ctc") == 0 ? Head::kCtc : Head::kNetwork;
  const PlanKey key{std::atoll(argv[3]), std::atoll(argv[4]), std::atoll(argv[5]), head};
  const auto shape = (*model)->OutputShape(key);
  if (!shape.ok()) return fail(shape.status());
  std::vector<float> input(key.n * key.h * key.w * 3 + 64), output(shape->num_pixels() * shape->c);
  for (size_t i = 0; i < input.size(); ++i) input[i] = 0.01f * static_cast<float>(i * 7 % 199) - 1;
  times.clear();  // those of the weights
  for (int run = 0; run < std::atoi(argv[6]); ++run) {
    const Task task{key, input.data(), output.data()};
    if (const Status status = (*model)->Run({&task, 1}); !status.ok()) return fail(status);
  }
  times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  if (times.empty()) return 2;
  std::sort(times.begin(), times.end());
  std::printf("%.3f %.3f %.3f\n", times.front(), times[times.size() / 2], times.back());
  return 0;
}
