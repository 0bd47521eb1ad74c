// Loads the model files of one size as the networks that the pipeline runs.
#ifndef INKREAD_API_LOAD_H_
#define INKREAD_API_LOAD_H_

#include <memory>
#include <string>

#include "base/status.h"
#include "ocr/pipeline.h"
#include "ocr/settings.h"
#include "runtime/fallback_chain.h"

namespace inkread {

struct LoadedModels {
  Networks networks;
  ModelSettings settings;
};

// folder          has det.onnx, rec.onnx, dictionary.txt, settings.txt and, for the classifier, cls.onnx. Without
//                 dictionary.txt the dictionary in the recogniser's metadata is used; without settings.txt the
//                 defaults of ModelSettings.
// size            for messages, which say how to fetch what is missing
// Errors          kNotFound, kCorruptModel, kUnsupported; messages name the file
Result<LoadedModels> LoadModels(const std::string& folder, const std::string& size, bool with_classifier,
                                std::shared_ptr<FallbackChain> chain, ThreadPool* pool);

}  // namespace inkread

#endif  // INKREAD_API_LOAD_H_
