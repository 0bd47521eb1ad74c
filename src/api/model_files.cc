#include "api/model_files.h"

#include "base/model_folder.h"

namespace inkread {

std::string ModelsCommand(const char* verb, const ModelFiles& files) {
  const std::string command = StrCat("inkread models ", verb, " ", files.size);
  if (files.folder.empty()) return "`" + command + "`";
  const char* quote = files.folder.find_first_of(" \t") == std::string::npos ? "" : "'";
  return StrCat("`", command, " --models ", quote, files.folder, quote, "`");
}

ModelFiles FilesOfSize(const std::string& folder, const std::string& size) {
  const auto file = [&](const char* name) { return ModelPath{folder + "/" + name, false}; };
  ModelFiles files{size, "", file("det.onnx"), file("rec.onnx"), file("cls.onnx"), file("dictionary.txt"), ""};
  files.settings = folder + "/settings.txt";
  return files;
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
  files.folder = options.model_folder;
  if (!options.det_file.empty()) files.det = {options.det_file, true};
  if (!options.rec_file.empty()) {
    files.rec = {options.rec_file, true};
    files.dictionary = {options.dictionary_file, true};
  }
  return files;
}

}  // namespace inkread
