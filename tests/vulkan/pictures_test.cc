// Pictures on Vulkan devices whose memory the host reaches and does not reach: the same bits as the reference, memory
// used again, and every call that can fail made to.
#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

#include <iterator>
#include <utility>

#include "backends/reference/reference_backend.h"
#include "image/warp.h"
#include "planner/picture.h"
#include "tests/vulkan/support.h"

namespace inkread {
namespace {

struct Drawn {
  Drawn(int width, int height, ptrdiff_t gap) {
    const ptrdiff_t stride = ptrdiff_t{width} * 3 + gap;
    bytes.resize(static_cast<size_t>(stride * height));
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * i / 7 + i);
    view = {bytes.data(), width, height, stride, PixelFormat::kBgr24};
  }
  std::vector<uint8_t> bytes;
  ImageView view;
};

class PicturesTest : public VulkanModelTest {
 protected:
  // The picture, or a line of it, as what feeds a program that copies it.
  enum class Part { kWhole, kLine };
  static Result<std::vector<float>> Read(Backend& backend, const ImageView& view, Part part) {
    PictureRule rule;
    rule.source_width = view.width_px;
    rule.source_height = view.height_px;
    rule.format = view.format;
    const auto w = static_cast<float>(view.width_px), h = static_cast<float>(view.height_px);
    const QuadF quad = {PointF{1, 0}, PointF{w, h / 3}, PointF{w - 1, h}, PointF{0, h / 2}};
    if (part == Part::kLine) rule.crop = {TargetToSource(quad, 40, 20), 40, 20};
    rule.width = rule.row_width = 90;
    rule.height = 48;
    rule.normalisation = {{1, 1, 1}, {0, 0, 0}, {-0.5f, -0.5f, -0.5f}, 2};
    constexpr uint32_t kFloats = 90 * 48 * 3;
    auto copy = std::make_shared<Schedule>();
    copy->input = copy->output = {1, 48, 90, 3};
    Step& step = copy->steps.emplace_back();
    step.params = CopyParams{{1, 1, 1, 1, kFloats}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
    step.reads[0] = {Space::kInput, 0, {1, 1, 1, kFloats}, kFloats};
    step.writes[0] = {Space::kOutput, 0, {1, 1, 1, kFloats}, kFloats};

    INKREAD_ASSIGN_OR_RETURN(const auto weights, backend.Upload(std::as_bytes(CubicWarpWeights()), nullptr));
    INKREAD_ASSIGN_OR_RETURN(const auto line,
                             backend.Compile(std::make_shared<const Schedule>(PlanPicture(rule)), weights));
    INKREAD_ASSIGN_OR_RETURN(const auto fed, backend.Compile(copy, weights));
    INKREAD_ASSIGN_OR_RETURN(const auto picture, backend.UploadPicture(view));
    std::vector<float> y(kFloats, -9);
    const Job jobs[] = {{line.get(), nullptr, nullptr, picture.get(), 1, 0}, {fed.get(), nullptr, y.data()}};
    INKREAD_RETURN_IF_ERROR(backend.Run(jobs));
    return y;
  }
  static std::vector<float> Expected(const ImageView& view, Part part) {
    return Read(*MakeReferenceBackend(16), view, part).value();
  }

  VulkanOptions OptionsFor(bool reaches_memory) const {
    VulkanOptions options = Options();
    options.reaches_memory = reaches_memory;
    return options;
  }
};

TEST_F(PicturesTest, AreReadWhereverTheHostPutsThem) {
  for (bool reaches_memory : {true, false}) {
    const auto backend = MakeVulkanBackend(OptionsFor(reaches_memory)).value();
    EXPECT_TRUE(backend->Caps().wants_pictures);
    for (int side : {1, 2, 30, 31, 200, 7}) {
      const Drawn drawn(side, 201 - side, side % 3);
      for (Part part : {Part::kWhole, Part::kLine}) {
        const std::vector<float> expected = Expected(drawn.view, part);
        EXPECT_TRUE(Read(*backend, drawn.view, part).value() == expected) << side << ' ' << reaches_memory;
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
    const Drawn largest(100, 100, 0);
    auto first = backend->UploadPicture(largest.view).value(), second = backend->UploadPicture(largest.view).value();
    const int known = allocations;
    EXPECT_EQ(known, reaches_memory ? 2 : 4);
    for (int side = 1; side <= 100; ++side) {
      const Drawn drawn(side, 101 - side, 0);
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
  const Drawn drawn(10, 10, 0);
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
  const Drawn drawn(33, 21, 1);
  const std::vector<float> expected = Expected(drawn.view, Part::kWhole);
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
    ASSERT_TRUE(Read(*backend, drawn.view, Part::kWhole).value() == expected);
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
      const auto failed = Read(*backend, drawn.view, Part::kWhole);
      ASSERT_FALSE(failed.ok());
      EXPECT_EQ(failed.status().code(), kFaults[nth % 2].second);
      const auto next = Read(*backend, drawn.view, Part::kWhole);
      ASSERT_TRUE(next.ok()) << next.status().message();
      EXPECT_TRUE(*next == expected);
    }
  }
}

}  // namespace
}  // namespace inkread
