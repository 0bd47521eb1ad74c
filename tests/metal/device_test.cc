// Finding a device, what is made once a device and what for each run, and memory that grows with the images.
#include "tests/metal/support.h"
#include "tests/planned_network.h"

namespace inkread {
namespace {

using metal_emulator::Counts;
using metal_emulator::CountsSoFar;
using metal_emulator::DeviceDescription;

using DeviceTest = MetalModelTest;

DeviceDescription Chip(const char* name, int family) {
  DeviceDescription chip;
  chip.name = name;
  chip.apple_family = family;
  return chip;
}

TEST_F(DeviceTest, IsListedWithWhatItOffers) {
  DeviceDescription small = Chip("Small", 8);
  small.threadgroup_memory_bytes = 16384;
  DeviceDescription card = Chip("Card", 0);
  card.unified_memory = false;
  metal_emulator::SetDevices({Chip("New", 9), Chip("Old", 6), small, card});
  const std::vector<MetalDeviceInfo> devices = ListMetalDevices().value();
  ASSERT_EQ(devices.size(), 4u);
  EXPECT_EQ(devices[0].name, "New");
  EXPECT_EQ(devices[0].offers, "Apple9, unified memory, 16384 MiB");
  EXPECT_EQ(devices[0].unusable_reason + devices[0].not_default_reason, "");
  EXPECT_EQ(devices[1].not_default_reason, "its family is older than Apple7");
  EXPECT_NE(devices[2].unusable_reason.find("16384 bytes"), std::string::npos);
  EXPECT_EQ(devices[3].offers, "memory of its own, 16384 MiB");
  metal_emulator::SetDevices({});
  EXPECT_EQ(ListMetalDevices().status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(MakeMetalBackend(Precise()).status().code(), StatusCode::kUnsupported);
}

TEST_F(DeviceTest, KernelsAreCompiledOnceForAllBackendsOfADevice) {
  const Counts before = CountsSoFar();
  auto first = MakeMetalBackend(Precise()).value();
  auto second = MakeMetalBackend(Precise()).value();
  auto model = Load(std::move(first), true).value();
  EXPECT_TRUE(Run(*model, 5, 4).ok());
  const Counts one = CountsSoFar();
  EXPECT_EQ(one.libraries, before.libraries + 1);
  const auto others_chain = std::exchange(chain_, nullptr);
  auto other = Load(std::move(second), true).value();
  EXPECT_TRUE(Run(*other, 5, 4).ok());
  EXPECT_TRUE(Run(*other, 7, 9).ok());  // variants depend on no image's size
  EXPECT_EQ(CountsSoFar().libraries, one.libraries);
  EXPECT_EQ(CountsSoFar().pipelines, one.pipelines);
}

TEST_F(DeviceTest, AKernelThatIsLeftOutIsMissingFromItsCaps) {
  metal_emulator::Injection injection;
  injection.missing_kernel = "pool";
  metal_emulator::Inject(injection);
  const auto backend = MakeMetalBackend(Precise()).value();
  for (int i = 0; i < kNumStepKinds; ++i)
    EXPECT_EQ(backend->Caps().has_step[i], static_cast<StepKind>(i) != StepKind::kPool)
        << StepKindName(static_cast<StepKind>(i));
  GraphBuilder b;
  const ValueId x = b.Input({1, 4, 6, 5});
  const auto network = PrepareNetwork(b.Output(b.Node(OpType::kMaxPool, {x}, Window(2, 0))), backend->Caps());
  ASSERT_TRUE(network.ok());
  const Status status = Plan(**network, {1, 4, 6, 5}, Head::kNetwork).status();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_NE(status.message().find("MaxPool_0"), std::string::npos) << status.message();
}

TEST_F(DeviceTest, FastKeepsValuesInF16) {
  MetalOptions options;
  auto backend = MakeMetalBackend(options).value();
  EXPECT_EQ(backend->Caps().storage, uint32_t{INKREAD_ELEMENT_F16});
  EXPECT_EQ(backend->Caps().weights_form, uint32_t{INKREAD_WEIGHTS_F16});
  auto model = Load(std::move(backend), true).value();
  const std::vector<float> output = Run(*model, 5, 4).value();
  constexpr double kHalfUlp = 1.0 / 2048;  // of values below 2
  for (size_t i = 0; i < output.size(); ++i) ASSERT_NEAR(output[i], expected_[i], 4 * kHalfUlp) << i;
  EXPECT_NE(output, expected_);
}

TEST_F(DeviceTest, EverySizeAndEveryThreadGetsTheSameBits) {
  ExpectTheSameBitsInEveryThread(MakeMetalBackend(MetalOptions()).value());
}

TEST_F(DeviceTest, ManyJobsAtOnceGiveWhatTheyGiveAlone) {
  MetalOptions options;
  options.max_run_bytes = 1 << 20;
  ExpectManyJobsGiveWhatTheyGiveAlone(MakeMetalBackend(options).value());
}

}  // namespace
}  // namespace inkread
