#include "runtime/selection.h"

#include <gtest/gtest.h>

#include "runtime/backend_registry.h"

namespace inkread {
namespace {

const DeviceInfo kCpu{OcrBackend::kCpu, 0, "cpu avx3", "", "", ""};
const DeviceInfo kNoVulkan{OcrBackend::kVulkan, -1, "", "", "no loader", ""};
const DeviceInfo kSoftware{OcrBackend::kVulkan, 0, "llvmpipe", "", "", "it is a software driver"};
const DeviceInfo kGpu{OcrBackend::kVulkan, 1, "NVIDIA H200", "", "", ""};
const DeviceInfo kOldGpu{OcrBackend::kVulkan, 2, "Old one", "", "no compute queue", ""};
const DeviceInfo kGpu3{OcrBackend::kVulkan, 3, "NVIDIA H200", "", "", ""};
const DeviceInfo kApple{OcrBackend::kMetal, 0, "Apple M1", "", "", ""};
const DeviceInfo kIntelMac{OcrBackend::kMetal, 0, "Intel Iris", "", "", "its family is older than Apple7"};

const DeviceChoice kCpuPrecise{OcrBackend::kCpu, "", false}, kCpuFast{OcrBackend::kCpu, "", true};

struct Row {
  const char* why;
  DeviceWish wish;
  std::vector<DeviceInfo> machine;
  std::vector<DeviceChoice> expected;
};

constexpr OcrBackend kAuto = OcrBackend::kAuto, kVulkan = OcrBackend::kVulkan, kMetal = OcrBackend::kMetal;
constexpr Precision automatic = Precision::kAuto, precise = Precision::kPrecise, fast = Precision::kFast;

void ExpectChoices(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto choices = ChooseDevices(row.wish, [&row] { return row.machine; });
    ASSERT_TRUE(choices.ok()) << row.why << ": " << choices.status().message();
    EXPECT_EQ(*choices, row.expected) << row.why;
  }
}

TEST(SelectionTest, OptionsComeBeforeTheEnvironmentAndThatBeforeTheMachine) {
  ExpectChoices({
      {"the option says cpu", {OcrBackend::kCpu, {}, "", automatic}, {kCpu, kGpu, kApple}, {kCpuPrecise}},
      {"cpu, fast", {OcrBackend::kCpu, {}, "", fast}, {kCpu, kGpu}, {kCpuFast}},
      {"the environment does not change an option",
       {OcrBackend::kCpu, {}, "metal", automatic},
       {kCpu, kApple},
       {kCpuPrecise}},
      {"the option says vulkan, though Metal is there",
       {kVulkan, {}, "", automatic},
       {kCpu, kApple},
       {{kVulkan, "", true}, kCpuPrecise}},
      {"vulkan, precise", {kVulkan, {"h200"}, "", precise}, {kCpu, kGpu}, {{kVulkan, "h200", false}, kCpuPrecise}},
      {"the option says metal", {kMetal, {}, "cpu", automatic}, {kCpu, kGpu}, {{kMetal, "", true}, kCpuPrecise}},
      {"the environment says cpu", {kAuto, {}, "cpu", automatic}, {kCpu, kGpu, kApple}, {kCpuPrecise}},
      {"the environment says vulkan",
       {kAuto, {}, "vulkan", automatic},
       {kCpu, kApple},
       {{kVulkan, "", true}, kCpuPrecise}},
      {"the environment says auto", {kAuto, {}, "auto", automatic}, {kCpu, kGpu}, {{kVulkan, "1", true}, kCpuPrecise}},
      {"Metal goes before Vulkan",
       {kAuto, {}, "", automatic},
       {kCpu, kGpu, kApple},
       {{kMetal, "0", true}, kCpuPrecise}},
      {"a Mac that does not qualify, with a Vulkan that does",
       {kAuto, {}, "", automatic},
       {kCpu, kIntelMac, kGpu},
       {{kVulkan, "1", true}, kCpuPrecise}},
      {"no Mac, a GPU behind a software driver",
       {kAuto, {}, "", automatic},
       {kCpu, kSoftware, kGpu},
       {{kVulkan, "1", true}, kCpuPrecise}},
      {"only a software driver", {kAuto, {}, "", automatic}, {kCpu, kSoftware}, {kCpuPrecise}},
      {"only a GPU that cannot be used", {kAuto, {}, "", fast}, {kCpu, kOldGpu}, {kCpuFast}},
      {"no loader", {kAuto, {}, "", automatic}, {kCpu, kNoVulkan}, {kCpuPrecise}},
      {"auto, precise", {kAuto, {}, "", precise}, {kCpu, kGpu}, {{kVulkan, "1", false}, kCpuPrecise}},
      {"auto, fast", {kAuto, {}, "", fast}, {kCpu, kGpu}, {{kVulkan, "1", true}, kCpuFast}},
  });
}

TEST(SelectionTest, NamedDevicesAndAllOfThem) {
  ExpectChoices({
      {"auto and a name: also one that is not a default device",
       {kAuto, {"LLVM"}, "", automatic},
       {kCpu, kSoftware, kGpu},
       {{kVulkan, "0", true}, kCpuPrecise}},
      {"several, in the order of their names, one of them twice",
       {kVulkan, {"3", "h200", "3"}, "", automatic},
       {kCpu, kGpu, kGpu3},
       {{kVulkan, "3", true}, {kVulkan, "h200", true}, {kVulkan, "3", true}, kCpuPrecise}},
      {"the same with auto",
       {kAuto, {"3", "h200", "3"}, "", precise},
       {kCpu, kGpu, kGpu3},
       {{kVulkan, "3", false}, {kVulkan, "1", false}, {kVulkan, "3", false}, kCpuPrecise}},
      {"auto takes those of one backend, the first that has all",
       {kAuto, {"0", "1"}, "", automatic},
       {kCpu, kSoftware, kGpu, kApple},
       {{kVulkan, "0", true}, {kVulkan, "1", true}, kCpuPrecise}},
      {"all default devices",
       {kVulkan, {kAllDevices}, "", automatic},
       {kCpu, kSoftware, kGpu, kOldGpu, kGpu3, kApple},
       {{kVulkan, "1", true}, {kVulkan, "3", true}, kCpuPrecise}},
      {"all, though there are none: opening says why",
       {kVulkan, {kAllDevices}, "", automatic},
       {kCpu, kSoftware},
       {{kVulkan, "", true}, kCpuPrecise}},
      {"auto and all",
       {kAuto, {kAllDevices}, "", automatic},
       {kCpu, kSoftware, kGpu, kIntelMac, kGpu3},
       {{kVulkan, "1", true}, {kVulkan, "3", true}, kCpuPrecise}},
      {"auto and all, though there are none", {kAuto, {kAllDevices}, "", automatic}, {kCpu, kSoftware}, {kCpuPrecise}},
      {"auto and an index",
       {kAuto, {"1"}, "", automatic},
       {kCpu, kSoftware, kGpu},
       {{kVulkan, "1", true}, kCpuPrecise}},
  });
}

TEST(SelectionTest, ANumberThatIsNoBackendIsRefused) {
  const auto choices =
      ChooseDevices({static_cast<OcrBackend>(99), {}, "", automatic}, [] { return std::vector<DeviceInfo>{kCpu}; });
  EXPECT_EQ(choices.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(choices.status().message().find(BackendChoices()), std::string::npos) << choices.status().message();
}

TEST(SelectionTest, WhatCannotBeMeantIsRefused) {
  const auto machine = [] { return std::vector<DeviceInfo>{kCpu, kSoftware, kOldGpu}; };
  const auto abacus = ChooseDevices({OcrBackend::kAuto, {}, "abacus", Precision::kAuto}, machine);
  EXPECT_EQ(abacus.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(abacus.status().message().find("'abacus'"), std::string::npos);
  // One that is not there, and one that cannot be used.
  for (const char* device : {"Radeon", "Old"}) {
    const auto none = ChooseDevices({OcrBackend::kAuto, {device}, "", Precision::kAuto}, machine);
    EXPECT_EQ(none.status().code(), StatusCode::kUnsupported);
    EXPECT_NE(none.status().message().find("vulkan 0: llvmpipe"), std::string::npos) << none.status().message();
  }
  // No backend has both.
  const auto two = ChooseDevices({OcrBackend::kAuto, {"llvm", "apple"}, "", Precision::kAuto}, [] {
    return std::vector<DeviceInfo>{kSoftware, kApple};
  });
  EXPECT_EQ(two.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(two.status().message().find("'llvm', 'apple'"), std::string::npos) << two.status().message();
  for (OcrBackend backend : {OcrBackend::kAuto, OcrBackend::kVulkan}) {
    for (const char* wrong : {kAllDevices, ""}) {
      const auto choices = ChooseDevices({backend, {"0", wrong}, "", Precision::kAuto}, machine);
      EXPECT_EQ(choices.status().code(), StatusCode::kInvalidArgument) << wrong;
    }
  }
}

TEST(SelectionTest, TheMachineIsNotAskedWhereItDoesNotMatter) {
  const auto never = []() -> std::vector<DeviceInfo> {
    ADD_FAILURE() << "listed";
    return {};
  };
  for (OcrBackend backend : {OcrBackend::kCpu, OcrBackend::kVulkan, OcrBackend::kMetal}) {
    EXPECT_TRUE(ChooseDevices({backend, {}, "", Precision::kAuto}, never).ok());
    EXPECT_TRUE(ChooseDevices({OcrBackend::kAuto, {}, BackendRowName(backend), Precision::kAuto}, never).ok());
  }
}

}  // namespace
}  // namespace inkread
