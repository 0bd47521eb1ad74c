// The public functions of inkread/models.h with manifest and Python as arguments, so that tests can replace them.
#ifndef INKREAD_MODELS_STORE_H_
#define INKREAD_MODELS_STORE_H_

#include <span>
#include <string>
#include <vector>

#include "inkread/models.h"
#include "models/manifest.h"

namespace inkread::models {

struct FetchEnvironment {
  const Manifest& manifest;
  std::string python = "python3";  // name of a program on PATH, or a path
};

// The state of the folder of one size, where the rule of inkread/models.h finds it from `folder`. Files are checked by SHA-256 if `hashed`, otherwise by length only.
ModelInfo Inspect(const Manifest& manifest, const SizeEntry& size, const std::string& folder, bool hashed);

Status Fetch(const FetchEnvironment& environment, std::span<const std::string> sizes, const FetchOptions& options);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_STORE_H_
