// A device that fails in the middle of an image, as a caller of the library sees it: no line is lost, and the reason is
// reported. Skipped if the models are not on this machine.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"
#include "tests/metal_emulator/host/emulator.h"

namespace inkread {
namespace {

using metal_emulator::CommandBufferError;
using metal_emulator::Inject;
using metal_emulator::Injection;

class FallbackTest : public testing::Test {
 protected:
  void SetUp() override {
    metal_emulator::SetDevices({metal_emulator::DeviceDescription()});
    const Result<std::string> all = ModelFolder();
    ASSERT_TRUE(all.ok()) << all.status().message();
    const std::string folder = ModelSizeFolder(*all, "tiny");
    if (!std::filesystem::exists(folder + "/settings.txt")) GTEST_SKIP() << "no models at " << folder;
    const MappedFile file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png").value();
    image_ = DecodeImage(file.bytes(), {}).value();
    SetLogSink([this](const std::string& line) { log_.push_back(line); });
    const Reading reading = Open(OcrBackend::kCpu)->Read(View()).value();
    for (const Line& line : reading.lines) expected_.push_back(line.text);
    ASSERT_GT(expected_.size(), 2u);
  }
  void TearDown() override {
    SetLogSink(nullptr);
    Inject({});
    EXPECT_EQ(metal_emulator::LiveObjects(), std::vector<std::string>());
  }

  static std::unique_ptr<Engine> Open(OcrBackend backend, bool strict = false) {
    EngineOptions options;
    options.size = ModelSize::kTiny;
    options.backend = backend;
    options.strict_backend = strict;
    return Engine::Create(options).value();
  }
  // The head of the receipt.
  ImageView View() const {
    ImageView view = image_.view();
    view.height_px = 256;
    return view;
  }
  void ExpectTheCpusTexts(const Result<Reading>& reading) {
    ASSERT_TRUE(reading.ok()) << reading.status().message();
    std::vector<std::string> texts;
    for (const Line& line : reading->lines) texts.push_back(line.text);
    EXPECT_EQ(texts, expected_);
  }
  // The n-th commands from now on fail, and none after them.
  static void Fail(uint64_t nth, CommandBufferError error) {
    Injection injection;
    injection.failing_command_buffer = nth;
    injection.error = error;
    Inject(injection);
  }

  DecodedImage image_;
  std::vector<std::string> expected_, log_;
};

TEST_F(FallbackTest, ADeviceWithoutAKernelOfTheNetworksIsSkipped) {
  Injection injection;
  injection.missing_kernel = "resize";
  Inject(injection);
  EngineOptions options;
  options.size = ModelSize::kTiny;
  options.backend = OcrBackend::kMetal;
  const auto engine = Engine::Create(options);
  ASSERT_TRUE(engine.ok()) << engine.status().message();
  const EngineInfo info = (*engine)->Info();
  EXPECT_EQ(info.backend, OcrBackend::kCpu);
  EXPECT_NE(info.fallback_reason.find("no kernel"), std::string::npos) << info.fallback_reason;
  ExpectTheCpusTexts((*engine)->Read(View()));

  options.strict_backend = true;
  const auto strict = Engine::Create(options);
  EXPECT_EQ(strict.status().code(), StatusCode::kUnsupported) << strict.status().message();
}

TEST_F(FallbackTest, AnImageWhoseDeviceFailsIsReadToItsEndByTheCpu) {
  const auto commands = [] { return metal_emulator::CountsSoFar().command_buffers; };
  uint64_t num_commands = 0;
  {
    const auto engine = Open(OcrBackend::kMetal, true);
    const uint64_t before = commands();
    const Result<Reading> good = engine->Read(View());
    num_commands = commands() - before;
    ExpectTheCpusTexts(good);
    EXPECT_EQ(good->backend, OcrBackend::kMetal);
    EXPECT_EQ(engine->Info().fallback_reason, "");
  }
  ASSERT_GE(num_commands, 2u);  // the detector's, the recogniser's
  EXPECT_EQ(log_, std::vector<std::string>());
  for (uint64_t nth = 1; nth <= num_commands; ++nth) {
    SCOPED_TRACE(StrCat("commands ", nth, " of ", num_commands));
    log_.clear();
    const auto engine = Open(OcrBackend::kMetal);
    Fail(nth, nth % 2 == 0 ? CommandBufferError::kTimeout : CommandBufferError::kDeviceRemoved);
    for (int read = 0; read < 2; ++read) {  // the second time the device would work again
      const Result<Reading> reading = engine->Read(View());
      ExpectTheCpusTexts(reading);
      EXPECT_EQ(reading->backend, OcrBackend::kCpu);
    }
    EXPECT_EQ(engine->Info().backend, OcrBackend::kCpu);
    EXPECT_NE(engine->Info().fallback_reason.find("Emulated Apple GPU"), std::string::npos)
        << engine->Info().fallback_reason;
    EXPECT_EQ(log_.size(), 1u);
  }
}

TEST_F(FallbackTest, WithStrictBackendItIsAnError) {
  const auto engine = Open(OcrBackend::kMetal, true);
  Fail(2, CommandBufferError::kDeviceRemoved);
  EXPECT_EQ(engine->Read(View()).status().code(), StatusCode::kDeviceLost);
  EXPECT_EQ(log_, std::vector<std::string>());
}

}  // namespace
}  // namespace inkread
