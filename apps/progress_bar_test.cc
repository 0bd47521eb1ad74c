#include "apps/progress_bar.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inkread {
namespace {

using Unit = ProgressBar::Unit;

TEST(ProgressBarTest, LineShowsLabelShareAndAmount) {
  EXPECT_EQ(ProgressLine(Unit::kBytes, "rec.onnx", 10'579'689, 21'159'378, 80),
            "rec.onnx  [###############...............]  10.6 / 21.2 MB");
  EXPECT_EQ(ProgressLine(Unit::kCount, "images", 0, 9, 80), "images  [..............................]  0 / 9");
}

TEST(ProgressBarTest, LineStaysInsideTheTerminalAndTheBar) {
  EXPECT_EQ(ProgressLine(Unit::kBytes, "rec.onnx", 1, 2, 10), "rec.onnx ");
  EXPECT_EQ(ProgressLine(Unit::kCount, "x", 12, 9, 80), "x  [##############################]  12 / 9");
  EXPECT_EQ(ProgressLine(Unit::kCount, "x", 0, 0, 80), "x  [..............................]  0 / 0");
}

TEST(ProgressBarTest, IsSilentWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(Unit::kCount, /*visible=*/false);
    bar.Update("x", 1, 2);
    bar.Hide();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressBarTest, RedrawsOneLineALabel) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(Unit::kCount, /*visible=*/true);
    bar.Update("x", 0, 2);
    bar.Update("x", 1, 2);  // too soon to be worth a redraw
    bar.Update("x", 2, 2);
    bar.Update("y", 0, 1);
  }
  const std::string out = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(out.begin(), out.end(), '\r'), 3);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 2);
  EXPECT_NE(out.find("2 / 2\n"), std::string::npos);
}

}  // namespace
}  // namespace inkread
