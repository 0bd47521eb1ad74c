// Jobs as one submission, without a device.
#include "backends/gpu/submission.h"

#include <gtest/gtest.h>

#include <functional>

namespace inkread::gpu {
namespace {

// A list with these dispatches, given by level and phase.
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

// A job that makes a part of so many floats of another one's input, and a job with an input of so many.
DispatchList Part(uint64_t floats) {
  DispatchList list = Of({{0, 0}, {1, 0}}, 1000);
  list.image_bytes = 10;
  list.output_bytes = floats * 4;
  list.writes_whole_output = true;
  return list;
}
DispatchList Whole(uint64_t floats) {
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

TEST(SubmissionTest, AJobBeginsAfterAllPartsOfItsInputWhereverTheyAre) {
  const DispatchList alone = Of({{0, 0}, {1, 0}}), quick = Of({{0, 0}}), slow = Of({{0, 0}, {3, 0}});
  const DispatchList whole = Of({{0, 0}, {2, 0}});
  const Member members[] = {{&slow, 0, false, 1}, {&whole, 1, true}, {&alone, 2}, {&quick, 3, false, 1}};
  const std::vector<Submitted> expected = {
      {0, 0, false}, {2, 0, false}, {3, 0, false},  // level 0
      {2, 1, true},                                 // level 1
      {0, 1, true},                                 // level 3
      {1, 0, true},                                 // level 4, its own first
      {1, 1, true},
  };
  EXPECT_EQ(InOrder(members), expected);
}

TEST(SubmissionTest, BlocksAreConsecutive) {
  Packer packer;
  EXPECT_EQ(packer.Add(1), 0u);
  EXPECT_EQ(packer.Add(0), kBlockAlignment);
  EXPECT_EQ(packer.Add(kBlockAlignment), kBlockAlignment);
  EXPECT_EQ(packer.size_bytes(), 2 * kBlockAlignment);
}

TEST(SubmissionTest, OutputsAreBeforeTheBlocksOrInTheInputThatTheyArePartsOf) {
  const DispatchList a = Part(5), b = Part(6), whole = Whole(11);
  const Member members[] = {{&b, 0, false, 2, 20}, {&a, 1, false, 2, 0}, {&whole, 2, true}, {&whole, 3}};
  const MemoryLayout layout = LayOut(members);
  // Two outputs of 100 bytes, two blocks of 1000, two of 2000.
  EXPECT_EQ(layout.places[2].output, 0u);
  EXPECT_EQ(layout.places[3].output, 256u);
  EXPECT_EQ(layout.places[0].block, 512u);
  EXPECT_EQ(layout.places[1].block, 512u + 1024);
  EXPECT_EQ(layout.places[2].block, 512u + 2048);
  EXPECT_EQ(layout.places[3].block, 512u + 2048 + 2048);
  EXPECT_EQ(layout.size_bytes, 512u + 2048 + 2048 + 2048);
  EXPECT_EQ(layout.places[0].output, layout.places[2].block + 512 + 20);
  EXPECT_EQ(layout.places[1].output, layout.places[2].block + 512);
}

// The number of members in each submission.
std::vector<size_t> SizesOf(std::span<const Member> members, uint64_t max_bytes) {
  std::vector<size_t> sizes;
  for (const auto& submission : SubmissionsOf(members, max_bytes)) sizes.push_back(submission.size());
  return sizes;
}

TEST(SubmissionTest, ARunIsCutWhereItTakesTooMuch) {
  const DispatchList list = Of({}, 1000);  // 1024 bytes each
  const std::vector<Member> members(5, {&list});
  EXPECT_EQ(SizesOf(members, 3 * 1024), (std::vector<size_t>{3, 2}));
  EXPECT_EQ(SizesOf(members, 3 * 1024 - 1), (std::vector<size_t>{2, 2, 1}));
  EXPECT_EQ(SizesOf(members, 1 << 20), (std::vector<size_t>{5}));
  EXPECT_EQ(SizesOf(members, 10), (std::vector<size_t>(5, 1)));  // one runs in any case
  EXPECT_TRUE(SubmissionsOf({}, 10).empty());
}

TEST(SubmissionTest, PartsRunWithTheJobWhoseInputTheyMake) {
  const DispatchList a = Part(5), whole = Whole(10);
  // Two groups of three, mixed up.
  const std::vector<Member> members = {{&whole, 0, true},     {&a, 1, false, 5, 0}, {&a, 2, false, 0, 20},
                                       {&a, 3, false, 5, 20}, {&a, 4, false, 0, 0}, {&whole, 5, true}};
  constexpr uint64_t kGroup = 2 * 1024 + 2048 + 256;
  EXPECT_EQ(SizesOf(members, 2 * kGroup), (std::vector<size_t>{6}));
  EXPECT_EQ(SizesOf(members, 2 * kGroup - 1), (std::vector<size_t>{3, 3}));
  EXPECT_EQ(SizesOf(members, 10), (std::vector<size_t>{3, 3}));
  for (const uint64_t max_bytes : {uint64_t{10}, 2 * kGroup}) {
    size_t num_parts = 0;
    for (const auto& submission : SubmissionsOf(members, max_bytes)) {
      for (const Member& m : submission) {
        if (!m.part_of) continue;
        ++num_parts;
        EXPECT_EQ(submission.at(*m.part_of).job, *members[m.job].part_of);
        EXPECT_EQ(m.part_at_bytes, members[m.job].part_at_bytes);
      }
    }
    EXPECT_EQ(num_parts, 4u);
  }
}

// Two jobs that make the input of a third, before and after it, and one of its own.
struct Fixture {
  std::vector<DispatchList> lists = {Part(5), Whole(12), Part(7), Whole(3)};
  NoImage image;
  std::vector<float> floats = std::vector<float>(64);
  std::vector<Job> jobs = {{nullptr, &image},
                           {nullptr, std::vector<InputPart>{{0, 7}, {2, 0}}, floats.data()},
                           {nullptr, &image},
                           {nullptr, floats.data(), floats.data()}};
  std::vector<InputPart>& parts() { return std::get<std::vector<InputPart>>(jobs[1].input); }
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
  EXPECT_EQ(m[0].part_of, 1u);
  EXPECT_EQ(m[0].part_at_bytes, 28u);
  EXPECT_EQ(m[2].part_of, 1u);
  EXPECT_EQ(m[2].part_at_bytes, 0u);
  EXPECT_TRUE(m[1].has_parts);
  EXPECT_FALSE(m[3].has_parts);
  const auto host = [](const Member& member) {
    return std::array{member.host_input_bytes(), member.host_output_bytes(), member.host_old_output_bytes()};
  };
  EXPECT_EQ(host(m[0]), (std::array<uint64_t, 3>{0, 0, 0}));
  EXPECT_EQ(host(m[1]), (std::array<uint64_t, 3>{0, 100, 100}));
  EXPECT_EQ(host(m[3]), (std::array<uint64_t, 3>{12, 100, 100}));
}

TEST(SubmissionTest, WhatJobsMayNotBeIsRefused) {
  const std::pair<const char*, std::function<void(Fixture&)>> faults[] = {
      {"job 0 of a run reads an image and has none", [](Fixture& f) { f.jobs[0].input = f.floats.data(); }},
      {"job 3 of a run has an image that it does not read", [](Fixture& f) { f.jobs[3].input = &f.image; }},
      {"job 3 of a run has no input", [](Fixture& f) { f.jobs[3].input = JobInput(); }},
      {"job 1 of a run has no output", [](Fixture& f) { f.jobs[1].output = nullptr; }},
      {"job 1 of a run has job 1 as a part of its input", [](Fixture& f) { f.parts()[0].job = 1; }},
      {"job 1 of a run has job 4 as a part of its input", [](Fixture& f) { f.parts()[0].job = 4; }},
      {"job 1 of a run has job 2 as a part of its input, which is one already",
       [](Fixture& f) { f.parts()[0].job = 2; }},
      {"job 3 of a run has job 2 as a part of its input, which is one already",
       [](Fixture& f) {
         f.lists[3] = Whole(7);
         f.jobs[3].input = std::vector<InputPart>{{2, 0}};
       }},
      {"job 1 of a run is a part of an input and has parts itself",
       [](Fixture& f) {
         f.lists[3].input_bytes = 100;
         f.jobs[1].output = nullptr;
         f.jobs[3].input = std::vector<InputPart>{{1, 0}};
       }},
      {"job 2 of a run is a part of an input and has an output of its own",
       [](Fixture& f) { f.jobs[2].output = f.floats.data(); }},
      {"job 1 of a run has parts that do not give each float once", [](Fixture& f) { f.parts()[0].first_float = 8; }},
      {"job 1 of a run has parts that do not give each float once", [](Fixture& f) { f.parts()[0].first_float = 6; }},
      {"job 1 of a run has parts that do not give each float once", [](Fixture& f) { f.lists[1].input_bytes += 4; }},
      {"job 2 of a run is a part of an input and may leave words of its output as they are",
       [](Fixture& f) { f.lists[2].writes_whole_output = false; }},
      {"job 0 of a run is a part of an input that begins in the middle of four floats",
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
