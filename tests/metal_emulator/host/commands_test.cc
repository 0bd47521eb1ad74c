// Commands that run: order, waiting, handlers, times, copies, barriers.
#include <thread>

#include "tests/metal_emulator/host/test_support.h"

namespace metal_emulator {
namespace {

using CommandsTest = MetalTest;

TEST_F(CommandsTest, ADispatchRunsBetweenCommitAndWait) {
  auto pipeline = AddStep(3);
  auto buffer = Shared(16);
  auto* values = static_cast<float*>(buffer->contents());
  for (int i = 0; i < 4; ++i) values[i] = static_cast<float>(i);
  Gate gate;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  gate.HoldBack(commands);
  EXPECT_EQ(commands->status(), MTL::CommandBufferStatusNotEnqueued);
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline.get());
  encoder->setBuffer(buffer.get(), 4, 0);
  const uint32_t count = 2;
  encoder->setBytes(&count, sizeof count, 1);
  encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(32, 1, 1));
  encoder->endEncoding();
  commands->commit();
  EXPECT_EQ(commands->GPUEndTime(), 0);
  EXPECT_EQ(values[1], 1);  // who does not wait sees what was there before
  gate.Open();
  commands->waitUntilCompleted();
  EXPECT_EQ(commands->status(), MTL::CommandBufferStatusCompleted);
  EXPECT_EQ(commands->error(), nullptr);
  EXPECT_GT(commands->GPUStartTime(), 0);
  EXPECT_GE(commands->GPUEndTime(), commands->GPUStartTime());
  EXPECT_EQ((std::vector<float>(values, values + 4)), (std::vector<float>{0, 4, 5, 3}));
}

TEST_F(CommandsTest, HandlersAreCalledInOrderBeforeTheWaitIsOver) {
  std::vector<std::string> calls;
  std::vector<std::string>* log = &calls;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  commands->addScheduledHandler([log](MTL::CommandBuffer*) { log->emplace_back("scheduled"); });
  commands->addCompletedHandler([log](MTL::CommandBuffer* done) {
    log->push_back("completed " + std::to_string(done->status()));
    done->label();  // autoreleases: there is a pool
  });
  commands->addCompletedHandler([log](MTL::CommandBuffer*) { log->emplace_back("completed too"); });
  commands->commit();
  commands->waitUntilScheduled();
  commands->waitUntilCompleted();
  EXPECT_EQ(calls, (std::vector<std::string>{"scheduled", "completed 4", "completed too"}));
}

TEST_F(CommandsTest, CommandBuffersOfAQueueRunInOrderOfCommit) {
  auto pipeline = Pipeline("copy_words");
  auto a = Rising(8), b = Shared(32), c = Shared(32);
  MTL::CommandBuffer* first = queue_->commandBuffer();
  MTL::CommandBuffer* second = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = second->computeCommandEncoder();
  Copy(encoder, pipeline, b, c, 8);
  encoder->endEncoding();
  encoder = first->computeCommandEncoder();
  Copy(encoder, pipeline, a, b, 8);
  encoder->endEncoding();
  first->commit();
  second->commit();
  second->waitUntilCompleted();
  EXPECT_EQ(Read(c), Read(a));
}

TEST_F(CommandsTest, SerialDispatchesNeedNoBarrier) {
  auto pipeline = Pipeline("copy_words");
  auto a = Rising(32), b = Shared(128), c = Shared(128);
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  EXPECT_EQ(encoder->dispatchType(), MTL::DispatchTypeSerial);
  Copy(encoder, pipeline, a, b, 32);
  Copy(encoder, pipeline, b, c, 32);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Read(c), Read(a));
}

TEST_F(CommandsTest, ConcurrentDispatchesNeedABarrier) {
  auto pipeline = Pipeline("copy_words");
  for (const bool with_barrier : {true, false}) {
    auto a = Rising(32), b = Shared(128), c = Shared(128);
    b->setLabel(MTLSTR("between"));
    CollectReports collect;
    MTL::CommandBuffer* commands = queue_->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
    Copy(encoder, pipeline, a, b, 32);
    if (with_barrier) encoder->memoryBarrier(MTL::BarrierScopeBuffers);
    Copy(encoder, pipeline, b, c, 32);
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    if (with_barrier) {
      EXPECT_EQ(Kinds(collect.Take()), std::vector<std::string>());
      EXPECT_EQ(Read(c), Read(a));
    } else {
      ExpectReport(collect.Take(), Misuse::kRace, "between");
    }
  }
}

TEST_F(CommandsTest, ABarrierOfTexturesIsNoneOfBuffers) {
  auto pipeline = Pipeline("copy_words");
  auto a = Rising(32), b = Shared(128), c = Shared(128);
  CollectReports collect;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
  Copy(encoder, pipeline, a, b, 32);
  encoder->memoryBarrier(MTL::BarrierScopeTextures);
  Copy(encoder, pipeline, b, c, 32);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Kinds(collect.Take()), std::vector<std::string>{"race"});
}

TEST_F(CommandsTest, EncodersOfOneCommandBufferFollowOneAnother) {
  auto pipeline = Pipeline("copy_words");
  auto a = Rising(32), b = Shared(128), c = Shared(128);
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c)}) {
    MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
    Copy(encoder, pipeline, from, to, 32);
    encoder->endEncoding();
  }
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Read(c), Read(a));
}

TEST_F(CommandsTest, ThreadgroupMemoryHasTheLengthThatTheHostGives) {
  auto pipeline = Pipeline("reverse_group");
  auto from = Rising(128), to = Shared(512);
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline.get());
  const MTL::Buffer* buffers[] = {from.get(), to.get()};
  const NS::UInteger offsets[] = {0, 0};
  encoder->setBuffers(buffers, offsets, NS::Range(0, 2));
  encoder->setThreadgroupMemoryLength(256, 0);
  encoder->dispatchThreads(MTL::Size(128, 1, 1), MTL::Size(64, 1, 1));
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Words(to)[0], 63u);
  EXPECT_EQ(Words(to)[127], 64u);
}

TEST_F(CommandsTest, AnOffsetCanMoveWithoutTheBuffer) {
  auto pipeline = Pipeline("copy_words");
  auto from = Rising(4), to = Shared(16);
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  Copy(encoder, pipeline, from, to, 4);
  encoder->setBufferOffset(8, 0);
  const uint32_t count = 2;
  encoder->setBytes(&count, sizeof count, 2);
  encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(32, 1, 1));
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Read(to), (std::vector<uint32_t>{2, 3, 2, 3}));
}

TEST_F(CommandsTest, BlitsCopyAndFill) {
  auto host = Rising(4), back = Shared(16);
  auto device_only = NS::TransferPtr(device_->newBuffer(16, MTL::ResourceStorageModePrivate));
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::BlitCommandEncoder* encoder = commands->blitCommandEncoder();
  encoder->copyFromBuffer(host.get(), 0, device_only.get(), 0, 16);
  encoder->fillBuffer(device_only.get(), NS::Range(4, 4), 0x11);
  encoder->copyFromBuffer(device_only.get(), 0, back.get(), 4, 12);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Read(back), (std::vector<uint32_t>{0xffffffffu, 0, 0x11111111u, 2}));
}

TEST_F(CommandsTest, ManagedContentsAreApartWhereMemoryIsNotUnified) {
  Close();
  DeviceDescription discrete;
  discrete.unified_memory = false;
  SetDevices({discrete});
  Open();
  auto pipeline = Pipeline("copy_words");
  auto from = NS::TransferPtr(device_->newBuffer(16, MTL::ResourceStorageModeManaged));
  auto to = NS::TransferPtr(device_->newBuffer(16, MTL::ResourceStorageModeManaged));
  std::iota(Words(from), Words(from) + 4, 0u);
  from->didModifyRange(NS::Range(0, 8));  // the device does not learn of the rest
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  Copy(encoder, pipeline, from, to, 4);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Read(to), std::vector<uint32_t>(4, 0xffffffffu));
  commands = queue_->commandBuffer();
  MTL::BlitCommandEncoder* blit = commands->blitCommandEncoder();
  blit->synchronizeResource(to.get());
  blit->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  EXPECT_EQ(Read(to), (std::vector<uint32_t>{0, 1, 0xffffffffu, 0xffffffffu}));
}

TEST_F(CommandsTest, ACommandBufferKeepsWhatItUses) {
  auto pipeline = Pipeline("copy_words");
  auto from = Rising(32), to = Shared(128);
  Gate gate;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  gate.HoldBack(commands);
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  Copy(encoder, pipeline, from, to, 32);
  encoder->endEncoding();
  commands->commit();
  pipeline.reset();
  from.reset();
  gate.Open();
  commands->waitUntilCompleted();
  EXPECT_EQ(Words(to)[31], 31u);
}

TEST_F(CommandsTest, QueuesOfSeveralThreadsRunSideBySide) {
  auto pipeline = Pipeline("copy_words");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        auto* pool = NS::AutoreleasePool::alloc()->init();
        auto from = Rising(64), to = Shared(256);
        MTL::CommandBuffer* commands = queue_->commandBuffer();
        MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
        Copy(encoder, pipeline, from, to, 64, 2);
        encoder->endEncoding();
        commands->commit();
        commands->waitUntilCompleted();
        EXPECT_EQ(Read(to), Read(from));
        pool->release();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CommandsTest, WhatWasDoneIsCounted) {
  const Counts before = CountsSoFar();
  auto pipeline = Pipeline("copy_words");
  auto from = Rising(32), to = Shared(128);
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
  Copy(encoder, pipeline, from, to, 32);
  encoder->memoryBarrier(MTL::BarrierScopeBuffers);
  Copy(encoder, pipeline, from, to, 32);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  const Counts after = CountsSoFar();
  EXPECT_EQ(after.pipelines - before.pipelines, 1u);
  EXPECT_EQ(after.buffers - before.buffers, 2u);
  EXPECT_EQ(after.buffer_bytes - before.buffer_bytes, 256u);
  EXPECT_EQ(after.command_buffers - before.command_buffers, 1u);
  EXPECT_EQ(after.compute_encoders - before.compute_encoders, 1u);
  EXPECT_EQ(after.dispatches - before.dispatches, 2u);
  EXPECT_EQ(after.barriers - before.barriers, 1u);
  EXPECT_EQ(after.waits - before.waits, 1u);
}

}  // namespace
}  // namespace metal_emulator
