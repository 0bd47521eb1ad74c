// A device that is lost in the middle of an image: the CPU reads it to its end. faults_test.cc makes every call of a
// small network fail. Skipped if the models are not on this machine.
#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

#include <atomic>
#include <filesystem>

#include "api/load.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "ocr/pipeline.h"
#include "runtime/backend_registry.h"
#include "tests/vulkan/support.h"

namespace inkread {
namespace {

class FallbackTest : public testing::Test {
 protected:
  void SetUp() override {
    device_ = AnyVulkanDevice();
    if (device_.empty()) GTEST_SKIP() << "there is no Vulkan device on this machine";
    const Result<std::string> all = ModelFolder();
    ASSERT_TRUE(all.ok()) << all.status().message();
    folder_ = ModelSizeFolder(*all, "tiny");
    if (!std::filesystem::exists(folder_ + "/settings.txt")) GTEST_SKIP() << "no models at " << folder_;
    const MappedFile file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png").value();
    image_ = DecodeImage(file.bytes(), {}).value();
    SetLogSink([this](const std::string& line) { log_.push_back(line); });
  }
  void TearDown() override { SetLogSink(nullptr); }

  // The texts of the receipt's head, and which device was active at the end.
  struct Answer {
    Status status;
    std::vector<std::string> texts;
    std::string backend, reason;
  };
  // Read twice on a Vulkan device, or on the CPU alone. The n-th submission of the reads loses the device; 0: none
  // does.
  Answer Read(bool on_gpu, uint64_t nth, bool strict) {
    std::atomic<bool> is_reading = false;
    num_submits_ = 0;
    std::vector<FallbackChain::Entry> entries;
    if (on_gpu) {
      VulkanOptions options;
      options.device = device_;
      options.cache_folder = "none";
      options.fault = [&, nth](const char* call) {
        return is_reading && std::string(call) == "vkQueueSubmit" && ++num_submits_ == nth ? VK_ERROR_DEVICE_LOST : 0;
      };
      entries.push_back({"vulkan", MakeVulkanBackend(options).value()});
    }
    entries.push_back({"cpu", OpenBackend("cpu", &pool_).value()});
    const auto chain = std::make_shared<FallbackChain>(std::move(entries), strict);
    const LoadedModels models = LoadModels(FilesOfSize(folder_, "tiny"), false, chain, &pool_).value();
    is_reading = true;
    ImageView head = image_.view();
    head.height_px = 200;
    Answer answer;
    for (int read = 0; read < 2; ++read) {
      const Result<PipelineResult> result = ReadText(head, {}, models.networks);
      answer.status = result.status();
      if (!result.ok()) break;
      for (const PipelineLine& line : result->lines) answer.texts.push_back(line.text.text);
    }
    answer.backend = chain->name(chain->active());
    answer.reason = chain->fallback_reason();
    return answer;
  }

  ThreadPool pool_{2};
  std::string device_, folder_;
  DecodedImage image_;
  std::vector<std::string> log_;
  std::atomic<uint64_t> num_submits_ = 0;
};

TEST_F(FallbackTest, AnImageWhoseDeviceIsLostIsReadToItsEndByTheCpu) {
  const Answer cpu = Read(false, 0, false), good = Read(true, 0, true);
  ASSERT_GE(cpu.texts.size(), 4u);
  EXPECT_EQ(good.texts, cpu.texts);
  EXPECT_EQ(good.backend, "vulkan");
  EXPECT_EQ(good.reason, "");
  EXPECT_EQ(log_, std::vector<std::string>());
  const uint64_t num_submits = num_submits_ / 2;  // of one read
  ASSERT_GE(num_submits, 2u);                     // the detector's, the recogniser's
  for (uint64_t nth = 1; nth <= num_submits; ++nth) {
    SCOPED_TRACE(StrCat("submission ", nth, " of ", num_submits));
    log_.clear();
    const Answer answer = Read(true, nth, false);
    ASSERT_TRUE(answer.status.ok()) << answer.status.message();
    EXPECT_EQ(answer.texts, cpu.texts);
    EXPECT_EQ(answer.backend, "cpu");
    EXPECT_NE(answer.reason.find("vulkan"), std::string::npos) << answer.reason;
    EXPECT_EQ(log_.size(), 1u);
  }
  log_.clear();
  EXPECT_EQ(Read(true, num_submits, true).status.code(), StatusCode::kDeviceLost);
  EXPECT_EQ(log_, std::vector<std::string>());
}

}  // namespace
}  // namespace inkread
