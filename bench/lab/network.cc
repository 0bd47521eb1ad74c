#include "bench/lab/network.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <utility>

#include "base/model_folder.h"
#include "graph/import.h"

namespace inkread::lab {
namespace {

Result<std::string> ModelPath(const std::string& model) {
  std::error_code error;
  if (std::filesystem::is_regular_file(model, error)) return model;
  const size_t slash = model.find('/');
  if (slash == std::string::npos || model.find('/', slash + 1) != std::string::npos)
    return NotFound(model, ": no such file, nor SIZE/NET such as tiny/det");
  const std::string size = model.substr(0, slash);
  INKREAD_ASSIGN_OR_RETURN(const std::string folder, FindModelSize("", size));
  const std::string path = folder + "/" + model.substr(slash + 1) + ".onnx";
  if (!std::filesystem::is_regular_file(path, error))
    return NotFound(model, ": no such file, and ", path, " is missing; `inkread models fetch ", size, "` fetches it");
  return path;
}

}  // namespace

void AddNetworkArguments(CLI::App* command, NetworkArguments* arguments) {
  command->add_option("model", arguments->model, "An ONNX file, or SIZE/NET such as tiny/det in the model folder")
      ->required()
      ->type_name("MODEL");
  command->add_option("--shape", arguments->shape, "Images, height and width of the input, as in 1x736x960")
      ->required()
      ->check([](const std::string& text) {
        const Result<PlanKey> shape = ParseShape(text);
        return shape.ok() ? std::string() : shape.status().message();
      })
      ->type_name("NxHxW");
  command->add_flag("--ctc", arguments->ctc, "End in the best class a step, as reading does, not in all classes");
  AddBackendArguments(command, &arguments->backend);
}

Result<PlanKey> ParseShape(const std::string& text) {
  INKREAD_ASSIGN_OR_RETURN(const auto sizes, ParseSizes(text, "NxHxW"));
  return PlanKey{sizes[0], sizes[1], sizes[2], Head::kNetwork};
}

Result<OpenedNetwork> OpenNetwork(const NetworkArguments& arguments) {
  INKREAD_ASSIGN_OR_RETURN(const PlanKey shape, ParseShape(arguments.shape));
  INKREAD_ASSIGN_OR_RETURN(const std::string path, ModelPath(arguments.model));
  OpenedNetwork opened;
  INKREAD_ASSIGN_OR_RETURN(opened.device, OpenBackendFor(arguments.backend));
  Backend& backend = *opened.device.backend;
  INKREAD_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path));
  INKREAD_ASSIGN_OR_RETURN(Graph graph, ImportOnnx(std::make_shared<const MappedFile>(std::move(mapped)), path));
  INKREAD_ASSIGN_OR_RETURN(opened.network, PrepareNetwork(std::move(graph), backend.Caps()));
  const Network& network = *opened.network;
  INKREAD_ASSIGN_OR_RETURN(opened.weights,
                           backend.Upload({network.weights.data(), network.weights_bytes}, opened.network));

  const int64_t channels = network.graph.input_dims[1] > 0 ? network.graph.input_dims[1] : 3;
  const Dims dims = {shape.n, channels, shape.h, shape.w};
  std::vector<double> plan_ms;
  for (int i = 0; i < 11; ++i) {
    const auto start = std::chrono::steady_clock::now();
    INKREAD_ASSIGN_OR_RETURN(Schedule schedule, Plan(network, dims, arguments.ctc ? Head::kCtc : Head::kNetwork));
    plan_ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    opened.schedule = std::make_shared<const Schedule>(std::move(schedule));
  }
  std::nth_element(plan_ms.begin(), plan_ms.begin() + 5, plan_ms.end());
  opened.plan_ms = plan_ms[5];
  INKREAD_ASSIGN_OR_RETURN(opened.program, backend.Compile(opened.schedule, opened.weights));
  return opened;
}

Result<RunBuffers> RunBuffers::For(const Schedule& schedule) {
  RunBuffers buffers;
  const size_t input_words = schedule.input.num_pixels() * schedule.input.c;
  buffers.num_output_words_ = schedule.output.num_pixels() * schedule.output.c;
  INKREAD_RETURN_IF_ERROR(buffers.input_.Reserve(input_words * sizeof(float) + kInputSlackBytes));
  INKREAD_RETURN_IF_ERROR(buffers.output_.Reserve(buffers.num_output_words_ * sizeof(uint32_t)));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::generate_n(reinterpret_cast<float*>(buffers.input_.data()), input_words, [&] { return uniform(random); });
  return buffers;
}

Job RunBuffers::JobOf(const Program& program) const {
  return {&program, reinterpret_cast<const float*>(input_.data()), output_.data()};
}

std::string NetworkText(const NetworkArguments& arguments, const Schedule& schedule) {
  const auto text = [](const Shape& s) { return StrCat("[", s.n, ",", s.h, ",", s.w, ",", s.c, "]"); };
  return StrCat(arguments.model, " ", text(schedule.input), " -> ", text(schedule.output));
}

}  // namespace inkread::lab
