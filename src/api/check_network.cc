// CheckNetwork: what an ONNX file is, found out by its answers to small inputs.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "api/load.h"
#include "base/usable_cpus.h"
#include "inkread/ocr.h"
#include "ocr/rec_input.h"
#include "runtime/backend_registry.h"
#include "runtime/model.h"

namespace inkread {
namespace {

constexpr int kRuns = 5;

// A small input that tells a kind from the others, and the input of most images.
struct Probe {
  NetworkKind kind;
  const char* name;
  PlanKey small, usual;
};
constexpr Probe kProbes[] = {
    {NetworkKind::kDetector, "detector", {1, 64, 96, Head::kNetwork}, {1, 736, 960, Head::kNetwork}},
    {NetworkKind::kRecogniser, "recogniser", {1, kRecHeight, 320, Head::kCtc}, {1, kRecHeight, 320, Head::kCtc}},
    {NetworkKind::kLineClassifier, "line classifier", {1, 80, 160, Head::kNetwork}, {1, 80, 160, Head::kNetwork}},
    {NetworkKind::kLineClassifier, "line classifier", {1, 48, 192, Head::kNetwork}, {1, 48, 192, Head::kNetwork}},
    {NetworkKind::kPageClassifier, "page classifier", {1, 224, 224, Head::kNetwork}, {1, 224, 224, Head::kNetwork}},
};

bool Answers(NetworkKind kind, const PlanKey& key, const Shape& y) {
  const bool is_one = y.n == 1 && y.h == 1 && y.w == 1;
  switch (kind) {
    case NetworkKind::kDetector:
      return y.n == 1 && y.h == key.h && y.w == key.w && y.c == 1;
    case NetworkKind::kRecogniser:
      return y.n == 1 && y.h == 1 && y.w > 1 && y.c == 3;
    case NetworkKind::kLineClassifier:
      return is_one && y.c == 2;
    case NetworkKind::kPageClassifier:
      return is_one && y.c == 4;
    case NetworkKind::kNone:
      break;
  }
  return false;
}

const Probe* FindProbe(Model& model) {
  for (const Probe& probe : kProbes) {
    const Result<Shape> shape = model.OutputShape(probe.small);
    if (shape.ok() && Answers(probe.kind, probe.small, *shape)) return &probe;
  }
  return nullptr;
}

// Why the file is none of the kinds: what planning it as a detector and as a recogniser ends with.
std::string WhyNone(Model& model) {
  const Dims& dims = model.input_dims();
  std::string why = StrCat(model.file(), ": neither detector, recogniser nor classifier: its input is declared as ",
                           DimsToString(dims));
  for (const Probe& probe : {kProbes[0], kProbes[1]}) {
    why += StrCat("; for [", probe.small.n, ", 3, ", probe.small.h, ", ", probe.small.w,
                  "]: ", TextOf(model.OutputShape(probe.small)));
  }
  return why + model.ShapeRemedy();
}

// Sets num_classes and, if there is no dictionary that fits them, the problem.
void CheckDictionary(Model& rec, const std::string& dictionary_file, NetworkCheck& check) {
  ModelFiles files;
  files.dictionary = {dictionary_file, /*is_own=*/true};
  const Result<Dictionary> dictionary = LoadDictionary(files, rec);
  if (!dictionary.ok()) check.problem = dictionary.status().message();
  PlanKey key = kProbes[1].small;
  key.head = Head::kNetwork;
  if (const Result<Shape> shape = rec.OutputShape(key); shape.ok()) check.num_classes = static_cast<int>(shape->c);
}

Status Measure(Model& model, const PlanKey& key, NetworkCheck& check) {
  INKREAD_ASSIGN_OR_RETURN(const Shape shape, model.OutputShape(key));
  const std::vector<float> input(static_cast<size_t>(key.n * key.h * key.w) * 3 + kInputSlackBytes / sizeof(float));
  std::vector<float> output(shape.num_pixels() * shape.c);
  std::vector<double> ms;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const Task task{key, input.data(), output.data(), nullptr};
    INKREAD_RETURN_IF_ERROR(model.Run({&task, 1}));
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(ms.begin(), ms.end());
  check.ms = ms[kRuns / 2];
  check.height_px = static_cast<int>(key.h);
  check.width_px = static_cast<int>(key.w);
  return Status();
}

Result<NetworkCheck> Check(const std::string& file, const std::string& dictionary_file, int num_threads) {
  NetworkCheck check;
  ThreadPool pool(num_threads > 0 ? num_threads : UsableCpus());
  INKREAD_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, OpenBackend("cpu", &pool));
  std::vector<FallbackChain::Entry> entries;
  entries.push_back({"cpu", std::move(backend)});
  const Result<std::unique_ptr<Model>> model =
      Model::Load(file, std::make_shared<FallbackChain>(std::move(entries), true));
  if (model.status().code() == StatusCode::kNotFound) return model.status();
  if (!model.ok()) {
    check.problem = model.status().message();
    return check;
  }
  const Probe* probe = FindProbe(**model);
  if (probe == nullptr) {
    check.problem = WhyNone(**model);
    return check;
  }
  check.kind = probe->kind;
  INKREAD_RETURN_IF_ERROR(Measure(**model, probe->usual, check));
  if (probe->kind == NetworkKind::kRecogniser) CheckDictionary(**model, dictionary_file, check);
  return check;
}

}  // namespace

const char* NetworkKindName(NetworkKind kind) {
  for (const Probe& probe : kProbes) {
    if (probe.kind == kind) return probe.name;
  }
  return kind == NetworkKind::kNone ? "none" : "unknown";
}

Result<NetworkCheck> CheckNetwork(const std::string& file, const std::string& dictionary_file, int num_threads) {
  return WithoutExceptions([&] { return Check(file, dictionary_file, num_threads); });
}

}  // namespace inkread
