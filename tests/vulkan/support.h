// What the tests on Vulkan devices share.
#ifndef INKREAD_TESTS_VULKAN_SUPPORT_H_
#define INKREAD_TESTS_VULKAN_SUPPORT_H_

#include <algorithm>
#include <string>
#include <vector>

#include "backends/vulkan/vulkan_backend.h"
#include "tests/gpu_model.h"

namespace inkread {

// The first usable device, as VulkanOptions::device; empty if there is none.
inline std::string AnyVulkanDevice() {
  const auto devices = ListVulkanDevices();
  if (!devices.ok()) return "";
  for (const VulkanDeviceInfo& device : *devices) {
    if (device.unusable_reason.empty()) return std::to_string(device.index);
  }
  return "";
}

class VulkanModelTest : public GpuModelTest {
 protected:
  VulkanModelTest() : GpuModelTest("vulkan") {}
  ~VulkanModelTest() override {
    // No test may cause a message of the validation layer.
    const std::vector<std::string> messages = VulkanMessages();
    for (size_t i = num_messages_; i < messages.size(); ++i) ADD_FAILURE() << messages[i];
  }
  void SetUp() override {
    device_ = AnyVulkanDevice();
    if (device_.empty()) GTEST_SKIP() << "there is no Vulkan device on this machine";
    VulkanOptions options = Options();
    options.validate = true;
    has_validation_ = MakeVulkanBackend(options).ok();
    SetExpected();
  }

  VulkanOptions Options() const {
    VulkanOptions options;
    options.device = device_;
    options.cache_folder = "none";
    options.validate = has_validation_;
    return options;
  }

  std::string device_;
  bool has_validation_ = false;
  const size_t num_messages_ = VulkanMessages().size();
};

}  // namespace inkread

#endif  // INKREAD_TESTS_VULKAN_SUPPORT_H_
