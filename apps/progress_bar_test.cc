#include "apps/progress_bar.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inkread {
namespace {

using Unit = ProgressBar::Unit;

TEST(ProgressBarTest, LineShowsLabelShareAmountAndTimeLeft) {
  EXPECT_EQ(ProgressLine({Unit::kBytes, "rec.onnx", 10'579'689, 21'159'378}, 80),
            "rec.onnx  [###############...............]  10.6 / 21.2 MB");
  EXPECT_EQ(ProgressLine({Unit::kCount, "images", 0, 9}, 80), "images  [..............................]  0 / 9");
  EXPECT_EQ(ProgressLine({Unit::kCount, "x", 5, 20, 2.5}, 80),
            "x  [#######.......................]  5 / 20  2.5/s  0:06 left");
  EXPECT_EQ(ProgressLine({Unit::kBytes, "x", 5'000'000, 20'000'000, 1.5e6}, 80),
            "x  [#######.......................]  5.0 / 20.0 MB  1.5 MB/s  0:10 left");
}

TEST(ProgressBarTest, LineStaysInsideTheTerminalAndTheBar) {
  EXPECT_EQ(ProgressLine({Unit::kBytes, "rec.onnx", 1, 2}, 10), "0.0 / 0.0");
  EXPECT_EQ(ProgressLine({Unit::kCount, "x", 12, 9}, 80), "x  [##############################]  12 / 9");
  EXPECT_EQ(ProgressLine({Unit::kCount, "x", 0, 0}, 80), "x  [..............................]  0 / 0");
}

TEST(ProgressBarTest, FortyColumnsAreEnoughForAMillion) {
  EXPECT_EQ(ProgressLine({Unit::kCount, "reading", 31, 80, 4.1}, 40), "reading  31 / 80  4.1/s  0:12 left");
  EXPECT_EQ(ProgressLine({Unit::kCount, "reading", 8, 80}, 40), "reading  [##..................]  8 / 80");
  EXPECT_EQ(ProgressLine({Unit::kCount, "reading", 250'000, 1'000'000, 99.94}, 40),
            "250000 / 1000000  99.9/s  2:05:05 left");
  EXPECT_EQ(ProgressLine({Unit::kCount, "reading", 1'000'000, 9'000'000, 123.4}, 40),
            "1000000 / 9000000  123/s  18:00:30 left");
  EXPECT_EQ(ProgressLine({Unit::kCount, "reading", 10'000'000, 90'000'000, 123.4}, 40),
            "10000000 / 90000000  123/s  8 days left");
  for (int64_t total = 1; total < 1'000'000'000; total *= 7) {
    for (double rate = 1e-3; rate < 1e5; rate *= 3) {
      EXPECT_LT(ProgressLine({Unit::kCount, "reading", total / 2, total, rate}, 40).size(), 40u);
    }
  }
}

TEST(ProgressBarTest, DurationsHaveHoursWhereNeeded) {
  const std::pair<double, const char*> cases[] = {{0, "0:00"},           {59.4, "0:59"},      {59.6, "1:00"},
                                                  {3600, "1:00:00"},     {7325.2, "2:02:05"}, {47.9 * 3600, "47:54:00"},
                                                  {48 * 3600, "2 days"}, {9e6, "104 days"}};
  for (const auto& [seconds, text] : cases) EXPECT_EQ(DurationText(seconds), text);
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
