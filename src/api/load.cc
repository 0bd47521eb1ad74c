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

Status Missing(const ModelPath& file, const ModelFiles& files) {
  if (file.is_own) return NotFound(file.path, ": no such file");
  return NotFound(file.path, ": missing; ", ModelsCommand("fetch", files), " fetches it");
}

// An error of one of the size's own files, with what to do about a damaged one.
Status WithRemedy(const Status& error, const ModelPath& file, const ModelFiles& files) {
  if (error.code() != StatusCode::kCorruptModel || file.is_own) return error;
  return CorruptModel(error.message(), "; ", ModelsCommand("verify", files), " says which files are damaged, ",
                      ModelsCommand("fetch", files), " replaces them");
}

// Loads the file, after comparing its length with the one in the settings.
Result<std::unique_ptr<Model>> LoadNetwork(const ModelPath& file, const ModelFiles& files,
                                           const ModelSettings& settings, std::shared_ptr<FallbackChain> chain) {
  if (!Exists(file.path)) return Missing(file, files);
  const std::string name = file.path.substr(file.path.rfind('/') + 1);
  if (const auto it = settings.file_bytes.find(name); !file.is_own && it != settings.file_bytes.end()) {
    INKREAD_ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::Open(file.path));
    if (static_cast<int64_t>(mapped.bytes().size()) != it->second)
      return CorruptModel(file.path, ": expected ", it->second, " bytes, found ", mapped.bytes().size());
  }
  return Model::Load(file.path, std::move(chain));
}

// Compares the output's shape for a small input with the expected one. That tells the networks apart, so a file under
// another's name is found here and not in the first read.
Status CheckRole(Model& model, const PlanKey& key, const Shape& expected, const char* role) {
  const Result<Shape> shape = model.OutputShape(key);
  // A device without a kernel for the network says nothing about the file.
  if (shape.status().code() == StatusCode::kUnsupported) return shape.status();
  const auto is = [](uint64_t found, uint64_t wanted) { return wanted == 0 || found == wanted; };
  const bool fits = shape.ok() && is(shape->n, expected.n) && is(shape->h, expected.h) && is(shape->w, expected.w) &&
                    is(shape->c, expected.c);
  if (fits) return Status();
  return CorruptModel(model.file(), ": not a ", role, ": its output for an input of [", key.n, ", ", key.h, ", ", key.w,
                      "] is ", TextOf(shape), model.ShapeRemedy());
}

// A network, and what tells whether its file holds it.
struct Wanted {
  ModelPath file;
  const char* role;
  PlanKey key;    // a small input
  Shape output;   // for that input; 0: any number
  PlanKey usual;  // the input of most images
  std::unique_ptr<Model>* model;
};

constexpr PlanKey kLine{1, kRecHeight, 320, Head::kNetwork};

std::vector<Wanted> WantedNetworks(const ModelFiles& files, bool with_classifier, Networks& networks) {
  const Size cls = ClsInputSize(networks.cls_kind);
  const PlanKey cls_key{1, cls.height, cls.width, Head::kNetwork};
  const PlanKey det_key{1, 64, 96, Head::kNetwork}, det_usual{1, 736, 960, Head::kNetwork};
  const PlanKey rec_usual{4, kRecHeight, 320, Head::kCtc};
  std::vector<Wanted> wanted = {
      {files.det, "detector", det_key, {1, 64, 96, 1}, det_usual, &networks.det},
      {files.rec, "recogniser", kLine, {1, 1, 0, 0}, rec_usual, &networks.rec},
  };
  if (with_classifier) wanted.push_back({files.cls, "line classifier", cls_key, {1, 1, 1, 2}, cls_key, &networks.cls});
  return wanted;
}

// Loads the networks at the same time: reading and packing weights takes most of an engine's start.
Status LoadNetworks(const ModelFiles& files, const ModelSettings& settings, const std::shared_ptr<FallbackChain>& chain,
                    std::span<const Wanted> networks, ThreadPool* pool) {
  return pool->ParallelTry(networks.size(), [&](size_t i) -> Status {
    const Wanted& wanted = networks[i];
    Result<std::unique_ptr<Model>> model = LoadNetwork(wanted.file, files, settings, chain);
    if (!model.ok()) return WithRemedy(model.status(), wanted.file, files);
    const Status role = CheckRole(**model, wanted.key, wanted.output, wanted.role);
    if (!role.ok()) return WithRemedy(role, wanted.file, files);
    (*model)->Expect(wanted.usual);
    *wanted.model = std::move(*model);
    return Status();
  });
}

}  // namespace

std::string TextOf(const Result<Shape>& shape) {
  if (!shape.ok()) return shape.status().message();
  return StrCat("[", shape->n, ", ", shape->h, ", ", shape->w, ", ", shape->c, "]");
}

Result<Dictionary> LoadDictionary(const ModelFiles& files, Model& rec) {
  const ModelPath& file = files.dictionary;
  INKREAD_ASSIGN_OR_RETURN(const Shape output, rec.OutputShape(kLine));
  const int num_classes = static_cast<int>(output.c);
  if (!file.path.empty() && Exists(file.path)) {
    INKREAD_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(file.path));
    Result<Dictionary> dictionary = Dictionary::FromText(text, file.path, num_classes, file.is_own);
    if (!dictionary.ok()) return WithRemedy(dictionary.status(), file, files);
    return dictionary;
  }
  if (file.is_own && !file.path.empty()) return Missing(file, files);
  if (const auto character = rec.metadata().find("character"); character != rec.metadata().end())
    return Dictionary::FromText(character->second, rec.file() + " (metadata 'character')", num_classes, true);
  if (file.is_own) {
    return NotFound(rec.file(), ": carries no dictionary (metadata 'character'), and EngineOptions::dictionary_file ",
                    "(--dict) names none");
  }
  return NotFound(file.path, ": missing, and ", rec.file(), " carries no dictionary; ", ModelsCommand("fetch", files),
                  " fetches it");
}

Result<LoadedModels> LoadModels(const ModelFiles& files, bool with_classifier, std::shared_ptr<FallbackChain> chain,
                                ThreadPool* pool) {
  LoadedModels loaded;
  if (!files.settings.empty() && Exists(files.settings)) {
    INKREAD_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(files.settings));
    Result<ModelSettings> settings = ParseModelSettings(text, files.settings);
    if (!settings.ok()) return WithRemedy(settings.status(), {files.settings, false}, files);
    loaded.settings = *std::move(settings);
  }
  Networks& networks = loaded.networks;
  networks.pool = pool;
  networks.detector_gate = std::make_unique<DetectorGate>(pool);
  networks.cls_kind = loaded.settings.cls_kind;
  INKREAD_RETURN_IF_ERROR(
      LoadNetworks(files, loaded.settings, chain, WantedNetworks(files, with_classifier, networks), pool));
  if (const Result<Shape> ctc = networks.rec->OutputShape({1, kRecHeight, 320, Head::kCtc}); !ctc.ok())
    return ctc.status();
  INKREAD_ASSIGN_OR_RETURN(Dictionary dictionary, LoadDictionary(files, *networks.rec));
  networks.dictionary = std::make_unique<const Dictionary>(std::move(dictionary));
  if (files.det.is_own) {
    const ModelSettings defaults;
    loaded.settings.det_thresh = defaults.det_thresh;
    loaded.settings.det_box_thresh = defaults.det_box_thresh;
    loaded.settings.det_unclip_ratio = defaults.det_unclip_ratio;
    loaded.settings.det_max_candidates = defaults.det_max_candidates;
  }
  return loaded;
}

}  // namespace inkread
