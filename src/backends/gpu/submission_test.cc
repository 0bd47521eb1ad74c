// Jobs as one submission, without a device.
#include "backends/gpu/submission.h"

#include <gtest/gtest.h>

namespace inkread::gpu {
namespace {

// Dispatches by level and phase.
DispatchList Of(std::vector<std::pair<uint32_t, uint32_t>> dispatches, uint64_t size_bytes = 0) {
  DispatchList list;
  list.layout.size_bytes = size_bytes;
  for (const auto& [level, phase] : dispatches) {
    Dispatch& dispatch = list.dispatches.emplace_back();
    dispatch.level = level;
    dispatch.phase = phase;
  }
  return list;
}

TEST(SubmissionTest, LevelsOfAllJobsRunTogetherAndPhasesOneAfterAnother) {
  const DispatchList a = Of({{0, 0}, {1, 0}, {1, 1}, {1, 0}, {4, 0}});
  const DispatchList b = Of({{1, 0}, {2, 0}});
  const DispatchList* const jobs[] = {&a, &b};
  const std::vector<Submitted> expected = {
      {0, 0, false},                                // level 0
      {0, 1, true},  {0, 3, false}, {1, 0, false},  // level 1
      {0, 2, true},                                 // its second phase
      {1, 1, true},                                 // level 2
      {0, 4, true},                                 // level 4
  };
  EXPECT_EQ(InOrder(jobs), expected);
}

TEST(SubmissionTest, JobsWithoutKernelsTakeNoPart) {
  const DispatchList none = Of({}), one = Of({{3, 0}});
  const DispatchList* const jobs[] = {&none, &one, &none};
  EXPECT_EQ(InOrder(jobs), (std::vector<Submitted>{{1, 0, false}}));
  EXPECT_TRUE(InOrder(std::span(jobs).first(1)).empty());
}

TEST(SubmissionTest, BlocksLieOneBehindAnother) {
  Packer packer;
  EXPECT_EQ(packer.Add(1), 0u);
  EXPECT_EQ(packer.Add(0), kBlockAlignment);
  EXPECT_EQ(packer.Add(kBlockAlignment), kBlockAlignment);
  EXPECT_EQ(packer.size_bytes(), 2 * kBlockAlignment);
}

TEST(SubmissionTest, JobsAreCutWhereTheyTakeTooMuch) {
  const DispatchList list = Of({}, 1000);  // 1024 bytes each
  const std::vector<const DispatchList*> jobs(5, &list);
  EXPECT_EQ(CountTogether(jobs, 3 * 1024), 3u);
  EXPECT_EQ(CountTogether(jobs, 3 * 1024 - 1), 2u);
  EXPECT_EQ(CountTogether(jobs, 1 << 20), 5u);
  EXPECT_EQ(CountTogether(jobs, 10), 1u);  // one runs in any case
}

}  // namespace
}  // namespace inkread::gpu
