// The public functions of inkread/models.h with their surroundings as arguments, so that tests can bring their own.
#ifndef INKREAD_MODELS_STORE_H_
#define INKREAD_MODELS_STORE_H_

#include <span>
#include <string>
#include <vector>

#include "inkread/models.h"
#include "models/manifest.h"

namespace inkread::models {

struct Surroundings {
  const Manifest& manifest;
  std::string python = "python3";  // a program on PATH, or its path
};

// What one size's folder holds; `hashed`: by SHA-256, not only by length.
ModelInfo Inspect(const Manifest& manifest, const SizeEntry& size, const std::string& folder, bool hashed);

Status Fetch(const Surroundings& surroundings, std::span<const std::string> sizes, const FetchOptions& options);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_STORE_H_
