#include "tests/golden/golden_files.h"

#include <openssl/evp.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/mapped_file.h"

namespace inkread {
namespace {

const std::filesystem::path kShared = INKREAD_SHARED_DIR;

}  // namespace

std::vector<GoldenFile> LoadGoldenFiles() {
  std::vector<GoldenFile> files;
  if (!std::filesystem::is_directory(kShared / "spec/golden")) return files;
  for (const auto& entry : std::filesystem::directory_iterator(kShared / "spec/golden")) {
    std::ifstream in(entry.path());
    files.push_back({entry.path().filename().string(), nlohmann::json::parse(in)});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

std::string MissingGoldenFiles() { return "no golden files at " + (kShared / "spec/golden").string(); }

Result<DecodedImage> DecodeGoldenImage(const nlohmann::json& golden) {
  INKREAD_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(kShared / golden.at("file").get<std::string>()));
  DecodeOptions options;
  options.alpha = AlphaMode::kDrop;
  return DecodeImage(file.bytes(), options);
}

DetParams GoldenDetParams(const nlohmann::json& golden) {
  const nlohmann::json& p = golden.at("params");
  DetParams params;
  params.limit_type = p.at("limit_type") == "max" ? LimitType::kMax : LimitType::kMin;
  params.limit_side = p.at("limit_side");
  params.max_side_limit = p.at("max_side");
  params.thresh = p.at("thresh");
  params.box_thresh = p.at("box_thresh");
  params.unclip_ratio = p.at("unclip");
  params.max_candidates = p.at("max_candidates");
  return params;
}

std::string Sha1Hex(const std::vector<uint8_t>& bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha1(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

}  // namespace inkread
