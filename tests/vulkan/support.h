// What the tests on Vulkan devices share.
#ifndef INKREAD_TESTS_VULKAN_SUPPORT_H_
#define INKREAD_TESTS_VULKAN_SUPPORT_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "backends/vulkan/vulkan_backend.h"
#include "base/log.h"
#include "session/model.h"
#include "tests/onnx_writer.h"
#include "tests/tolerance.h"

namespace inkread {

// The first device that can be used, as VulkanOptions::device; empty where there is none.
inline std::string AnyVulkanDevice() {
  const auto devices = ListVulkanDevices();
  if (!devices.ok()) return "";
  for (const VulkanDeviceInfo& device : *devices) {
    if (device.unusable.empty()) return std::to_string(device.index);
  }
  return "";
}

// A small network on a Vulkan device with the reference behind it, as an engine has the CPU.
class VulkanModelTest : public ::testing::Test {
 protected:
  VulkanModelTest() {
    path_ = (std::filesystem::temp_directory_path() / StrCat("inkread_vulkan_test_", getpid(), ".onnx")).string();
    OnnxWriter writer;
    writer.Input({-1, 3, -1, -1}).Output();
    std::vector<float> weights(kChannels * 3);
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = 0.1f * static_cast<float>(i) - 0.5f;
    writer.Initializer(OnnxFloats("w", {kChannels, 3, 1, 1}, weights));
    writer.Node("Conv", {"x", "w"}, {"c"}, {OnnxInts("kernel_shape", {1, 1})});
    writer.Node("Sigmoid", {"c"}, {"y"});
    const std::string bytes = writer.Bytes();
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    SetLogSink([this](const std::string& line) { log_.push_back(line); });
  }
  ~VulkanModelTest() override {
    SetLogSink(nullptr);
    std::filesystem::remove(path_);
    // Whatever a test did, the validation layer had nothing to say.
    const std::vector<std::string> messages = VulkanMessages();
    for (size_t i = num_messages_; i < messages.size(); ++i) ADD_FAILURE() << messages[i];
  }
  void SetUp() override {
    device_ = AnyVulkanDevice();
    if (device_.empty()) GTEST_SKIP() << "there is no Vulkan device on this machine";
    VulkanOptions options = Options();
    options.validate = true;
    has_validation_ = MakeVulkanBackend(options).ok();
    const auto reference = Load(nullptr, false);
    ASSERT_TRUE(reference.ok());
    expected_ = Run(**reference, 5, 4).value();
  }

  VulkanOptions Options() const {
    VulkanOptions options;
    options.device = device_;
    options.cache_folder = "none";
    options.validate = has_validation_;
    return options;
  }

  Result<std::unique_ptr<Model>> Load(std::unique_ptr<Backend> vulkan, bool strict) {
    std::vector<Devices::Entry> entries;
    if (vulkan != nullptr) entries.push_back({"vulkan", std::move(vulkan)});
    entries.push_back({"cpu", MakeReferenceBackend(16)});
    devices_ = std::make_shared<Devices>(std::move(entries), strict);
    return Model::Load(path_, devices_);
  }

  static Result<std::vector<float>> Run(Model& model, uint32_t h, uint32_t w) {
    std::vector<float> input(h * w * 3 + 16), output(h * w * kChannels);
    for (size_t i = 0; i < input.size(); ++i) input[i] = 0.01f * static_cast<float>(i % 100);
    const Task task{{1, h, w, Head::kNetwork}, input.data(), output.data()};
    INKREAD_RETURN_IF_ERROR(model.Run({&task, 1}));
    return output;
  }

  void ExpectRight(const std::vector<float>& output) {
    ASSERT_EQ(output.size(), expected_.size());
    for (size_t i = 0; i < output.size(); ++i)
      ASSERT_NEAR(output[i], expected_[i], RoundingTolerance(16, 1) + kActivationTolerance) << i;
  }

  static constexpr int kChannels = 4;
  std::string device_, path_;
  bool has_validation_ = false;
  std::vector<float> expected_;
  std::vector<std::string> log_;
  std::shared_ptr<Devices> devices_;
  const size_t num_messages_ = VulkanMessages().size();
};

}  // namespace inkread

#endif  // INKREAD_TESTS_VULKAN_SUPPORT_H_
