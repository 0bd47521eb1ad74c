#include "api/model_files.h"

#include "base/model_folder.h"

namespace inkread {

ModelFiles FilesOfSize(const std::string& folder, const std::string& size) {
  const auto file = [&](const char* name) { return ModelPath{folder + "/" + name, false}; };
  return {size, file("det.onnx"), file("rec.onnx"), file("cls.onnx"), file("dictionary.txt"), folder + "/settings.txt"};
}

Result<ModelFiles> FindModelFiles(const EngineOptions& options) {
  if (!options.dictionary_file.empty() && options.rec_file.empty()) {
    return InvalidArgument(options.dictionary_file,
                           ": a dictionary belongs to its recogniser: EngineOptions::rec_file (--rec) is missing");
  }
  const bool has_own_networks = !options.det_file.empty() && !options.rec_file.empty();
  ModelFiles files;
  files.size = ModelSizeName(options.size);
  if (!has_own_networks || options.use_classifier) {
    INKREAD_ASSIGN_OR_RETURN(const std::string folder, FindModelSize(options.model_folder, files.size));
    files = FilesOfSize(folder, files.size);
  }
  if (!options.det_file.empty()) files.det = {options.det_file, true};
  if (!options.rec_file.empty()) {
    files.rec = {options.rec_file, true};
    files.dictionary = {options.dictionary_file, true};
  }
  return files;
}

}  // namespace inkread
