// Faults on demand: each call that can fail does, in Metal's own way.
#include <chrono>

#include "tests/metal_emulator/host/test_support.h"

namespace metal_emulator {
namespace {

class InjectionTest : public MetalTest {
 protected:
  // All that a program does with a device; empty, or what failed.
  std::string RunOnce() {
    auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
    if (!device) return "device";
    auto queue = NS::TransferPtr(device->newCommandQueue());
    if (!queue) return "queue";
    NS::Error* error = nullptr;
    const auto told = [&error](const char* what) {
      return error == nullptr ? std::string(what)
                              : what + std::string(": ") + error->localizedDescription()->utf8String();
    };
    auto library = NS::TransferPtr(device->newLibrary(Str(HostKernelsText()), nullptr, &error));
    if (!library) return told("library");
    auto function = NS::TransferPtr(library->newFunction(MTLSTR("copy_words")));
    if (!function) return "function";
    auto pipeline = NS::TransferPtr(device->newComputePipelineState(function.get(), &error));
    if (!pipeline) return told("pipeline");
    auto from = NS::TransferPtr(device->newBuffer(16, MTL::ResourceStorageModeShared));
    auto to = NS::TransferPtr(device->newBuffer(16, MTL::ResourceStorageModeShared));
    if (!from || !to) return "buffer";
    MTL::CommandBuffer* commands = queue->commandBuffer();
    if (commands == nullptr) return "command buffer";
    MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    if (encoder == nullptr) return "encoder";
    Copy(encoder, pipeline, from, to, 4);
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    if (commands->status() == MTL::CommandBufferStatusCompleted) return "";
    error = commands->error();
    return told("commands") + " " + std::to_string(error->code());
  }
};

TEST_F(InjectionTest, NoDevice) {
  SetDevices({});
  EXPECT_EQ(RunOnce(), "device");
}

TEST_F(InjectionTest, ACompileError) {
  Injection injection;
  injection.compile_error = "program_source:1:1: error: unknown type name 'kernal'";
  Inject(injection);
  EXPECT_EQ(RunOnce(), "library: program_source:1:1: error: unknown type name 'kernal'");
}

TEST_F(InjectionTest, AKernelThatALibraryLacks) {
  Injection injection;
  injection.missing_kernel = "copy_words";
  Inject(injection);
  EXPECT_EQ(RunOnce(), "function");
  injection.missing_kernel = "another";
  Inject(injection);
  EXPECT_EQ(RunOnce(), "");
}

TEST_F(InjectionTest, APipelineThatCannotBeMade) {
  Injection injection;
  injection.failing_kernel = "copy_words";
  Inject(injection);
  EXPECT_EQ(RunOnce().rfind("pipeline: ", 0), 0u);
  injection.failing_kernel = "another";
  Inject(injection);
  EXPECT_EQ(RunOnce(), "");
  injection.failing_kernel = "*";
  Inject(injection);
  EXPECT_EQ(RunOnce().rfind("pipeline: ", 0), 0u);
}

TEST_F(InjectionTest, TheNthAllocation) {
  Injection injection;
  injection.failing_allocation = 2;
  Inject(injection);
  EXPECT_EQ(RunOnce(), "buffer");
  EXPECT_EQ(RunOnce(), "");  // its allocations are the third and fourth
  injection.all_later_allocations = true;
  Inject(injection);
  EXPECT_EQ(RunOnce(), "buffer");
  EXPECT_EQ(RunOnce(), "buffer");
}

TEST_F(InjectionTest, ACommandBufferEndsWithTheErrorThatIsAskedFor) {
  Injection injection;
  injection.failing_command_buffer = 1;
  for (const CommandBufferError error : {CommandBufferError::kTimeout, CommandBufferError::kOutOfMemory,
                                         CommandBufferError::kDeviceRemoved, CommandBufferError::kInternal}) {
    injection.error = error;
    Inject(injection);
    const std::string failed = RunOnce();
    EXPECT_NE(failed.find("commands: Execution of the command buffer was aborted"), std::string::npos) << failed;
    EXPECT_NE(failed.find(" " + std::to_string(static_cast<int64_t>(error))), std::string::npos) << failed;
    EXPECT_EQ(RunOnce(), "");
  }
  injection.all_later_command_buffers = true;
  Inject(injection);
  EXPECT_NE(RunOnce(), "");
  EXPECT_NE(RunOnce(), "");
}

TEST_F(InjectionTest, TheCommandsOfAFailedCommandBufferDoNotRun) {
  auto pipeline = Pipeline("copy_words");
  auto from = Rising(4), to = Shared(16);
  Injection injection;
  injection.failing_command_buffer = 1;
  Inject(injection);
  bool told = false;
  bool* handled = &told;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  commands->addCompletedHandler(
      [handled](MTL::CommandBuffer* done) { *handled = done->status() == MTL::CommandBufferStatusError; });
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  Copy(encoder, pipeline, from, to, 4);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_TRUE(told);
  EXPECT_EQ(Read(to), std::vector<uint32_t>(4, 0xffffffffu));
}

TEST_F(InjectionTest, CommandsBeginLate) {
  Injection injection;
  injection.start_delay_us = 20000;
  Inject(injection);
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  const auto committed = std::chrono::steady_clock::now();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_GE(std::chrono::steady_clock::now() - committed, std::chrono::milliseconds(20));
}

TEST_F(InjectionTest, EveryCallThatCanFailFailsInItsTurn) {
  Inject({});
  ASSERT_EQ(RunOnce(), "");
  const uint64_t calls = FallibleCalls();
  std::vector<std::string> failed;
  for (uint64_t call = 1; call <= calls; ++call) {
    Injection injection;
    injection.failing_call = call;
    Inject(injection);
    const std::string what = RunOnce();
    failed.push_back(what.substr(0, what.find(':')));
  }
  EXPECT_EQ(failed, (std::vector<std::string>{"queue", "library", "function", "pipeline", "buffer", "buffer",
                                              "command buffer", "encoder", "commands"}));
  Injection injection;
  injection.failing_call = calls + 1;
  Inject(injection);
  EXPECT_EQ(RunOnce(), "");
}

}  // namespace
}  // namespace metal_emulator
