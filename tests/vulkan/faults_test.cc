// The fallback rule on Vulkan: each call that can fail is made to fail in turn.
#include <vulkan/vulkan_core.h>

#include <iterator>
#include <utility>

#include "tests/vulkan/support.h"

namespace inkread {
namespace {

class FaultsTest : public VulkanModelTest {
 protected:
  Reading ReadWith(const std::function<int(const char*)>& fault, bool strict) {
    VulkanOptions options = Options();
    options.fault = fault;
    return Read([&options] { return MakeVulkanBackend(options); }, strict);
  }
};

TEST_F(FaultsTest, EveryCallThatFailsIsAnsweredByTheCpuOrIsAnError) {
  std::vector<std::string> calls;
  const Reading good = ReadWith(
      [&calls](const char* call) {
        calls.emplace_back(call);
        return 0;
      },
      true);
  ASSERT_TRUE(good.status.ok()) << good.status.message();
  EXPECT_EQ(good.backend, "vulkan");
  ExpectRight(good.first);
  EXPECT_EQ(good.first, good.second);
  for (const char* call : {"vkCreateInstance", "vkCreateDevice", "vkCreateComputePipelines", "vkAllocateMemory",
                           "vkQueueSubmit", "vkWaitForFences"}) {
    EXPECT_NE(std::find(calls.begin(), calls.end(), call), calls.end()) << call;
  }

  const std::pair<int, StatusCode> faults[] = {{VK_ERROR_OUT_OF_DEVICE_MEMORY, StatusCode::kOutOfMemory},
                                               {VK_ERROR_DEVICE_LOST, StatusCode::kDeviceLost},
                                               {VK_ERROR_INITIALIZATION_FAILED, StatusCode::kUnsupported}};
  for (size_t nth = 0; nth < calls.size(); ++nth) {
    for (bool strict : {false, true}) {
      const auto& [fault, code] = faults[(nth + strict) % std::size(faults)];
      SCOPED_TRACE(StrCat("call ", nth, " ", calls[nth], " gives ", fault, strict ? ", strict" : ""));
      log_.clear();
      size_t count = 0;
      const Reading reading = ReadWith([&, f = fault](const char*) { return count++ == nth ? f : 0; }, strict);
      EXPECT_GT(count, nth);  // the fault did happen
      ExpectAnswered(reading, strict, {code});
    }
  }
}

// A fault while another thread's run is at work leaves that run alone.
TEST_F(FaultsTest, OneThreadsFaultIsNotAnothers) {
  std::atomic<int> submits = 0;
  VulkanOptions options = Options();
  options.fault = [&submits](const char* call) {
    return std::string(call) == "vkQueueSubmit" && ++submits == 20 ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
  };
  auto vulkan = MakeVulkanBackend(options);
  ASSERT_TRUE(vulkan.ok());
  auto model = Load(std::move(vulkan).value(), false);
  ASSERT_TRUE(model.ok());
  ExpectOneFaultIsNotAnothers(**model);
}

}  // namespace
}  // namespace inkread
