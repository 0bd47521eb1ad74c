// The stages around the networks against the golden files: sizes and means of the detector's input, and the pixels of
// every line that is cut out, from the golden boxes. The networks' own results are compared end to end elsewhere.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/mapped_file.h"
#include "inkread/codec.h"
#include "ocr/det_input.h"
#include "ocr/line_crop.h"
#include "ocr/rec_input.h"

namespace inkread {
namespace {

std::string Sha1Of(const std::vector<uint8_t>& bytes) {
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

class OcrGoldenTest : public testing::Test {
 protected:
  // Calls body(golden, picture) for each golden file.
  template <typename Body>
  void ForEachGolden(const Body& body) {
    const std::filesystem::path shared = INKREAD_SHARED_DIR;
    if (!std::filesystem::is_directory(shared / "spec/golden")) {
      GTEST_SKIP() << "no golden files at " << (shared / "spec/golden");
    }
    std::map<std::string, DecodedImage> pictures;
    int num_files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(shared / "spec/golden")) {
      SCOPED_TRACE(entry.path().filename().string());
      std::ifstream in(entry.path());
      const nlohmann::json golden = nlohmann::json::parse(in);
      const std::string name = golden.at("file");
      if (pictures.count(name) == 0) {
        const auto file = MappedFile::Open((shared / name).string());
        ASSERT_TRUE(file.ok()) << file.status().message();
        auto decoded = DecodePicture(file->bytes(), {});
        ASSERT_TRUE(decoded.ok()) << name << ": " << decoded.status().message();
        pictures[name] = std::move(*decoded);
      }
      body(golden, pictures[name].view());
      ++num_files;
    }
    EXPECT_EQ(num_files, 36);
  }
};

TEST_F(OcrGoldenTest, DetectorInputsHaveTheGoldenSizesAndMeans) {
  ForEachGolden([](const nlohmann::json& golden, const ImageView& picture) {
    const auto& p = golden.at("params");
    DetParams params;
    params.limit_type = p.at("limit_type") == "max" ? LimitType::kMax : LimitType::kMin;
    params.limit_side = p.at("limit_side");
    params.max_side_limit = p.at("max_side");
    const DetInput input(picture, params);
    ASSERT_EQ(input.size(), (Size{golden.at("det_input")[0], golden.at("det_input")[1]}));
    const size_t num_pixels = static_cast<size_t>(input.size().height) * static_cast<size_t>(input.size().width);
    std::vector<float> out(num_pixels * 3);
    input.FillRows(0, input.size().height, out.data());
    for (size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (size_t i = c; i < out.size(); i += 3) sum += out[i];
      // The file holds six decimals of a mean that numpy summed in float, pairwise.
      EXPECT_NEAR(sum / static_cast<double>(num_pixels), golden.at("checks").at("det_input_mean_per_plane")[c], 2e-6);
    }
  });
}

TEST_F(OcrGoldenTest, LinesHaveTheGoldenPixelsAndWidths) {
  int num_lines = 0;
  ForEachGolden([&](const nlohmann::json& golden, const ImageView& picture) {
    for (const auto& line : golden.at("lines")) {
      Quad box;
      for (size_t i = 0; i < 4; ++i) box[i] = {line.at("box")[i][0], line.at("box")[i][1]};
      const auto crop = CropLine(picture, box);
      ASSERT_TRUE(crop.has_value());
      EXPECT_EQ(crop->picture.height_px, line.at("crop")[0]);
      EXPECT_EQ(crop->picture.width_px, line.at("crop")[1]);
      EXPECT_EQ(Sha1Of(crop->picture.pixels), line.at("crop_sha1"));
      EXPECT_EQ(RecInputWidth(crop->picture.width_px, crop->picture.height_px, RecWidthRule::kOfficial).total,
                line.at("rec_width"));
      ++num_lines;
    }
  });
  if (!IsSkipped()) {
    EXPECT_EQ(num_lines, 1168);
  }
}

}  // namespace
}  // namespace inkread
