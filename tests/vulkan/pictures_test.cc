// Pictures on Vulkan devices whose memory the host reaches and does not reach: the same bits as the reference, memory
// used again, and every call that can fail made to.
#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

#include <iterator>
#include <utility>

#include "tests/gpu_pictures.h"
#include "tests/vulkan/support.h"

namespace inkread {
namespace {

class PicturesTest : public VulkanModelTest {
 protected:
  VulkanOptions OptionsFor(bool reaches_memory) const {
    VulkanOptions options = Options();
    options.reaches_memory = reaches_memory;
    return options;
  }
};

TEST_F(PicturesTest, AreReadWhereverTheHostPutsThem) {
  for (bool reaches_memory : {true, false}) {
    const auto backend = MakeVulkanBackend(OptionsFor(reaches_memory)).value();
    EXPECT_GE(backend->Caps().most_picture_bytes, uint64_t{1} << 20);
    for (int side : {1, 2, 30, 31, 200, 7}) {
      const DrawnPicture drawn(side, 201 - side, side % 3);
      for (PicturePart part : {PicturePart::kWhole, PicturePart::kLine}) {
        const std::vector<float> expected = ExpectedPicture(drawn.view, part);
        EXPECT_TRUE(ReadPicture(*backend, drawn.view, part).value() == expected) << side << ' ' << reaches_memory;
      }
    }
  }
}

// Once there are as many as are used at a time, and as large, none costs an allocation.
TEST_F(PicturesTest, OfEverChangingSizeUseTheSameMemory) {
  for (bool reaches_memory : {true, false}) {
    VulkanOptions options = OptionsFor(reaches_memory);
    int allocations = 0;
    options.fault = [&allocations](const char* call) {
      allocations += std::string(call) == "vkAllocateMemory";
      return 0;
    };
    const auto backend = MakeVulkanBackend(options).value();
    const DrawnPicture largest(100, 100, 0);
    auto first = backend->UploadPicture(largest.view).value(), second = backend->UploadPicture(largest.view).value();
    const int known = allocations;
    EXPECT_EQ(known, reaches_memory ? 2 : 4);
    for (int side = 1; side <= 100; ++side) {
      const DrawnPicture drawn(side, 101 - side, 0);
      (side % 2 != 0 ? first : second).reset();
      (side % 2 != 0 ? first : second) = backend->UploadPicture(drawn.view).value();
    }
    EXPECT_EQ(allocations, known);
    EXPECT_TRUE(backend->UploadPicture(largest.view).ok());  // a third at the same time
    EXPECT_GT(allocations, known);
  }
}

TEST_F(PicturesTest, MayOutliveTheirBackend) {
  auto backend = MakeVulkanBackend(Options()).value();
  const DrawnPicture drawn(10, 10, 0);
  const auto picture = backend->UploadPicture(drawn.view).value();
  backend.reset();
}

TEST_F(PicturesTest, ThatADevicesBuffersDoNotHoldAreRefused) {
  const auto backend = MakeVulkanBackend(Options()).value();
  // Nothing of it is read.
  const uint8_t pixel = 0;
  const ImageView huge{&pixel, 1 << 17, 1 << 17, ptrdiff_t{3} << 17, PixelFormat::kBgr24};
  EXPECT_EQ(backend->UploadPicture(huge).status().code(), StatusCode::kOutOfMemory);
}

TEST_F(PicturesTest, EverySizeOfANetworkIsRightThoughTheHostDoesNotReachTheDevicesMemory) {
  ExpectTheSameBitsInEveryThread(MakeVulkanBackend(OptionsFor(false)).value());
}

TEST_F(PicturesTest, EveryCallThatFailsIsAnErrorAndTheNextReadingIsRight) {
  const DrawnPicture drawn(33, 21, 1);
  const std::vector<float> expected = ExpectedPicture(drawn.view, PicturePart::kWhole);
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
    ASSERT_TRUE(ReadPicture(*backend, drawn.view, PicturePart::kWhole).value() == expected);
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
      const auto failed = ReadPicture(*backend, drawn.view, PicturePart::kWhole);
      ASSERT_FALSE(failed.ok());
      EXPECT_EQ(failed.status().code(), kFaults[nth % 2].second);
      const auto next = ReadPicture(*backend, drawn.view, PicturePart::kWhole);
      ASSERT_TRUE(next.ok()) << next.status().message();
      EXPECT_TRUE(*next == expected);
    }
  }
}

}  // namespace
}  // namespace inkread
