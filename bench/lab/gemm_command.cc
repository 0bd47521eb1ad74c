// inkread-lab gemm: matrix products of given sizes, as the 1x1 convolutions that the networks have.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "bench/lab/commands.h"
#include "bench/lab/network.h"
#include "graph/graph_builder.h"

namespace inkread::lab {
namespace {

struct GemmArguments {
  BackendArguments backend;
  std::vector<std::string> shapes;
};

// [m, k] times [k, n].
struct GemmShape {
  uint32_t m, k, n;
};

// Where the networks' 1x1 convolutions spend most, in detectors at 736x960 and recognisers at 48x320.
constexpr GemmShape kDefaultShapes[] = {
    {44160, 32, 64},   {44160, 64, 32},   {2760, 64, 128},  {480, 96, 192},    // tiny
    {44160, 48, 96},   {11040, 96, 192},  {2760, 192, 384}, {2760, 384, 192},  // small det
    {480, 192, 384},   {480, 384, 192},   {240, 768, 384},  {40, 120, 18710},  // small rec
    {44160, 128, 256}, {2760, 512, 1024}, {480, 1024, 512}, {240, 1536, 768},  // medium
};

Result<GemmShape> ParseGemmShape(const std::string& text) {
  INKREAD_ASSIGN_OR_RETURN(const auto sizes, ParseSizes(text, "MxKxN"));
  const GemmShape shape{sizes[0], sizes[1], sizes[2]};
  // Steps count words in 32 bits; a panel may add some columns.
  const uint64_t largest =
      std::max({uint64_t{shape.m} * shape.k, uint64_t{shape.k} * (shape.n + 1024), uint64_t{shape.m} * shape.n});
  if (largest > UINT32_MAX) return InvalidArgument("'", text, "' has a matrix of more than 2^32 words");
  return shape;
}

// Multiply-adds a second, of the median run: the product's step alone, whatever the device puts around it.
Result<double> MeasureRate(const GemmShape& shape, Backend& backend) {
  GraphBuilder builder;
  WindowAttrs window;
  window.kernel = {1, 1};
  window.pads = {0, 0, 0, 0};
  const ValueId x = builder.Input({1, shape.k, 1, shape.m}), w = builder.Floats({shape.n, shape.k, 1, 1}, 0.01f);
  INKREAD_ASSIGN_OR_RETURN(const auto network,
                           PrepareNetwork(builder.Output(builder.Node(OpType::kConv, {x, w}, window)), backend.Caps()));
  INKREAD_ASSIGN_OR_RETURN(Schedule plan, Plan(*network, {1, shape.k, 1, shape.m}, Head::kNetwork));
  const auto schedule = std::make_shared<const Schedule>(std::move(plan));
  const auto product = std::find_if(schedule->steps.begin(), schedule->steps.end(),
                                    [](const Step& step) { return step.kind() == StepKind::kConv; });
  INKREAD_CHECK(product != schedule->steps.end());
  INKREAD_ASSIGN_OR_RETURN(auto weights, backend.Upload({network->weights.data(), network->weights_bytes}, network));
  INKREAD_ASSIGN_OR_RETURN(auto program, backend.Compile(schedule, weights));
  INKREAD_ASSIGN_OR_RETURN(const RunBuffers buffers, RunBuffers::For(*schedule));
  const Job job = buffers.JobOf(*program);

  using Clock = std::chrono::steady_clock;
  constexpr auto kEnough = std::chrono::milliseconds(100);
  std::vector<double> step_ms(schedule->steps.size()), product_ms;
  INKREAD_RETURN_IF_ERROR(backend.Profile(job, step_ms));  // warms
  const auto begin = Clock::now();
  do {
    INKREAD_RETURN_IF_ERROR(backend.Profile(job, step_ms));
    product_ms.push_back(step_ms[product - schedule->steps.begin()]);
  } while (Clock::now() - begin < kEnough);
  std::nth_element(product_ms.begin(), product_ms.begin() + product_ms.size() / 2, product_ms.end());
  return static_cast<double>(schedule->macs) / (product_ms[product_ms.size() / 2] * 1e-3);
}

Result<int> RunGemm(const GemmArguments& arguments) {
  std::vector<GemmShape> shapes;
  for (const std::string& text : arguments.shapes) {
    INKREAD_ASSIGN_OR_RETURN(const GemmShape shape, ParseGemmShape(text));
    shapes.push_back(shape);
  }
  if (shapes.empty()) shapes.assign(std::begin(kDefaultShapes), std::end(kDefaultShapes));
  INKREAD_ASSIGN_OR_RETURN(const OpenedBackend opened, OpenBackendFor(arguments.backend));
  const double peak = ProbedPeak(*opened.backend);
  std::printf("%s", DeviceText(opened).c_str());
  if (peak > 0) std::printf(", peak %.1f GMAC/s", peak * 1e-9);
  std::printf("\n%8s %6s %6s %9s %8s\n", "M", "K", "N", "GMAC/s", "of peak");
  for (const GemmShape& shape : shapes) {
    INKREAD_ASSIGN_OR_RETURN(const double rate, MeasureRate(shape, *opened.backend));
    std::printf("%8u %6u %6u %9.2f", shape.m, shape.k, shape.n, rate * 1e-9);
    if (peak > 0) {
      std::printf(" %6.0f %%\n", 100 * rate / peak);
    } else {
      std::printf(" %8s\n", "-");
    }
  }
  return 0;
}

}  // namespace

void AddGemmCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<GemmArguments>();
  CLI::App* command = app.add_subcommand("gemm", "Measure matrix products against what the device can do at best");
  command->add_option("--shapes", arguments->shapes, "Sizes to measure (default: those of the networks)")
      ->delimiter(',')
      ->check([](const std::string& text) {
        const Result<GemmShape> shape = ParseGemmShape(text);
        return shape.ok() ? std::string() : shape.status().message();
      })
      ->type_name("MxKxN,...");
  AddBackendArguments(command, &arguments->backend);
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunGemm(*arguments)); });
}

}  // namespace inkread::lab
