// Jobs as one submission, without a device.
#include "backends/gpu/submission.h"

#include <gtest/gtest.h>

#include <functional>

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

// What feeds so many floats to another, and what is fed.
DispatchList Feeding(uint64_t floats) {
  DispatchList list = Of({{0, 0}, {1, 0}}, 1000);
  list.image_bytes = 10;
  list.output_bytes = floats * 4;
  list.writes_whole_output = true;
  return list;
}
DispatchList Fed(uint64_t floats) {
  DispatchList list = Of({{0, 0}, {2, 0}}, 2000);
  list.layout.input = 512;
  list.input_bytes = floats * 4;
  list.output_bytes = 100;
  return list;
}

class NoImage : public DeviceImage {};

TEST(SubmissionTest, LevelsOfAllJobsRunTogetherAndPhasesOneAfterAnother) {
  const DispatchList a = Of({{0, 0}, {1, 0}, {1, 1}, {1, 0}, {4, 0}});
  const DispatchList b = Of({{1, 0}, {2, 0}});
  const Member members[] = {{&a}, {&b}};
  const std::vector<Submitted> expected = {
      {0, 0, false},                                // level 0
      {0, 1, true},  {0, 3, false}, {1, 0, false},  // level 1
      {0, 2, true},                                 // its second phase
      {1, 1, true},                                 // level 2
      {0, 4, true},                                 // level 4
  };
  EXPECT_EQ(InOrder(members), expected);
}

TEST(SubmissionTest, JobsWithoutKernelsTakeNoPart) {
  const DispatchList none = Of({}), one = Of({{3, 0}});
  const Member members[] = {{&none}, {&one}, {&none}};
  EXPECT_EQ(InOrder(members), (std::vector<Submitted>{{1, 0, false}}));
  EXPECT_TRUE(InOrder(std::span(members).first(1)).empty());
}

TEST(SubmissionTest, WhatIsFedBeginsBehindAllThatFeedIt) {
  const DispatchList alone = Of({{0, 0}, {1, 0}}), quick = Of({{0, 0}}), slow = Of({{0, 0}, {3, 0}});
  const DispatchList fed = Of({{0, 0}, {2, 0}});
  const Member members[] = {{&alone}, {&slow, false, 2}, {&quick, false, 1}, {&fed, true}};
  const std::vector<Submitted> expected = {
      {0, 0, false}, {1, 0, false}, {2, 0, false},  // level 0
      {0, 1, true},                                 // level 1
      {1, 1, true},                                 // level 3
      {3, 0, true},                                 // level 4, its own first
      {3, 1, true},
  };
  EXPECT_EQ(InOrder(members), expected);
}

TEST(SubmissionTest, BlocksLieOneBehindAnother) {
  Packer packer;
  EXPECT_EQ(packer.Add(1), 0u);
  EXPECT_EQ(packer.Add(0), kBlockAlignment);
  EXPECT_EQ(packer.Add(kBlockAlignment), kBlockAlignment);
  EXPECT_EQ(packer.size_bytes(), 2 * kBlockAlignment);
}

TEST(SubmissionTest, OutputsLieBeforeTheBlocksOrInWhatTheyFeed) {
  const DispatchList a = Feeding(5), b = Feeding(6), fed = Fed(11);
  const Member members[] = {{&b, false, 2, 20}, {&a, false, 1, 0}, {&fed, true}, {&fed}};
  const Placement placement = PlacesOf(members);
  // Two outputs of 100 bytes, two blocks of 1000, two of 2000.
  EXPECT_EQ(placement.places[2].output, 0u);
  EXPECT_EQ(placement.places[3].output, 256u);
  EXPECT_EQ(placement.places[0].block, 512u);
  EXPECT_EQ(placement.places[1].block, 512u + 1024);
  EXPECT_EQ(placement.places[2].block, 512u + 2048);
  EXPECT_EQ(placement.places[3].block, 512u + 2048 + 2048);
  EXPECT_EQ(placement.size_bytes, 512u + 2048 + 2048 + 2048);
  EXPECT_EQ(placement.places[0].output, placement.places[2].block + 512 + 20);
  EXPECT_EQ(placement.places[1].output, placement.places[2].block + 512);
}

TEST(SubmissionTest, JobsAreCutWhereTheyTakeTooMuch) {
  const DispatchList list = Of({}, 1000);  // 1024 bytes each
  const std::vector<Member> members(5, {&list});
  EXPECT_EQ(CountTogether(members, 3 * 1024), 3u);
  EXPECT_EQ(CountTogether(members, 3 * 1024 - 1), 2u);
  EXPECT_EQ(CountTogether(members, 1 << 20), 5u);
  EXPECT_EQ(CountTogether(members, 10), 1u);  // one runs in any case
}

TEST(SubmissionTest, WhatFeedsStaysWithWhatItFeeds) {
  const DispatchList a = Feeding(5), fed = Fed(10);
  const Member group[] = {{&a, false, 2, 0}, {&a, false, 1, 20}, {&fed, true}};
  std::vector<Member> members(std::begin(group), std::end(group));
  members.insert(members.end(), std::begin(group), std::end(group));
  constexpr uint64_t kGroup = 2 * 1024 + 2048 + 256;
  EXPECT_EQ(CountTogether(members, 2 * kGroup), 6u);
  EXPECT_EQ(CountTogether(members, 2 * kGroup - 1), 3u);
  EXPECT_EQ(CountTogether(members, 10), 3u);
  EXPECT_EQ(CountTogether(std::span(members).subspan(3), 10), 3u);
}

// Two jobs that feed a third, and one of its own.
struct Fixture {
  std::vector<DispatchList> lists = {Feeding(5), Feeding(7), Fed(12), Fed(3)};
  NoImage image;
  std::vector<float> floats = std::vector<float>(64);
  std::vector<Job> jobs = {{nullptr, nullptr, nullptr, &image, 2, 7},
                           {nullptr, nullptr, nullptr, &image, 2, 0},
                           {nullptr, nullptr, floats.data()},
                           {nullptr, floats.data(), floats.data()}};
  Result<std::vector<Member>> Members() const {
    const DispatchList* const pointers[] = {&lists[0], &lists[1], &lists[2], &lists[3]};
    return MembersOf(jobs, pointers);
  }
};

TEST(SubmissionTest, MembersKnowWhatTheHostBringsAndTakes) {
  Fixture f;
  Dispatch& resize = f.lists[0].dispatches[1];
  resize.variant.kind = StepKind::kImageResize;  // the one that may begin anywhere
  resize.in_output = 1;
  const auto members = f.Members();
  ASSERT_TRUE(members.ok()) << members.status().message();
  const auto& m = *members;
  EXPECT_EQ(m[0].fed_ahead, 2u);
  EXPECT_EQ(m[0].feeds_at_bytes, 28u);
  EXPECT_EQ(m[1].fed_ahead, 1u);
  EXPECT_TRUE(m[2].is_fed);
  EXPECT_FALSE(m[3].is_fed);
  const auto host = [](const Member& member) {
    return std::array{member.host_input_bytes(), member.host_output_bytes(), member.host_old_output_bytes()};
  };
  EXPECT_EQ(host(m[0]), (std::array<uint64_t, 3>{0, 0, 0}));
  EXPECT_EQ(host(m[2]), (std::array<uint64_t, 3>{0, 100, 100}));
  EXPECT_EQ(host(m[3]), (std::array<uint64_t, 3>{12, 100, 100}));
}

TEST(SubmissionTest, WhatJobsMayNotBeIsRefused) {
  const std::pair<const char*, std::function<void(Fixture&)>> faults[] = {
      {"job 0 of a run reads an image and has none", [](Fixture& f) { f.jobs[0].image = nullptr; }},
      {"job 3 of a run has an image that it does not read", [](Fixture& f) { f.jobs[3].image = &f.image; }},
      {"job 3 of a run has no input", [](Fixture& f) { f.jobs[3].input = nullptr; }},
      {"job 2 of a run has no output", [](Fixture& f) { f.jobs[2].output = nullptr; }},
      {"job 1 of a run feeds one that does not stand behind it", [](Fixture& f) { f.jobs[1].feeds = 1; }},
      {"job 1 of a run feeds one that does not stand behind it", [](Fixture& f) { f.jobs[1].feeds = 4; }},
      {"job 0 of a run does not feed the next one that feeds none", [](Fixture& f) { f.jobs[0].feeds = 1; }},
      {"job 0 of a run does not feed the next one that feeds none", [](Fixture& f) { f.jobs[0].feeds = 3; }},
      {"job 2 of a run is fed, but not each float of its input once", [](Fixture& f) { f.jobs[0].feeds_at = 8; }},
      {"job 2 of a run is fed, but not each float of its input once", [](Fixture& f) { f.jobs[0].feeds_at = 6; }},
      {"job 2 of a run is fed, but not each float of its input once", [](Fixture& f) { f.lists[2].input_bytes += 4; }},
      {"job 1 of a run feeds another and may leave words of its output as they are",
       [](Fixture& f) { f.lists[1].writes_whole_output = false; }},
      {"job 0 of a run feeds another in the middle of four floats",
       [](Fixture& f) { f.lists[0].dispatches[1].in_output = 1; }},
  };
  for (const auto& [message, plant] : faults) {
    Fixture f;
    ASSERT_TRUE(f.Members().ok());
    plant(f);
    const auto members = f.Members();
    ASSERT_FALSE(members.ok()) << message;
    EXPECT_EQ(members.status().code(), StatusCode::kInternal);
    EXPECT_EQ(members.status().message(), message);
  }
}

}  // namespace
}  // namespace inkread::gpu
