#include "api/load.h"

#include <sys/stat.h>

#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"

namespace inkread {
namespace {

bool Exists(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0;
}

Result<std::string> ReadTextFile(const std::string& path) {
  INKREAD_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
  return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

// Loads FOLDER/NAME, after its length has been compared with what the settings say.
Result<std::unique_ptr<Model>> LoadNetwork(const std::string& folder, const std::string& name, const std::string& size,
                                           const ModelSettings& settings, std::shared_ptr<FallbackChain> devices) {
  const std::string path = folder + "/" + name;
  if (!Exists(path)) return NotFound(path, ": missing; `inkread models fetch ", size, "` fetches it");
  if (const auto it = settings.file_bytes.find(name); it != settings.file_bytes.end()) {
    INKREAD_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
    if (static_cast<int64_t>(file.bytes().size()) != it->second)
      return CorruptModel(path, ": expected ", it->second, " bytes, found ", file.bytes().size(),
                          "; `inkread models fetch ", size, "` fetches it anew");
  }
  return Model::Load(path, std::move(devices));
}

// A small run's output shape tells the networks apart: a file under another's name is found here, not in the first
// read.
Status CheckRole(Model& model, const PlanKey& key, const Shape& expected, const char* role) {
  const Result<Shape> shape = model.OutputShape(key);
  // 0 stands for any number of classes.
  const bool fits = shape.ok() && shape->n == expected.n && shape->h == expected.h && shape->w == expected.w &&
                    (expected.c == 0 || shape->c == expected.c);
  if (fits) return Status();
  const std::string found = shape.ok() ? StrCat("[", shape->n, ", ", shape->h, ", ", shape->w, ", ", shape->c, "]")
                                       : shape.status().message();
  return CorruptModel(model.file(), ": not a ", role, ": its output for an input of [", key.n, ", ", key.h, ", ", key.w,
                      "] is ", found);
}

}  // namespace

Result<LoadedModels> LoadModels(const std::string& folder, const std::string& size, bool with_classifier,
                                std::shared_ptr<FallbackChain> devices, ThreadPool* pool) {
  LoadedModels loaded;
  if (const std::string path = folder + "/settings.txt"; Exists(path)) {
    INKREAD_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
    INKREAD_ASSIGN_OR_RETURN(loaded.settings, ParseModelSettings(text, path));
  }
  Networks& networks = loaded.networks;
  networks.pool = pool;
  networks.detector_gate = std::make_unique<DetectorGate>(pool);
  networks.cls_kind = loaded.settings.cls_kind;
  const PlanKey line{1, kRecHeight, 320, Head::kNetwork};
  const Size cls_input = ClsInputSize(networks.cls_kind);
  struct Wanted {
    const char* file;
    const char* role;
    PlanKey key;
    Shape output;
    PlanKey usual;  // of the images that are read
    std::unique_ptr<Model>* model;
  };
  std::vector<Wanted> all = {
      {"det.onnx",
       "detector",
       {1, 64, 96, Head::kNetwork},
       {1, 64, 96, 1},
       {1, 736, 960, Head::kNetwork},
       &networks.det},
      {"rec.onnx", "recogniser", line, {1, 1, 40, 0}, {4, kRecHeight, 320, Head::kCtc}, &networks.rec},
      {"cls.onnx",
       "line classifier",
       {1, cls_input.height, cls_input.width, Head::kNetwork},
       {1, 1, 1, 2},
       {1, cls_input.height, cls_input.width, Head::kNetwork},
       &networks.cls},
  };
  if (!with_classifier) all.pop_back();
  // At the same time: to read and pack weights is most of what an engine's start takes.
  const auto load = [&](size_t i) -> Status {
    const Wanted& wanted = all[i];
    INKREAD_ASSIGN_OR_RETURN(std::unique_ptr<Model> model,
                             LoadNetwork(folder, wanted.file, size, loaded.settings, devices));
    INKREAD_RETURN_IF_ERROR(CheckRole(*model, wanted.key, wanted.output, wanted.role));
    model->Expect(wanted.usual);
    *wanted.model = std::move(model);
    return Status();
  };
  INKREAD_RETURN_IF_ERROR(pool->ParallelTry(all.size(), load));
  if (const Result<Shape> ctc = networks.rec->OutputShape({1, kRecHeight, 320, Head::kCtc}); !ctc.ok())
    return ctc.status();

  INKREAD_ASSIGN_OR_RETURN(const Shape output, networks.rec->OutputShape(line));
  const int num_classes = static_cast<int>(output.c);
  const std::string path = folder + "/dictionary.txt";
  const auto character = networks.rec->metadata().find("character");
  if (Exists(path)) {
    INKREAD_ASSIGN_OR_RETURN(Dictionary dictionary, Dictionary::FromFile(path, num_classes));
    networks.dictionary = std::make_unique<const Dictionary>(std::move(dictionary));
  } else if (character != networks.rec->metadata().end()) {
    INKREAD_ASSIGN_OR_RETURN(
        Dictionary dictionary,
        Dictionary::FromText(character->second, networks.rec->file() + " (metadata 'character')", num_classes));
    networks.dictionary = std::make_unique<const Dictionary>(std::move(dictionary));
  } else {
    return NotFound(path, ": missing, and ", networks.rec->file(), " carries no dictionary; `inkread models fetch ",
                    size, "` fetches it");
  }
  return loaded;
}

}  // namespace inkread
