// Reads the golden files of the official pipeline, and their images, from INKREAD_SHARED_DIR.
#ifndef INKREAD_TESTS_GOLDEN_GOLDEN_FILES_H_
#define INKREAD_TESTS_GOLDEN_GOLDEN_FILES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "inkread/codec.h"
#include "ocr/det_input.h"

namespace inkread {

struct GoldenFile {
  std::string name;  // "sign.small.pipeline.json"
  nlohmann::json json;
};

// All 36 files, sorted by name. Empty if the folder is missing; tests then skip with MissingGoldenFiles() as reason.
std::vector<GoldenFile> LoadGoldenFiles();
std::string MissingGoldenFiles();

// The image that a golden file was made from, decoded as by the official pipeline.
Result<DecodedImage> DecodeGoldenImage(const nlohmann::json& golden);

// The detector parameters of a golden file.
DetParams GoldenDetParams(const nlohmann::json& golden);

std::string Sha1Hex(const std::vector<uint8_t>& bytes);

}  // namespace inkread

#endif  // INKREAD_TESTS_GOLDEN_GOLDEN_FILES_H_
