#include "models/derive.h"

#include <gtest/gtest.h>

namespace inkread::models {
namespace {

SizeEntry SmallEntry() {
  SizeEntry size;
  size.size = "small";
  size.cls_kind = "legacy_48x192";
  size.sources.push_back({"det.onnx", {10, "aa"}, std::nullopt, std::nullopt});
  size.sources.push_back({"det.yml", {11, "bb"}, std::nullopt, std::nullopt});
  return size;
}

TEST(DeriveTest, DictionaryKeepsEveryEntryThatYamlMakesHard) {
  const auto text = DeriveDictionary(
      "PostProcess:\r\n  character_dict:\r\n  - '!'\r\n  - '\"'\r\n  - ''''\r\n  - \"\\\\\"\r\n  - '#'\r\n  - $\r\n"
      "  - '-'\r\n  - '~'\r\n  - '0'\r\n  - 'null'\r\n  - '\xE3\x80\x80'\r\n  - \xF0\x9F\x9A\x89\r\n");
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(*text, "!\n\"\n'\n\\\n#\n$\n-\n~\n0\nnull\n\xE3\x80\x80\n\xF0\x9F\x9A\x89\n");
}

TEST(DeriveTest, DictionaryRefusesWhatItCannotUse) {
  struct Case {
    const char* yml;
    const char* says;
  };
  for (const Case& c : {Case{"", "PostProcess.character_dict"},
                        {"PostProcess: 3", "PostProcess.character_dict"},
                        {"PostProcess:\n  character_dict: abc\n", "PostProcess.character_dict"},
                        {"PostProcess:\n  character_dict:\n  - a\n  - ''\n", "line 4"},
                        {"PostProcess:\n  character_dict:\n  - ~\n", "line 3"},
                        {"PostProcess:\n  character_dict:\n  - \"a\\nb\"\n", "line 3"},
                        {"PostProcess: [", "rec.yml"}}) {
    const auto text = DeriveDictionary(c.yml);
    EXPECT_EQ(text.status().code(), StatusCode::kCorruptModel) << c.yml;
    EXPECT_NE(text.status().message().find(c.says), std::string::npos) << text.status().message();
  }
}

TEST(DeriveTest, SettingsSpellNumbersAsTheFileDoesAndListKeptFiles) {
  const auto text = DeriveSettings(
      SmallEntry(), "PostProcess:\n  box_thresh: 0.450\n  max_candidates: 3000\n  thresh: 0.2\n  unclip_ratio: 1.4\n",
      {7, "cc"});
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(*text,
            "size small\ndet_thresh 0.2\ndet_box_thresh 0.450\ndet_unclip_ratio 1.4\ndet_max_candidates 3000\n"
            "cls_kind legacy_48x192\nsha256 det.onnx aa 10\nsha256 dictionary.txt cc 7\n");
}

TEST(DeriveTest, SettingsRefuseAMissingOrStrangeNumber) {
  for (const char* yml : {"", "PostProcess:\n  thresh: 0.2\n",
                          "PostProcess: {box_thresh: high, max_candidates: 3, thresh: 0.2, unclip_ratio: 1.4}\n"}) {
    EXPECT_EQ(DeriveSettings(SmallEntry(), yml, {7, "cc"}).status().code(), StatusCode::kCorruptModel) << yml;
  }
}

}  // namespace
}  // namespace inkread::models
