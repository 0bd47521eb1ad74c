// Images on Vulkan devices whose memory the host can map, and cannot: the reference's bits, memory is reused, and each
// call that can fail is made to fail.
#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

#include <iterator>
#include <utility>

#include "tests/gpu_images.h"
#include "tests/vulkan/support.h"

namespace inkread {
namespace {

class ImagesTest : public VulkanModelTest {
 protected:
  VulkanOptions OptionsFor(bool reaches_memory) const {
    VulkanOptions options = Options();
    options.reaches_memory = reaches_memory;
    return options;
  }
};

TEST_F(ImagesTest, AreReadWhereverTheHostPutsThem) {
  for (bool reaches_memory : {true, false}) {
    const auto backend = MakeVulkanBackend(OptionsFor(reaches_memory)).value();
    EXPECT_GE(backend->Caps().max_image_bytes, uint64_t{1} << 20);
    for (int side : {1, 2, 30, 31, 200, 7}) {
      const DrawnImage drawn(side, 201 - side, side % 3);
      for (ImagePart part : {ImagePart::kWhole, ImagePart::kLine}) {
        const std::vector<float> expected = ExpectedImage(drawn.view, part);
        EXPECT_TRUE(ReadImage(*backend, drawn.view, part).value() == expected) << side << ' ' << reaches_memory;
      }
    }
  }
}

// Images allocate nothing once as many exist as are in use at a time, and as large ones.
TEST_F(ImagesTest, OfEverChangingSizeUseTheSameMemory) {
  for (bool reaches_memory : {true, false}) {
    VulkanOptions options = OptionsFor(reaches_memory);
    int allocations = 0;
    options.fault = [&allocations](const char* call) {
      allocations += std::string(call) == "vkAllocateMemory";
      return 0;
    };
    const auto backend = MakeVulkanBackend(options).value();
    const DrawnImage largest(100, 100, 0);
    auto first = backend->UploadImage(largest.view).value(), second = backend->UploadImage(largest.view).value();
    const int known = allocations;
    EXPECT_EQ(known, reaches_memory ? 2 : 4);
    for (int side = 1; side <= 100; ++side) {
      const DrawnImage drawn(side, 101 - side, 0);
      (side % 2 != 0 ? first : second).reset();
      (side % 2 != 0 ? first : second) = backend->UploadImage(drawn.view).value();
    }
    EXPECT_EQ(allocations, known);
    EXPECT_TRUE(backend->UploadImage(largest.view).ok());  // a third at the same time
    EXPECT_GT(allocations, known);
  }
}

TEST_F(ImagesTest, MayOutliveTheirBackend) {
  auto backend = MakeVulkanBackend(Options()).value();
  const DrawnImage drawn(10, 10, 0);
  const auto image = backend->UploadImage(drawn.view).value();
  backend.reset();
}

TEST_F(ImagesTest, ThatADevicesBuffersDoNotHoldAreRefused) {
  const auto backend = MakeVulkanBackend(Options()).value();
  // Nothing of it is read.
  const uint8_t pixel = 0;
  const ImageView huge{&pixel, 1 << 17, 1 << 17, ptrdiff_t{3} << 17, PixelFormat::kBgr24};
  EXPECT_EQ(backend->UploadImage(huge).status().code(), StatusCode::kOutOfMemory);
}

TEST_F(ImagesTest, EverySizeOfANetworkIsRightThoughTheHostDoesNotReachTheDevicesMemory) {
  ExpectTheSameBitsInEveryThread(MakeVulkanBackend(OptionsFor(false)).value());
}

TEST_F(ImagesTest, EveryCallThatFailsIsAnErrorAndTheNextReadingIsRight) {
  const DrawnImage drawn(33, 21, 1);
  const std::vector<float> expected = ExpectedImage(drawn.view, ImagePart::kWhole);
  constexpr std::pair<int, StatusCode> kFaults[] = {{VK_ERROR_OUT_OF_DEVICE_MEMORY, StatusCode::kOutOfMemory},
                                                    {VK_ERROR_DEVICE_LOST, StatusCode::kDeviceLost}};
  for (bool reaches_memory : {true, false}) {
    size_t count = 0, failing = SIZE_MAX;
    int fault = 0;
    std::vector<std::string> calls;
    VulkanOptions options = OptionsFor(reaches_memory);
    options.fault = [&](const char* call) {
      if (failing == SIZE_MAX) calls.emplace_back(call);
      return count++ == failing ? fault : 0;
    };
    const auto open = [&] { return MakeVulkanBackend(options).value(); };
    auto backend = open();
    calls.clear();
    ASSERT_TRUE(ReadImage(*backend, drawn.view, ImagePart::kWhole).value() == expected);
    EXPECT_NE(std::find(calls.begin(), calls.end(), "vkAllocateMemory"), calls.end());
    const size_t num_calls = calls.size();
    for (size_t nth = 0; nth < num_calls; ++nth) {
      SCOPED_TRACE(StrCat("call ", nth, " ", calls[nth], reaches_memory ? "" : ", memory out of reach"));
      failing = SIZE_MAX;
      backend.reset();
      backend = open();
      count = 0;
      failing = nth;
      fault = kFaults[nth % 2].first;
      const auto failed = ReadImage(*backend, drawn.view, ImagePart::kWhole);
      ASSERT_FALSE(failed.ok());
      EXPECT_EQ(failed.status().code(), kFaults[nth % 2].second);
      const auto next = ReadImage(*backend, drawn.view, ImagePart::kWhole);
      ASSERT_TRUE(next.ok()) << next.status().message();
      EXPECT_TRUE(*next == expected);
    }
  }
}

}  // namespace
}  // namespace inkread
