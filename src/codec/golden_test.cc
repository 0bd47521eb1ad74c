// The real photographs must decode to the very pixels that the golden files were made from.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/mapped_file.h"
#include "inkread/codec.h"

namespace inkread {
namespace {

std::string Sha1OfBgr(const DecodedImage& image) {
  std::vector<uint8_t> bgr;
  const int n = BytesPerPixel(image.format);
  for (size_t i = 0; i < image.pixels.size(); ++i) bgr.insert(bgr.end(), n == 1 ? 3 : 1, image.pixels[i]);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(bgr.data(), bgr.size(), digest, &size, EVP_sha1(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

TEST(CodecGoldenTest, PhotographsDecodeToTheGoldenPixels) {
  const std::filesystem::path shared = INKREAD_SHARED_DIR;
  if (!std::filesystem::is_directory(shared / "spec/golden")) {
    GTEST_SKIP() << "no golden files at " << (shared / "spec/golden");
  }
  std::map<std::string, std::string> sha1_of_file;
  for (const auto& entry : std::filesystem::directory_iterator(shared / "spec/golden")) {
    std::ifstream in(entry.path());
    const auto golden = nlohmann::json::parse(in);
    sha1_of_file[golden.at("file")] = golden.at("bgr_sha1");
  }
  EXPECT_EQ(sha1_of_file.size(), 9u);
  for (const auto& [name, sha1] : sha1_of_file) {
    const auto file = MappedFile::Open((shared / name).string());
    ASSERT_TRUE(file.ok()) << file.status().message();
    const auto image = DecodePicture(file->bytes(), {});
    ASSERT_TRUE(image.ok()) << name << ": " << image.status().message();
    EXPECT_EQ(Sha1OfBgr(*image), sha1) << name;
  }
}

}  // namespace
}  // namespace inkread
