// An engine on a GPU that is named twice, and so is two devices: any that can be used, Mesa's llvmpipe in CI. Needs the
// tiny models (`inkread models fetch tiny`); skips, saying so, where they or a GPU are missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

bool IsSame(const Reading& a, const Reading& b) {
  return std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(), [](const Line& x, const Line& y) {
    return x.quad == y.quad && x.text == y.text && x.score == y.score && x.det_score == y.det_score;
  });
}

class SeveralDevicesTest : public testing::Test {
 protected:
  void SetUp() override {
    const Result<std::string> all = ModelFolder();
    const std::string folder = all.ok() ? ModelSizeFolder(*all, "tiny") : "";
    if (!std::filesystem::exists(folder + "/settings.txt")) GTEST_SKIP() << "no models at " << folder;
    const std::vector<DeviceInfo> devices = ListDevices();
    const auto gpu = std::find_if(devices.begin(), devices.end(), [](const DeviceInfo& device) {
      return device.backend != OcrBackend::kCpu && device.unusable_reason.empty();
    });
    if (gpu == devices.end()) GTEST_SKIP() << "there is no GPU on this machine that can be used";
    options_.size = ModelSize::kTiny;
    options_.num_threads = 2;
    options_.backend = gpu->backend;
    options_.devices = {std::to_string(gpu->index)};
    const Result<MappedFile> file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png");
    ASSERT_TRUE(file.ok()) << file.status().message();
    Result<DecodedImage> image = DecodeImage(file->bytes(), {});
    ASSERT_TRUE(image.ok()) << image.status().message();
    image_ = std::move(image).value();
    // A line or two each.
    for (int top : {0, 40, 80}) {
      ImageView view = image_.view();
      view.pixels += top * view.stride_bytes;
      view.width_px = std::min(view.width_px, 320);
      view.height_px = 64;
      views_.push_back(view);
    }
  }
  std::unique_ptr<Engine> Make() const {
    Result<std::unique_ptr<Engine>> engine = Engine::Create(options_);
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    return engine.ok() ? std::move(engine).value() : nullptr;
  }

  EngineOptions options_;
  DecodedImage image_;
  std::vector<ImageView> views_;
};

TEST_F(SeveralDevicesTest, AllGetReadsAndAnyOfThemGivesTheSame) {
  options_.strict_backend = true;
  std::vector<Reading> expected;
  {
    const auto one = Make();
    size_t num_lines = 0;
    for (const ImageView& view : views_) {
      expected.push_back(one->Read(view).value());
      num_lines += expected.back().lines.size();
    }
    EXPECT_GT(num_lines, 0u);
    EXPECT_EQ(one->Info().devices.size(), 2u);
  }

  options_.devices.push_back(options_.devices[0]);
  const auto engine = Make();
  // One after another, all go to the first.
  for (size_t i = 0; i < views_.size(); ++i) {
    const Reading reading = engine->Read(views_[i]).value();
    EXPECT_EQ(reading.device, 0);
    EXPECT_TRUE(IsSame(reading, expected[i]));
  }
  const std::vector<ImageView> many = {views_[0], views_[1], views_[2], views_[0], views_[1], views_[2]};
  std::vector<uint64_t> num_reads(2);
  const auto count = [&](const Result<Reading>& reading, size_t view) {
    ASSERT_TRUE(reading.ok()) << reading.status().message();
    EXPECT_EQ(reading->backend, options_.backend);
    EXPECT_TRUE(IsSame(*reading, expected[view]));
    ++num_reads.at(reading->device);
  };
  const std::vector<Result<Reading>> readings = engine->ReadMany(many);
  for (size_t i = 0; i < many.size(); ++i) count(readings[i], i % views_.size());
  // More callers than devices, as a server has them.
  std::vector<std::optional<Result<Reading>>> found(4);
  std::vector<std::thread> callers;
  for (size_t i = 0; i < found.size(); ++i)
    callers.emplace_back([&, i] { found[i] = engine->Read(views_[i % views_.size()]); });
  for (std::thread& caller : callers) caller.join();
  for (size_t i = 0; i < found.size(); ++i) count(*found[i], i % views_.size());

  EXPECT_GT(num_reads[0], 0u);
  EXPECT_GT(num_reads[1], 0u);
  const EngineInfo info = engine->Info();
  ASSERT_EQ(info.devices.size(), 3u);
  EXPECT_EQ(info.devices[0].num_reads, views_.size() + num_reads[0]);
  EXPECT_EQ(info.devices[1].num_reads, num_reads[1]);
  EXPECT_EQ(info.devices[2].num_reads, 0u);
  EXPECT_EQ(info.devices[0].name, info.devices[1].name);
  EXPECT_EQ(info.devices[2].backend, OcrBackend::kCpu);
  EXPECT_EQ(info.fallback_reason, "");
}

TEST_F(SeveralDevicesTest, OneThatIsNotThereIsPassedOverInTheOpenOrRefused) {
  options_.devices.push_back("abacus");
  {
    const auto engine = Make();
    const Reading reading = engine->Read(views_[0]).value();
    EXPECT_EQ(reading.backend, options_.backend);
    const EngineInfo info = engine->Info();
    ASSERT_EQ(info.devices.size(), 2u);
    EXPECT_EQ(info.devices[0].num_reads, 1u);
    EXPECT_NE(info.fallback_reason.find("abacus"), std::string::npos) << info.fallback_reason;
  }
  options_.strict_backend = true;
  EXPECT_EQ(Engine::Create(options_).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace inkread
