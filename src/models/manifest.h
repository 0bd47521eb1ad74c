// models/manifest.json as data: every file of every size with its length, SHA-256 and sources.
#ifndef INKREAD_MODELS_MANIFEST_H_
#define INKREAD_MODELS_MANIFEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace inkread::models {

// The expected content of a file.
struct Form {
  int64_t bytes = 0;
  std::string sha256;  // lower-case hex

  bool operator==(const Form&) const = default;
};

// One source of a file. Its form may differ from the official one: inference.yml in the Python package has CRLF line
// ends.
struct Origin {
  std::string place;  // member of the wheel, or URL
  Form form;
};

struct SourceFile {
  std::string name;  // det.onnx, det.yml and so on
  Form form;
  std::optional<Origin> pypi;
  std::optional<Origin> official;

  // Networks are stored. An inference.yml is only used to derive dictionary.txt and settings.txt.
  bool IsKept() const { return name.ends_with(".onnx"); }
};

struct DerivedFile {
  std::string name;
  Form form;
};

struct SizeEntry {
  std::string size;
  std::string cls_kind;
  std::vector<SourceFile> sources;
  std::vector<DerivedFile> derived;  // in the order in which they are written to disk

  // Null if there is no source of that name.
  const SourceFile* FindSource(std::string_view name) const;
};

struct Manifest {
  std::string licence;
  std::string package;  // on PyPI
  std::string version;
  int64_t wheel_bytes = 0;  // for the progress bar only
  std::vector<SizeEntry> sizes;

  // Errors  kInvalidArgument (unknown size; the message names the known ones)
  Result<const SizeEntry*> Find(const std::string& size) const;
};

// Errors  kInternal (not JSON, or a field is missing or has the wrong type)
Result<Manifest> ParseManifest(std::string_view json);

// The manifest that is compiled into the library.
const Manifest& BuiltInManifest();

}  // namespace inkread::models

#endif  // INKREAD_MODELS_MANIFEST_H_
