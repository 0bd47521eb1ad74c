// Measures runs and starts on a Vulkan device.
//
//   submit_times MODEL DEVICE N H W RUNS precise|fast [ctc]
//
// Prints the minimum, the median and the maximum time from submit to fence, in milliseconds, with the device's
// transfers. Only the last half of the runs counts, since an idle GPU takes a while to reach its clocks. With ctc the
// network is a recogniser whose last layers are the fused head. Fails if two runs do not give the same bits.
//
//   submit_times start DETECTOR RECOGNISER DEVICE FOLDER precise|fast
//
// Prints the parts of a start, up to the first result of both networks, with the compiled kernels in FOLDER
// (VulkanOptions::cache_folder). Then the cost of sizes not seen before: the first run of each, and how much longer
// that is than its second to fifth.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "backends/vulkan/vulkan_backend.h"
#include "runtime/model.h"

namespace inkread {
namespace {

class Clock {
 public:
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class Network {
 public:
  Network(const char* path, std::shared_ptr<FallbackChain> devices, Head head)
      : model_(Model::Load(path, std::move(devices))), head_(head) {}
  // Milliseconds of a run, without making its input.
  Result<double> Run(int64_t n, int64_t h, int64_t w) {
    if (!model_.ok()) return model_.status();
    const size_t count = n * h * w * 3;
    for (size_t i = input_.size(); i < count + 64; ++i) input_.push_back(0.01f * static_cast<float>(i * 7 % 199) - 1);
    // No network has an output larger than its input or, with the head, than two words a column.
    output_.resize(std::max(count, output_.size()));
    const Task task{{n, h, w, head_}, input_.data(), output_.data()};
    Clock clock;
    INKREAD_RETURN_IF_ERROR((*model_)->Run({&task, 1}));
    return clock.Lap();
  }
  const std::vector<float>& output() const { return output_; }  // and what was there before, behind it

 private:
  Result<std::unique_ptr<Model>> model_;
  const Head head_;
  std::vector<float> input_, output_;
};

struct Size {
  int64_t n, h, w;
};

Status PrintNewSizes(const char* what, Network& network, std::initializer_list<Size> sizes) {
  std::vector<double> costs;
  for (const Size& size : sizes) {
    INKREAD_ASSIGN_OR_RETURN(const double first, network.Run(size.n, size.h, size.w));
    std::vector<double> known;
    while (known.size() < 4) {
      INKREAD_ASSIGN_OR_RETURN(known.emplace_back(), network.Run(size.n, size.h, size.w));
    }
    std::sort(known.begin(), known.end());
    const double usual = (known[1] + known[2]) / 2;
    costs.push_back(first - usual);
    std::printf("  %s %lldx%lldx%lld: %.2f ms, %.2f more than known\n", what, static_cast<long long>(size.n),
                static_cast<long long>(size.h), static_cast<long long>(size.w), first, first - usual);
  }
  std::sort(costs.begin(), costs.end());
  std::printf("a new size of %s: median %.2f, largest %.2f ms more than a known one\n", what, costs[costs.size() / 2],
              costs.back());
  return Status();
}

Status Start(char** arguments) {
  Clock clock, whole;
  INKREAD_RETURN_IF_ERROR(ListVulkanDevices().status());
  const double list = clock.Lap();
  VulkanOptions options;
  options.device = arguments[2];
  options.cache_folder = arguments[3];
  options.fast = std::strcmp(arguments[4], "fast") == 0;
  INKREAD_ASSIGN_OR_RETURN(auto backend, MakeVulkanBackend(options));
  std::vector<FallbackChain::Entry> entries;
  entries.push_back({"vulkan", std::move(backend)});
  auto devices = std::make_shared<FallbackChain>(std::move(entries), true);
  const double open = clock.Lap();
  Network detector(arguments[0], devices, Head::kNetwork);
  const double load_detector = clock.Lap();
  Network recogniser(arguments[1], devices, Head::kCtc);
  const double load_recogniser = clock.Lap();
  INKREAD_ASSIGN_OR_RETURN(const double detect, detector.Run(1, 736, 960));
  INKREAD_ASSIGN_OR_RETURN(const double recognise, recogniser.Run(16, 48, 320));
  std::printf("start: %.1f ms: instance %.1f, device %.1f, load %.1f and %.1f, detect %.1f, recognise %.1f\n",
              whole.Lap(), list, open, load_detector, load_recogniser, detect, recognise);
  INKREAD_RETURN_IF_ERROR(PrintNewSizes("detector at once", detector, {{1, 640, 480}, {1, 320, 320}, {1, 960, 960}}));
  INKREAD_RETURN_IF_ERROR(PrintNewSizes("recogniser at once", recogniser, {{1, 48, 320}, {4, 48, 480}, {16, 48, 640}}));
  std::this_thread::sleep_for(std::chrono::seconds(3));  // kernels are still being compiled
  INKREAD_RETURN_IF_ERROR(PrintNewSizes("detector", detector,
                                        {{1, 32, 32},
                                         {1, 96, 64},
                                         {1, 192, 512},
                                         {1, 480, 640},
                                         {1, 736, 992},
                                         {1, 960, 544},
                                         {1, 1280, 960},
                                         {1, 1600, 1216},
                                         {4, 320, 320}}));
  return PrintNewSizes("recogniser", recogniser,
                       {{1, 48, 48},
                        {2, 48, 160},
                        {3, 48, 240},
                        {8, 48, 320},
                        {6, 48, 400},
                        {16, 48, 480},
                        {1, 48, 1200},
                        {32, 48, 320},
                        {5, 48, 560}});
}

Status Submits(int argc, char** argv) {
  std::vector<double> times;
  VulkanOptions options;
  options.device = argv[2];
  options.fast = std::strcmp(argv[7], "fast") == 0;
  options.submitted = [&times](double ms) { times.push_back(ms); };
  INKREAD_ASSIGN_OR_RETURN(auto backend, MakeVulkanBackend(options));
  std::vector<FallbackChain::Entry> entries;
  entries.push_back({"vulkan", std::move(backend)});
  const Head head = argc > 8 && std::strcmp(argv[8], "ctc") == 0 ? Head::kCtc : Head::kNetwork;
  Network network(argv[1], std::make_shared<FallbackChain>(std::move(entries), true), head);
  times.clear();  // those of the weights
  std::vector<float> first;
  for (int run = 0; run < std::max(1, std::atoi(argv[6])); ++run) {
    INKREAD_RETURN_IF_ERROR(network.Run(std::atoll(argv[3]), std::atoll(argv[4]), std::atoll(argv[5])).status());
    if (run == 0) first = network.output();
    if (std::memcmp(first.data(), network.output().data(), first.size() * sizeof(float)) != 0)
      return Internal(argv[1], ": run ", run, " gives other bits than the first");
  }
  times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  std::sort(times.begin(), times.end());
  std::printf("%.3f %.3f %.3f\n", times.front(), times[times.size() / 2], times.back());
  return Status();
}

}  // namespace
}  // namespace inkread

int main(int argc, char** argv) {
  const bool is_start = argc > 1 && std::strcmp(argv[1], "start") == 0;
  if (argc < (is_start ? 7 : 8)) {
    std::fprintf(stderr,
                 "usage: submit_times MODEL DEVICE N H W RUNS precise|fast [ctc]\n"
                 "       submit_times start DETECTOR RECOGNISER DEVICE FOLDER precise|fast\n");
    return 2;
  }
  const inkread::Status status = is_start ? inkread::Start(argv + 2) : inkread::Submits(argc, argv);
  if (status.ok()) return 0;
  std::fprintf(stderr, "submit_times: %s\n", status.message().c_str());
  return 1;
}
