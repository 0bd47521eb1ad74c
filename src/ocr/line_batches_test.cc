#include "ocr/line_batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace inkread {
namespace {

using Lines = std::vector<size_t>;

std::vector<Lines> LinesOf(const std::vector<LineBatch>& batches) {
  std::vector<Lines> lines;
  for (const LineBatch& batch : batches) lines.push_back(batch.lines);
  return lines;
}

TEST(MakeBatchesTest, OnlyEqualWidthsShareABatch) {
  const std::vector<int> widths = {200, 320, 200, 320, 200, 208, 200, 200};
  const auto batches = MakeBatches(widths, 1);
  EXPECT_EQ(LinesOf(batches), (std::vector<Lines>{{0, 2, 4, 6}, {1, 3}, {5}, {7}}));
  for (const LineBatch& batch : batches) {
    for (size_t line : batch.lines) EXPECT_EQ(widths[line], batch.width);
  }
}

TEST(MakeBatchesTest, ThereAreAboutTwoBatchesPerThread) {
  const std::vector<int> widths(16, 200);
  for (const auto& [num_threads, max_lines] : {std::pair{1, 4u}, {2, 4u}, {4, 2u}, {8, 1u}, {64, 1u}}) {
    const auto batches = MakeBatches(widths, num_threads);
    EXPECT_EQ(batches.size(), 16 / max_lines) << num_threads;
    for (const LineBatch& batch : batches) EXPECT_EQ(batch.lines.size(), max_lines) << num_threads;
  }
}

TEST(MakeBatchesTest, ABatchHasAtMost1600ColumnsOrOneLine) {
  EXPECT_EQ(LinesOf(MakeBatches(std::vector<int>(8, 400), 1)), (std::vector<Lines>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(LinesOf(MakeBatches(std::vector<int>(8, 408), 1)), (std::vector<Lines>{{0, 1, 2}, {3, 4, 5}, {6, 7}}));
  EXPECT_EQ(LinesOf(MakeBatches(std::vector<int>(8, 1608), 1)).size(), 8u);
}

TEST(MakeBatchesTest, WideBatchesComeFirstAndEveryLineComesOnce) {
  std::vector<int> widths;
  for (int i = 0; i < 100; ++i) widths.push_back(192 + 8 * (i * 37 % 50));
  const auto batches = MakeBatches(widths, 2);
  std::multiset<size_t> seen;
  for (size_t i = 0; i < batches.size(); ++i) {
    EXPECT_GE(batches[i == 0 ? 0 : i - 1].columns(), batches[i].columns());
    seen.insert(batches[i].lines.begin(), batches[i].lines.end());
  }
  EXPECT_EQ(seen.size(), widths.size());
  EXPECT_EQ(std::set<size_t>(seen.begin(), seen.end()).size(), widths.size());
  EXPECT_TRUE(MakeBatches({}, 2).empty());
}

TEST(MakeSingleBatchesTest, EachLineIsAlone) {
  EXPECT_EQ(LinesOf(MakeSingleBatches(3, 160)), (std::vector<Lines>{{0}, {1}, {2}}));
  EXPECT_EQ(MakeSingleBatches(1, 160)[0].width, 160);
}

TEST(MakeWavesTest, EachBatchIsAWaveUnlessTheModelPrefersBatchedRuns) {
  const auto batches = MakeSingleBatches(5, 320);
  const auto waves = MakeWaves(batches, 48, false);
  ASSERT_EQ(waves.size(), 5u);
  for (size_t i = 0; i < waves.size(); ++i) {
    EXPECT_EQ(waves[i].data(), &batches[i]);
    EXPECT_EQ(waves[i].size(), 1u);
  }
  EXPECT_EQ(MakeWaves(batches, 48, true).size(), 1u);
  EXPECT_TRUE(MakeWaves({}, 48, true).empty());
}

TEST(MakeWavesTest, AWaveTakesABoundedNumberOfFloatsOrOneBatch) {
  // A batch of 16000 columns has 48 * 16000 * 3 floats; three have less than 8 Mi, four more.
  std::vector<LineBatch> batches = MakeSingleBatches(7, 16000);
  std::vector<size_t> sizes;
  for (const auto& wave : MakeWaves(batches, 48, true)) sizes.push_back(wave.size());
  EXPECT_EQ(sizes, (std::vector<size_t>{3, 3, 1}));
  batches = MakeSingleBatches(2, 160000);
  sizes.clear();
  for (const auto& wave : MakeWaves(batches, 48, true)) sizes.push_back(wave.size());
  EXPECT_EQ(sizes, (std::vector<size_t>{1, 1}));
}

}  // namespace
}  // namespace inkread
