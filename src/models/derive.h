// Derives the files that the engine reads from the official inference.yml files.
#ifndef INKREAD_MODELS_DERIVE_H_
#define INKREAD_MODELS_DERIVE_H_

#include <string>

#include "base/status.h"
#include "models/manifest.h"

namespace inkread::models {

// Returns dictionary.txt: the list PostProcess.character_dict of the recogniser's inference.yml, one unmodified entry
// per line (U+3000 is an entry).
//
// Errors  kCorruptModel (not YAML, no such list, or an entry is empty or contains a line end)
Result<std::string> DeriveDictionary(const std::string& rec_yml);

// Returns settings.txt: the size, the numbers of PostProcess in the detector's inference.yml as written there, the kind
// of the classifier, and a line `sha256 NAME HEX BYTES` for each other file of the folder.
//
// Errors  kCorruptModel (not YAML, or a number is missing or invalid)
Result<std::string> DeriveSettings(const SizeEntry& size, const std::string& det_yml, const Form& dictionary);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_DERIVE_H_
