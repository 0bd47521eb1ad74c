// Images on Metal devices: the reference's bits, memory is reused, each call that can fail is made to fail. And what a
// device measures of itself.
#include "tests/gpu_images.h"
#include "tests/metal/support.h"

namespace inkread {
namespace {

using metal_emulator::CountsSoFar;
using metal_emulator::Inject;
using metal_emulator::Injection;

class ImagesTest : public MetalModelTest {};

TEST_F(ImagesTest, AreReadInEitherPrecision) {
  for (bool fast : {true, false}) {
    MetalOptions options;
    options.fast = fast;
    const auto backend = MakeMetalBackend(options).value();
    EXPECT_GE(backend->Caps().max_image_bytes, uint64_t{1} << 20);
    for (int side : {1, 2, 30, 200, 7}) {
      const DrawnImage drawn(side, 201 - side, side % 3);
      for (ImagePart part : {ImagePart::kWhole, ImagePart::kLine}) {
        const std::vector<float> expected = ExpectedImage(drawn.view, part);
        EXPECT_TRUE(ReadImage(*backend, drawn.view, part).value() == expected) << side << ' ' << fast;
      }
    }
  }
}

// Images allocate nothing once as many exist as are in use at a time, and as large ones.
TEST_F(ImagesTest, OfEverChangingSizeUseTheSameMemory) {
  const auto backend = MakeMetalBackend({}).value();
  const DrawnImage largest(100, 100, 0);
  auto first = backend->UploadImage(largest.view).value(), second = backend->UploadImage(largest.view).value();
  const uint64_t known = CountsSoFar().buffers;
  for (int side = 1; side <= 100; ++side) {
    const DrawnImage drawn(side, 101 - side, 0);
    (side % 2 != 0 ? first : second).reset();
    (side % 2 != 0 ? first : second) = backend->UploadImage(drawn.view).value();
  }
  EXPECT_EQ(CountsSoFar().buffers, known);
  EXPECT_TRUE(backend->UploadImage(largest.view).ok());  // a third at the same time
  EXPECT_EQ(CountsSoFar().buffers, known + 1);
}

TEST_F(ImagesTest, MayOutliveTheirBackend) {
  auto backend = MakeMetalBackend({}).value();
  const DrawnImage drawn(10, 10, 0);
  const auto image = backend->UploadImage(drawn.view).value();
  backend.reset();
}

TEST_F(ImagesTest, ThatAreTooLargeAreRefused) {
  const auto backend = MakeMetalBackend({}).value();
  // Nothing of it is read.
  const uint8_t pixel = 0;
  const ImageView huge{&pixel, 1 << 17, 1 << 17, ptrdiff_t{3} << 17, PixelFormat::kBgr24};
  EXPECT_EQ(backend->UploadImage(huge).status().code(), StatusCode::kOutOfMemory);
}

TEST_F(ImagesTest, EveryCallThatFailsIsAnErrorAndTheNextReadingIsRight) {
  const DrawnImage drawn(33, 21, 1);
  const std::vector<float> expected = ExpectedImage(drawn.view, ImagePart::kLine);
  auto backend = MakeMetalBackend({}).value();
  Inject({});
  ASSERT_TRUE(ReadImage(*backend, drawn.view, ImagePart::kLine).value() == expected);
  const uint64_t num_calls = metal_emulator::FallibleCalls();
  EXPECT_GT(num_calls, 4u);
  for (uint64_t nth = 1; nth <= num_calls; ++nth) {
    SCOPED_TRACE(StrCat("call ", nth, " of ", num_calls));
    Inject({});
    backend.reset();
    backend = MakeMetalBackend({}).value();
    Injection injection;
    injection.failing_call = nth;
    injection.error = metal_emulator::CommandBufferError::kDeviceRemoved;
    Inject(injection);
    EXPECT_FALSE(ReadImage(*backend, drawn.view, ImagePart::kLine).ok());
    Inject({});
    EXPECT_TRUE(ReadImage(*backend, drawn.view, ImagePart::kLine).value() == expected);
  }
}

TEST_F(ImagesTest, TheDevicesTimeGrowsWithEachRun) {
  const auto backend = MakeMetalBackend({}).value();
  EXPECT_EQ(backend->DeviceMs(), 0);
  const DrawnImage drawn(33, 21, 1);
  double before = 0;
  for (int run = 0; run < 3; ++run) {
    ASSERT_TRUE(ReadImage(*backend, drawn.view, ImagePart::kLine).ok());
    EXPECT_GT(backend->DeviceMs(), before);
    before = backend->DeviceMs();
  }
}

TEST_F(ImagesTest, TheDeviceIsProbedInWhatItWasAskedFor) {
  for (bool fast : {true, false}) {
    MetalOptions options;
    options.fast = fast;
    const std::vector<ProbeResult> rows = MakeMetalBackend(options).value()->Probe();
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0].name, fast ? kProbePeakF16 : kProbePeakF32);
    for (const ProbeResult& row : rows) EXPECT_EQ(row.unavailable, "") << row.name;
    EXPECT_GT(rows[0].value, 0);
  }
}

}  // namespace
}  // namespace inkread
