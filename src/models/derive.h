// From the official inference.yml files to the plain files that the engine reads.
#ifndef INKREAD_MODELS_DERIVE_H_
#define INKREAD_MODELS_DERIVE_H_

#include <string>

#include "base/status.h"
#include "models/manifest.h"

namespace inkread::models {

// dictionary.txt: the list PostProcess.character_dict of the recogniser's inference.yml, one entry a line, as it is
// (U+3000 is an entry).
//
// Errors  kCorruptModel (no YAML, no such list, an entry that is empty or holds a line end)
Result<std::string> DeriveDictionary(const std::string& rec_yml);

// settings.txt: size, the detector's PostProcess numbers spelt as in its inference.yml, the classifier's kind, and a
// line `sha256 NAME HEX BYTES` for each other file of the folder.
//
// Errors  kCorruptModel (no YAML, a number is missing or is none)
Result<std::string> DeriveSettings(const SizeEntry& size, const std::string& det_yml, const Form& dictionary);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_DERIVE_H_
