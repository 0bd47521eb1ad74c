#include "apps/bench/run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace inkread {
namespace {

std::vector<BenchImage> Images(int count) {
  std::vector<BenchImage> images;
  for (int i = 0; i < count; ++i) {
    BenchImage& image = images.emplace_back();
    image.file = std::to_string(i) + ".png";
    image.image.width_px = i + 1;
    image.image.height_px = 1;
  }
  return images;
}

Reading ReadingOf(const ImageView& view) {
  Reading reading;
  reading.lines.emplace_back().text = std::to_string(view.width_px);
  return reading;
}

void NoProgress(int64_t, int64_t) {}

TEST(BenchRunTest, WarmingRoundsDoNotCount) {
  std::atomic<int> calls = 0;
  const auto read = [&](const ImageView& view) -> Result<Reading> {
    Reading reading = ReadingOf(view);
    reading.ms.detect = ++calls;  // 1 and 2 while warming, then 3 to 8
    return reading;
  };
  int64_t last = 0;
  const auto progress = [&](int64_t done, int64_t total) {
    EXPECT_GE(done, last);
    EXPECT_EQ(total, 8);
    last = done;
  };
  const Result<BenchTimes> times = RunBench(Images(2), read, {1, 1, 3}, progress);
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(calls, 8);
  EXPECT_EQ(last, 8);
  EXPECT_EQ(times->rounds_ms.size(), 3u);
  EXPECT_GE(times->used.cpu_s, 0);
  ASSERT_EQ(times->images.size(), 2u);
  EXPECT_EQ(times->images[0].rounds_ms.size(), 3u);
  EXPECT_EQ(times->images[0].reading.ms.detect, 5);  // median of 3, 5, 7
  EXPECT_EQ(times->images[1].reading.ms.detect, 6);
  EXPECT_EQ(times->images[1].reading.lines[0].text, "2");
}

TEST(BenchRunTest, WorkersReadSideBySide) {
  std::mutex mutex;
  std::condition_variable all_in;
  int inside = 0;
  const auto read = [&](const ImageView& view) -> Result<Reading> {
    std::unique_lock<std::mutex> lock(mutex);
    ++inside;
    all_in.notify_all();
    // Nobody leaves before all three are in.
    if (!all_in.wait_for(lock, std::chrono::seconds(60), [&] { return inside >= 3; })) {
      return Status(StatusCode::kInternal, "read alone");
    }
    return ReadingOf(view);
  };
  const Result<BenchTimes> times = RunBench(Images(3), read, {3, 0, 1}, NoProgress);
  ASSERT_TRUE(times.ok()) << times.status().message();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(times->images[static_cast<size_t>(i)].reading.lines[0].text, std::to_string(i + 1));
  }
}

TEST(BenchRunTest, AnImageThatFailsIsNamed) {
  const auto read = [](const ImageView& view) -> Result<Reading> {
    if (view.width_px == 2) return Status(StatusCode::kOutOfMemory, "too much");
    return ReadingOf(view);
  };
  const Result<BenchTimes> times = RunBench(Images(3), read, {}, NoProgress);
  EXPECT_EQ(times.status().code(), StatusCode::kOutOfMemory);
  EXPECT_EQ(times.status().message(), "1.png: too much");
}

TEST(BenchRunTest, ImagesCanBeDecodedAnewForEachReading) {
  std::vector<BenchImage> images = Images(2);
  std::atomic<int> calls = 0;
  images[1].decode = [&]() -> Result<DecodedImage> {
    DecodedImage image;
    image.width_px = 7;
    image.height_px = 1;
    if (++calls == 3) return Status(StatusCode::kCorruptImage, "cut");
    return image;
  };
  const auto read = [](const ImageView& view) -> Result<Reading> { return ReadingOf(view); };
  const Result<BenchTimes> times = RunBench(images, read, {1, 1, 1}, NoProgress);
  ASSERT_TRUE(times.ok()) << times.status().message();
  EXPECT_EQ(times->images[0].reading.lines[0].text, "1");
  EXPECT_EQ(times->images[1].reading.lines[0].text, "7");
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(RunBench(images, read, {1, 0, 1}, NoProgress).status().message(), "1.png: cut");
}

TEST(BenchRunTest, RoundsThatDisagreeAreAnError) {
  std::atomic<int> calls = 0;
  const auto read = [&](const ImageView& view) -> Result<Reading> {
    Reading reading = ReadingOf(view);
    if (++calls == 4) reading.lines[0].text = "other";
    return reading;
  };
  const Result<BenchTimes> times = RunBench(Images(2), read, {1, 0, 2}, NoProgress);
  EXPECT_EQ(times.status().code(), StatusCode::kInternal);
  EXPECT_EQ(times.status().message(), "1.png: round 2 gave other lines than the first one");
}

TEST(BenchRunTest, MiddlesAndRanks) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 3}), 2.5);
  std::vector<double> values;
  for (int i = 20; i >= 1; --i) values.push_back(i);
  EXPECT_EQ(Mean(values), 10.5);
  EXPECT_EQ(Percentile(values, 0.95), 19);
  EXPECT_EQ(Percentile({7}, 0.95), 7);
  EXPECT_EQ(Percentile(values, 0.01), 1);
}

}  // namespace
}  // namespace inkread
