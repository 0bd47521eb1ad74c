// The fallback rule where Vulkan fails: every call that can fail is made to, one after another.
#include <vulkan/vulkan_core.h>

#include <iterator>
#include <thread>
#include <utility>

#include "tests/vulkan/support.h"

namespace inkread {
namespace {

class FaultsTest : public VulkanModelTest {
 protected:
  // What an engine does: open the device, load, and read twice.
  struct Reading {
    Status status;
    std::vector<float> first, second;
    std::string backend;
  };
  Reading Read(const std::function<int(const char*)>& fault, bool strict) {
    Reading reading;
    devices_.reset();  // with its instance, so that each reading makes the same calls
    VulkanOptions options = Options();
    options.fault = fault;
    Result<std::unique_ptr<Backend>> vulkan = MakeVulkanBackend(options);
    if (!vulkan.ok() && strict) {
      reading.status = vulkan.status();
      return reading;
    }
    auto model = Load(vulkan.ok() ? std::move(vulkan).value() : nullptr, strict);
    if (!model.ok()) {
      reading.status = model.status();
      return reading;
    }
    for (std::vector<float>* output : {&reading.first, &reading.second}) {
      Result<std::vector<float>> result = Run(**model, 5, 4);
      if (!result.ok()) {
        reading.status = result.status();
        return reading;
      }
      *output = *result;
    }
    reading.backend = devices_->name(devices_->active());
    return reading;
  }
};

TEST_F(FaultsTest, EveryCallThatFailsIsAnsweredByTheCpuOrIsAnError) {
  std::vector<std::string> calls;
  const Reading good = Read(
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
      const Reading reading = Read([&, f = fault](const char*) { return count++ == nth ? f : 0; }, strict);
      EXPECT_GT(count, nth);  // the fault did happen
      if (strict) {
        ASSERT_FALSE(reading.status.ok());
        EXPECT_EQ(reading.status.code(), code) << reading.status.message();
        EXPECT_TRUE(log_.empty());
      } else {
        ASSERT_TRUE(reading.status.ok()) << reading.status.message();
        ExpectRight(reading.first);  // may be the device's still
        EXPECT_EQ(reading.backend, "cpu");
        EXPECT_EQ(reading.second, expected_);  // though the device would work again
        EXPECT_LE(log_.size(), 1u);
      }
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
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 10; ++run) {
        const auto result = Run(**model, 5, 4);
        ASSERT_TRUE(result.ok()) << result.status().message();
        ExpectRight(*result);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(devices_->name(devices_->active()), "cpu");
  EXPECT_EQ(log_.size(), 1u);
}

}  // namespace
}  // namespace inkread
