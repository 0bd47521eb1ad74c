// Which files an engine loads: those of a size, some of them replaced by the caller's own.
#ifndef INKREAD_API_MODEL_FILES_H_
#define INKREAD_API_MODEL_FILES_H_

#include <string>

#include "base/status.h"
#include "inkread/ocr.h"

namespace inkread {

// A file, and whose it is: for one of the size's that is missing, messages name the command that fetches it.
struct ModelPath {
  std::string path;
  bool is_own = false;
};

struct ModelFiles {
  std::string size;    // "small"
  std::string folder;  // EngineOptions::model_folder
  ModelPath det, rec, cls;
  // Without the file: the dictionary in the recogniser's metadata. Empty: there is none besides.
  ModelPath dictionary;
  std::string settings;  // of the size; may be missing. Empty: none
};

// For messages: "`inkread models fetch small`", with --models where the caller named a folder.
//
// verb  "fetch" or "verify"
std::string ModelsCommand(const char* verb, const ModelFiles& files);

// The files of one size.
//
// folder  has det.onnx, rec.onnx, dictionary.txt, settings.txt and, for the classifier, cls.onnx
ModelFiles FilesOfSize(const std::string& folder, const std::string& size);

// The files of the options. If none of the size's own is needed, the folder of models is not looked for.
//
// Errors  those of FindModelSize; kInvalidArgument (a dictionary without its recogniser)
Result<ModelFiles> FindModelFiles(const EngineOptions& options);

}  // namespace inkread

#endif  // INKREAD_API_MODEL_FILES_H_
