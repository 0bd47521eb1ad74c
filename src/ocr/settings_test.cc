#include "ocr/settings.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

TEST(ModelSettingsTest, ReadsWhatFetchWrites) {
  const auto settings = ParseModelSettings(
      "size tiny\ndet_thresh 0.25\ndet_box_thresh 0.4\ndet_unclip_ratio 1.5\ndet_max_candidates 100\ncls_kind "
      "lcnet_80x160\n"
      "sha256 det.onnx 00ff 1780590\n",
      "settings.txt");
  ASSERT_TRUE(settings.ok()) << settings.status().message();
  EXPECT_EQ(settings->det_thresh, 0.25f);
  EXPECT_EQ(settings->det_box_thresh, 0.4);
  EXPECT_EQ(settings->det_unclip_ratio, 1.5);
  EXPECT_EQ(settings->det_max_candidates, 100);
  EXPECT_EQ(settings->cls_kind, ClsKind::kLcnet);
  EXPECT_EQ(settings->file_bytes.at("det.onnx"), 1780590);
}

TEST(ModelSettingsTest, NamesTheLineThatIsWrong) {
  for (const char* text :
       {"det_thresh\n", "det_thresh much\n", "det_thresh nan\n", "det_thresh 1.5\n", "det_unclip_ratio inf\n",
        "det_max_candidates -1\n", "cls_kind page\n", "sha256 det.onnx 00ff\n"}) {
    const auto settings = ParseModelSettings(std::string("size tiny\n") + text, "settings.txt");
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_EQ(settings.status().code(), StatusCode::kCorruptModel);
    EXPECT_NE(settings.status().message().find("settings.txt: line 2"), std::string::npos)
        << settings.status().message();
  }
}

TEST(ModelSettingsTest, NamesASettingThatIsMissing) {
  for (const char* text :
       {"", "size tiny\n", "det_thresh 0.2\ndet_box_thresh 0.4\ndet_unclip_ratio 1.5\ndet_max_candidates 9\n"}) {
    const auto settings = ParseModelSettings(text, "settings.txt");
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_NE(settings.status().message().find("settings.txt: has no line for "), std::string::npos);
  }
}

}  // namespace
}  // namespace inkread
