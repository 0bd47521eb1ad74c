// Which device is taken, without a device.
#include "backends/gpu/gpu_info.h"

#include <gtest/gtest.h>

#include <vector>

namespace inkread::gpu {
namespace {

const std::vector<GpuInfo> kDevices = {
    {0, "Old Chip", "", "", "it has no queue for computing", ""},
    {1, "Software", "", "", "", "it computes on the CPU"},
    {2, "Fine 3000", "", "", "", ""},
    {3, "Fine 4000", "", "", "", ""},
};

TEST(ChooseDeviceTest, TheDefaultIsTheFirstThatQualifies) {
  EXPECT_EQ(ChooseDevice(kDevices, "", "Api").value(), 2u);
  const auto none = ChooseDevice(std::span(kDevices).first(2), "", "Api");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.status().code(), StatusCode::kUnsupported);
  for (const char* part : {"Api", "0 Old Chip", "no queue", "1 Software", "on the CPU"})
    EXPECT_NE(none.status().message().find(part), std::string::npos) << part;
}

TEST(ChooseDeviceTest, AskedForAnyThatCanBeUsedIsTaken) {
  EXPECT_EQ(ChooseDevice(kDevices, "1", "Api").value(), 1u);
  EXPECT_EQ(ChooseDevice(kDevices, "SOFT", "Api").value(), 1u);
  EXPECT_EQ(ChooseDevice(kDevices, "fine", "Api").value(), 2u);
  EXPECT_EQ(ChooseDevice(kDevices, "e 4", "Api").value(), 3u);
  for (const char* wanted : {"0", "old", "7", "abacus"})
    EXPECT_EQ(ChooseDevice(kDevices, wanted, "Api").status().code(), StatusCode::kUnsupported) << wanted;
}

}  // namespace
}  // namespace inkread::gpu
