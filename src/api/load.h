// Loads model files as the networks that the pipeline runs.
#ifndef INKREAD_API_LOAD_H_
#define INKREAD_API_LOAD_H_

#include <memory>
#include <string>

#include "api/model_files.h"
#include "base/status.h"
#include "ocr/dictionary.h"
#include "ocr/pipeline.h"
#include "ocr/settings.h"
#include "runtime/fallback_chain.h"

namespace inkread {

struct LoadedModels {
  Networks networks;
  ModelSettings settings;
};

// What the settings say of a size's files holds for these alone: a detector of the caller's has the defaults of
// ModelSettings, as has a size without settings.
//
// Errors  kNotFound, kCorruptModel, kUnsupported; messages name the file
Result<LoadedModels> LoadModels(const ModelFiles& files, bool with_classifier, std::shared_ptr<FallbackChain> chain,
                                ThreadPool* pool);

// The dictionary of a recogniser: its file, or what the recogniser's metadata has where there is no such file.
//
// files   of which `files.dictionary` is looked for; messages name the command that fetches them
// Errors  kNotFound, kCorruptModel
Result<Dictionary> LoadDictionary(const ModelFiles& files, Model& rec);

// "[1, 1, 40, 6906]", or why there is no shape.
std::string TextOf(const Result<Shape>& shape);

}  // namespace inkread

#endif  // INKREAD_API_LOAD_H_
