// The fallback rule on Metal: each call that can fail is made to fail in turn.
#include <atomic>

#include "tests/metal/support.h"

namespace inkread {
namespace {

using metal_emulator::CommandBufferError;
using metal_emulator::Inject;
using metal_emulator::Injection;

class FaultsTest : public MetalModelTest {
 protected:
  Reading ReadWith(const Injection& injection, bool strict) {
    chain_.reset();
    log_.clear();
    Inject(injection);
    const Reading reading = Read([] { return MakeMetalBackend(Precise()); }, strict);
    chain_.reset();
    return reading;
  }
};

TEST_F(FaultsTest, EveryCallThatFailsIsAnsweredByTheCpuOrIsAnError) {
  const Reading good = ReadWith({}, true);
  ASSERT_TRUE(good.status.ok()) << good.status.message();
  EXPECT_EQ(good.backend, "metal");
  ExpectRight(good.first);
  EXPECT_EQ(good.first, good.second);
  const uint64_t num_calls = metal_emulator::FallibleCalls();
  EXPECT_GT(num_calls, 10u);
  for (uint64_t nth = 1; nth <= num_calls; ++nth) {
    for (bool strict : {false, true}) {
      SCOPED_TRACE(StrCat("call ", nth, " of ", num_calls, strict ? ", strict" : ""));
      Injection injection;
      injection.failing_call = nth;
      injection.error = CommandBufferError::kDeviceRemoved;
      const Reading reading = ReadWith(injection, strict);
      EXPECT_GE(metal_emulator::FallibleCalls(), nth);  // the fault did happen
      ExpectAnswered(reading, strict, {StatusCode::kOutOfMemory, StatusCode::kDeviceLost, StatusCode::kUnsupported});
    }
  }
}

// A run that fails frees its memory; the next one allocates its own.
TEST_F(FaultsTest, ADeviceThatWorksAgainIsRight) {
  auto backend = MakeMetalBackend(Precise()).value();
  Backend* const gpu = backend.get();
  auto model = Load(std::move(backend), true).value();
  ExpectRight(Run(*model, 5, 4).value());
  Injection injection;
  injection.failing_command_buffer = 1;
  injection.error = CommandBufferError::kTimeout;
  Inject(injection);
  EXPECT_EQ(Run(*model, 5, 4).status().code(), StatusCode::kDeviceLost);
  EXPECT_EQ(gpu->Caps().device, "metal Emulated Apple GPU");
  ExpectRight(Run(*model, 5, 4).value());
}

// A fault while another thread's run is at work leaves that run alone.
TEST_F(FaultsTest, OneThreadsFaultIsNotAnothers) {
  auto model = Load(MakeMetalBackend(Precise()).value(), false).value();
  ExpectRight(Run(*model, 5, 4).value());
  Injection injection;
  injection.failing_command_buffer = 20;
  injection.error = CommandBufferError::kDeviceRemoved;
  Inject(injection);
  ExpectOneFaultIsNotAnothers(*model);
}

}  // namespace
}  // namespace inkread
