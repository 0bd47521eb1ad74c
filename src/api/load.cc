#include "api/load.h"

#include <sys/stat.h>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/text_file.h"

namespace inkread {
namespace {

bool Exists(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

// Loads FOLDER/NAME, after comparing its length with the one in the settings.
Result<std::unique_ptr<Model>> LoadNetwork(const std::string& folder, const std::string& name, const std::string& size,
                                           const ModelSettings& settings, std::shared_ptr<FallbackChain> chain) {
  const std::string path = folder + "/" + name;
  if (!Exists(path)) return NotFound(path, ": missing; `inkread models fetch ", size, "` fetches it");
  if (const auto it = settings.file_bytes.find(name); it != settings.file_bytes.end()) {
    INKREAD_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
    if (static_cast<int64_t>(file.bytes().size()) != it->second)
      return CorruptModel(path, ": expected ", it->second, " bytes, found ", file.bytes().size(),
                          "; `inkread models fetch ", size, "` fetches it anew");
  }
  return Model::Load(path, std::move(chain));
}

// Compares the output's shape for a small input with the expected one. That tells the networks apart, so a file under
// another's name is found here and not in the first read.
Status CheckRole(Model& model, const PlanKey& key, const Shape& expected, const char* role) {
  const Result<Shape> shape = model.OutputShape(key);
  // A device without a kernel for the network says nothing about the file.
  if (shape.status().code() == StatusCode::kUnsupported) return shape.status();
  const bool fits = shape.ok() && shape->n == expected.n && shape->h == expected.h && shape->w == expected.w &&
                    (expected.c == 0 || shape->c == expected.c);
  if (fits) return Status();
  const std::string found = shape.ok() ? StrCat("[", shape->n, ", ", shape->h, ", ", shape->w, ", ", shape->c, "]")
                                       : shape.status().message();
  return CorruptModel(model.file(), ": not a ", role, ": its output for an input of [", key.n, ", ", key.h, ", ", key.w,
                      "] is ", found);
}

// One network of a size, and what tells whether its file holds it.
struct Wanted {
  const char* file;
  const char* role;
  PlanKey key;    // a small input
  Shape output;   // for that input; c = 0: any number of classes
  PlanKey usual;  // the input of most images
  std::unique_ptr<Model>* model;
};

constexpr PlanKey kLine{1, kRecHeight, 320, Head::kNetwork};

std::vector<Wanted> WantedNetworks(bool with_classifier, Networks& networks) {
  const Size cls = ClsInputSize(networks.cls_kind);
  const PlanKey cls_key{1, cls.height, cls.width, Head::kNetwork};
  const PlanKey det_key{1, 64, 96, Head::kNetwork}, det_usual{1, 736, 960, Head::kNetwork};
  const PlanKey rec_usual{4, kRecHeight, 320, Head::kCtc};
  std::vector<Wanted> wanted = {
      {"det.onnx", "detector", det_key, {1, 64, 96, 1}, det_usual, &networks.det},
      {"rec.onnx", "recogniser", kLine, {1, 1, 40, 0}, rec_usual, &networks.rec},
  };
  if (with_classifier) wanted.push_back({"cls.onnx", "line classifier", cls_key, {1, 1, 1, 2}, cls_key, &networks.cls});
  return wanted;
}

// Loads the networks at the same time: reading and packing weights takes most of an engine's start.
Status LoadNetworks(const std::string& folder, const std::string& size, const ModelSettings& settings,
                    const std::shared_ptr<FallbackChain>& chain, std::span<const Wanted> networks, ThreadPool* pool) {
  return pool->ParallelTry(networks.size(), [&](size_t i) -> Status {
    const Wanted& wanted = networks[i];
    INKREAD_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, LoadNetwork(folder, wanted.file, size, settings, chain));
    INKREAD_RETURN_IF_ERROR(CheckRole(*model, wanted.key, wanted.output, wanted.role));
    model->Expect(wanted.usual);
    *wanted.model = std::move(model);
    return Status();
  });
}

// Reads FOLDER/dictionary.txt, or the dictionary in the recogniser's metadata where there is no such file.
Result<Dictionary> LoadDictionary(const std::string& folder, const std::string& size, Model& rec) {
  INKREAD_ASSIGN_OR_RETURN(const Shape output, rec.OutputShape(kLine));
  const int num_classes = static_cast<int>(output.c);
  const std::string path = folder + "/dictionary.txt";
  if (Exists(path)) {
    INKREAD_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
    return Dictionary::FromText(text, path, num_classes);
  }
  if (const auto character = rec.metadata().find("character"); character != rec.metadata().end())
    return Dictionary::FromText(character->second, rec.file() + " (metadata 'character')", num_classes);
  return NotFound(path, ": missing, and ", rec.file(), " carries no dictionary; `inkread models fetch ", size,
                  "` fetches it");
}

}  // namespace

Result<LoadedModels> LoadModels(const std::string& folder, const std::string& size, bool with_classifier,
                                std::shared_ptr<FallbackChain> chain, ThreadPool* pool) {
  LoadedModels loaded;
  if (const std::string path = folder + "/settings.txt"; Exists(path)) {
    INKREAD_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
    INKREAD_ASSIGN_OR_RETURN(loaded.settings, ParseModelSettings(text, path));
  }
  Networks& networks = loaded.networks;
  networks.pool = pool;
  networks.detector_gate = std::make_unique<DetectorGate>(pool);
  networks.cls_kind = loaded.settings.cls_kind;
  INKREAD_RETURN_IF_ERROR(
      LoadNetworks(folder, size, loaded.settings, chain, WantedNetworks(with_classifier, networks), pool));
  if (const Result<Shape> ctc = networks.rec->OutputShape({1, kRecHeight, 320, Head::kCtc}); !ctc.ok())
    return ctc.status();
  INKREAD_ASSIGN_OR_RETURN(Dictionary dictionary, LoadDictionary(folder, size, *networks.rec));
  networks.dictionary = std::make_unique<const Dictionary>(std::move(dictionary));
  return loaded;
}

}  // namespace inkread
