// Each wrong use of command buffers and encoders is reported, by its kind and with a text that says where.
#include "tests/metal_emulator/host/test_support.h"

namespace metal_emulator {
namespace {

class MisuseTest : public MetalTest {
 protected:
  // What a wrong use inside one compute encoder is reported as; the rest of the command buffer is as it should be.
  template <typename F>
  std::vector<Report> InEncoder(const F& use) {
    CollectReports collect;
    MTL::CommandBuffer* commands = queue_->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    use(encoder);
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    return collect.Take();
  }
  template <typename F>
  std::vector<Report> InBlit(const F& use) {
    CollectReports collect;
    MTL::CommandBuffer* commands = queue_->commandBuffer();
    MTL::BlitCommandEncoder* encoder = commands->blitCommandEncoder();
    use(encoder);
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    return collect.Take();
  }
};

TEST_F(MisuseTest, EncodingAfterTheEnd) {
  CollectReports collect;
  auto buffer = Shared(16);
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  encoder->endEncoding();
  encoder->setBuffer(buffer.get(), 0, 0);
  ExpectReport(collect.Take(), Misuse::kEncodeAfterEnd, "setBuffer after endEncoding");
  encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
  ExpectReport(collect.Take(), Misuse::kEncodeAfterEnd, "a dispatch");
  encoder->endEncoding();
  ExpectReport(collect.Take(), Misuse::kEncodeAfterEnd, "endEncoding after endEncoding");
  commands->commit();
  EXPECT_EQ(commands->computeCommandEncoder(), nullptr);
  ExpectReport(collect.Take(), Misuse::kEncodeAfterEnd, "an encoder after commit");
  commands->waitUntilCompleted();
}

TEST_F(MisuseTest, CommitWithAnOpenEncoder) {
  CollectReports collect;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  commands->commit();
  ExpectReport(collect.Take(), Misuse::kEncoderOpen, "commit while <MTLComputeCommandEncoder>");
  EXPECT_EQ(commands->blitCommandEncoder(), nullptr);
  ExpectReport(collect.Take(), Misuse::kEncoderOpen, "a second encoder");
  encoder->endEncoding();
}

TEST_F(MisuseTest, AnEncoderGivenUpWithoutEnd) {
  CollectReports collect;
  auto* pool = NS::AutoreleasePool::alloc()->init();
  queue_->commandBuffer()->computeCommandEncoder()->setLabel(MTLSTR("forgotten"));
  pool->release();
  ExpectReport(collect.Take(), Misuse::kEncoderOpen, "'forgotten'>: given up without endEncoding");
}

TEST_F(MisuseTest, ASecondCommit) {
  CollectReports collect;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  commands->setLabel(MTLSTR("once"));
  commands->commit();
  commands->commit();
  ExpectReport(collect.Take(), Misuse::kCommittedTwice, "'once'");
  commands->waitUntilCompleted();
}

TEST_F(MisuseTest, WaitBeforeCommitAndHandlersAfterIt) {
  CollectReports collect;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  commands->waitUntilCompleted();
  ExpectReport(collect.Take(), Misuse::kWrongOrder, "waitUntilCompleted before commit");
  commands->waitUntilScheduled();
  ExpectReport(collect.Take(), Misuse::kWrongOrder, "waitUntilScheduled before commit");
  commands->commit();
  commands->addCompletedHandler([](MTL::CommandBuffer*) {});
  ExpectReport(collect.Take(), Misuse::kWrongOrder, "a handler after commit");
  commands->waitUntilCompleted();
}

TEST_F(MisuseTest, ADispatchWithoutAPipeline) {
  ExpectReport(InEncoder([](MTL::ComputeCommandEncoder* encoder) {
                 encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
               }),
               Misuse::kNoPipeline, "without a pipeline state");
}

TEST_F(MisuseTest, AMissingBinding) {
  auto pipeline = Pipeline("copy_words");
  auto buffer = Rising(32), other = Shared(128);
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
                 encoder->setComputePipelineState(pipeline.get());
                 encoder->setBuffer(buffer.get(), 0, 0);
                 const uint32_t count = 1;
                 encoder->setBytes(&count, sizeof count, 2);
                 encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(32, 1, 1));
               }),
               Misuse::kMissingBinding, "'copy_words': buffer 1 ('to') is not bound");
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
                 Copy(encoder, pipeline, buffer, other, 32);
                 encoder->setBuffer(nullptr, 0, 0);  // takes away what the first dispatch had
                 encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(32, 1, 1));
               }),
               Misuse::kMissingBinding, "buffer 0 ('from')");
}

TEST_F(MisuseTest, BindingsThatDoNotFit) {
  auto pipeline = Pipeline("copy_words");
  auto buffer = Rising(32), other = Shared(128);
  const auto dispatch = [&](MTL::ComputeCommandEncoder* encoder) {
    encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(32, 1, 1));
  };
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) { encoder->setBuffer(buffer.get(), 128, 0); }),
               Misuse::kBadArgument, "offset 128 in a buffer of 128 bytes");
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) { encoder->setBuffer(buffer.get(), 0, 31); }),
               Misuse::kBadArgument, "index 31");
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) { encoder->setBufferOffset(0, 3); }),
               Misuse::kBadArgument, "no buffer at index 3");
  const std::vector<uint8_t> block(5000);
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) { encoder->setBytes(block.data(), 5000, 2); }),
               Misuse::kBadArgument, "setBytes of 5000 bytes");
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
                 Copy(encoder, pipeline, buffer, other, 32);
                 encoder->setBytes(block.data(), 2, 2);
                 dispatch(encoder);
               }),
               Misuse::kBadArgument, "buffer 2 ('count') has 2 bytes");
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
                 Copy(encoder, pipeline, buffer, other, 32);
                 encoder->setBufferOffset(2, 0);
                 dispatch(encoder);
               }),
               Misuse::kBadArgument, "aligned to 4");
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
                 Copy(encoder, pipeline, buffer, other, 32);
                 encoder->setBytes(block.data(), 128, 1);
                 dispatch(encoder);
               }),
               Misuse::kBadArgument, "is written, but bound by setBytes");
}

TEST_F(MisuseTest, ThreadgroupsThatAreTooLargeOrEmpty) {
  auto pipeline = Pipeline("reverse_group");
  auto buffer = Rising(128), other = Shared(512);
  const auto dispatch = [&](MTL::Size groups, MTL::Size threads) {
    return InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
      encoder->setComputePipelineState(pipeline.get());
      encoder->setBuffer(buffer.get(), 0, 0);
      encoder->setBuffer(other.get(), 0, 1);
      encoder->setThreadgroupMemoryLength(512, 0);
      encoder->dispatchThreadgroups(groups, threads);
    });
  };
  EXPECT_EQ(Kinds(dispatch(MTL::Size(2, 1, 1), MTL::Size(64, 1, 1))), std::vector<std::string>());
  ExpectReport(dispatch(MTL::Size(1, 1, 1), MTL::Size(65, 1, 1)), Misuse::kThreadgroupSize, "1 to 64 go");
  ExpectReport(dispatch(MTL::Size(1, 1, 1), MTL::Size(64, 2, 1)), Misuse::kThreadgroupSize, "(64, 2, 1)");
  ExpectReport(dispatch(MTL::Size(1, 1, 1), MTL::Size(64, 0, 1)), Misuse::kThreadgroupSize, "(64, 0, 1)");
  ExpectReport(dispatch(MTL::Size(1, 1, 1), MTL::Size(uint64_t{1} << 32, uint64_t{1} << 32, 1)),
               Misuse::kThreadgroupSize, "1 to 64 go");
  ExpectReport(dispatch(MTL::Size(0, 1, 1), MTL::Size(64, 1, 1)), Misuse::kBadArgument, "a grid of (0, 1, 1)");
}

TEST_F(MisuseTest, APromiseOfWholeSimdgroupsIsKept) {
  auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
  auto function = NS::TransferPtr(library_->newFunction(MTLSTR("copy_words")));
  descriptor->setComputeFunction(function.get());
  descriptor->setThreadGroupSizeIsMultipleOfThreadExecutionWidth(true);
  auto pipeline =
      NS::TransferPtr(device_->newComputePipelineState(descriptor.get(), MTL::PipelineOptionNone, nullptr, nullptr));
  auto buffer = Rising(32), other = Shared(128);
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
                 Copy(encoder, pipeline, buffer, other, 32);
                 encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(33, 1, 1));
               }),
               Misuse::kThreadgroupSize, "no multiple of the simdgroup's width");
}

TEST_F(MisuseTest, ThreadgroupMemory) {
  auto pipeline = Pipeline("reverse_group");
  auto buffer = Rising(64), other = Shared(256);
  const auto dispatch = [&](std::optional<NS::UInteger> length) {
    return InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
      encoder->setComputePipelineState(pipeline.get());
      encoder->setBuffer(buffer.get(), 0, 0);
      encoder->setBuffer(other.get(), 0, 1);
      if (length) encoder->setThreadgroupMemoryLength(*length, 0);
      encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(64, 1, 1));
    });
  };
  EXPECT_EQ(Kinds(dispatch(256)), std::vector<std::string>());
  ExpectReport(dispatch(std::nullopt), Misuse::kThreadgroupMemory, "no length of threadgroup memory 0");
  ExpectReport(dispatch(32784), Misuse::kThreadgroupMemory, "the device has 32768");
  ExpectReport(dispatch(128), Misuse::kKernel, "reverse_group");  // half of what the kernel touches
  const auto odd = InEncoder([](MTL::ComputeCommandEncoder* encoder) { encoder->setThreadgroupMemoryLength(250, 0); });
  ExpectReport(odd, Misuse::kThreadgroupMemory, "no multiple of 16");
}

TEST_F(MisuseTest, AKernelOutOfBounds) {
  auto pipeline = Pipeline("copy_words");
  auto from = Rising(32), to = Shared(31 * 4);
  to->setLabel(MTLSTR("too short"));
  CollectReports collect;
  MTL::CommandBuffer* commands = queue_->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  Copy(encoder, pipeline, from, to, 32);
  encoder->endEncoding();
  commands->commit();
  commands->waitUntilCompleted();
  ExpectReport(collect.Take(), Misuse::kKernel, "too short");
  EXPECT_EQ(commands->status(), MTL::CommandBufferStatusError);
  EXPECT_EQ(commands->error()->code(), static_cast<NS::Integer>(MTL::CommandBufferErrorPageFault));
}

TEST_F(MisuseTest, ThreadgroupsOfOneDispatchThatWriteTheSame) {
  auto pipeline = AddStep(1);
  auto buffer = Shared(128);
  EXPECT_EQ(Kinds(InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
              encoder->setComputePipelineState(pipeline.get());
              encoder->setBuffer(buffer.get(), 0, 0);
              const uint32_t count = 32;
              encoder->setBytes(&count, sizeof count, 1);
              encoder->dispatchThreadgroups(MTL::Size(2, 1, 1), MTL::Size(16, 1, 1));
            })),
            std::vector<std::string>());
  auto copies = Pipeline("copy_words");
  // Both threadgroups see the buffer that is copied onto itself, one word on.
  const auto reports = InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
    encoder->setComputePipelineState(copies.get());
    encoder->setBuffer(buffer.get(), 0, 0);
    encoder->setBuffer(buffer.get(), 4, 1);
    const uint32_t count = 31;
    encoder->setBytes(&count, sizeof count, 2);
    encoder->dispatchThreadgroups(MTL::Size(2, 1, 1), MTL::Size(16, 1, 1));
  });
  EXPECT_EQ(Kinds(reports), std::vector<std::string>{"race"});
}

TEST_F(MisuseTest, ABufferReleasedWhileCommandsThatDoNotKeepItNeedIt) {
  auto pipeline = Pipeline("copy_words");
  auto from = Rising(32), to = Shared(128);
  from->setLabel(MTLSTR("source"));
  Gate gate;
  CollectReports collect;
  MTL::CommandBuffer* commands = queue_->commandBufferWithUnretainedReferences();
  gate.HoldBack(commands);
  EXPECT_FALSE(commands->retainedReferences());
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  Copy(encoder, pipeline, from, to, 32);
  encoder->endEncoding();
  commands->commit();
  from.reset();
  ExpectReport(collect.Take(), Misuse::kReleasedInUse, "'source'");
  gate.Open();
  commands->waitUntilCompleted();
  to.reset();  // nobody needs it any more
  EXPECT_EQ(Kinds(collect.Take()), std::vector<std::string>());
}

TEST_F(MisuseTest, ADescriptorAsksForUnretainedReferencesToo) {
  auto descriptor = NS::TransferPtr(MTL::CommandBufferDescriptor::alloc()->init());
  EXPECT_TRUE(descriptor->retainedReferences());
  descriptor->setRetainedReferences(false);
  EXPECT_FALSE(queue_->commandBuffer(descriptor.get())->retainedReferences());
}

TEST_F(MisuseTest, ObjectsOfTheWrongKindOrDevice) {
  auto buffer = Shared(16);
  const auto wrong = InEncoder([&](MTL::ComputeCommandEncoder* encoder) {
    encoder->setComputePipelineState(reinterpret_cast<MTL::ComputePipelineState*>(buffer.get()));
  });
  ExpectReport(wrong, Misuse::kBadArgument, "a MTLBuffer where a MTLComputePipelineState goes");
  ExpectReport(InEncoder([](MTL::ComputeCommandEncoder* encoder) {
                 encoder->setBuffer(reinterpret_cast<MTL::Buffer*>(MTLSTR("a text")), 0, 0);
               }),
               Misuse::kBadArgument, "a constant NSString where a MTLBuffer goes");
  DeviceDescription other;
  other.name = "another";
  SetDevices({other});
  auto stranger = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  auto foreign = NS::TransferPtr(stranger->newBuffer(16, MTL::ResourceStorageModeShared));
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) { encoder->setBuffer(foreign.get(), 0, 0); }),
               Misuse::kBadArgument, "is of another device");
}

TEST_F(MisuseTest, SimdgroupsOfOtherWidthsAreNotRun) {
  Close();
  DeviceDescription narrow;
  narrow.simdgroup_width = 16;
  SetDevices({narrow});
  Open();
  auto pipeline = Pipeline("copy_words");
  EXPECT_EQ(pipeline->threadExecutionWidth(), 16u);
  auto buffer = Rising(32), other = Shared(128);
  ExpectReport(InEncoder([&](MTL::ComputeCommandEncoder* encoder) { Copy(encoder, pipeline, buffer, other, 32); }),
               Misuse::kUnsupported, "simdgroups of 32 only");
}

TEST_F(MisuseTest, CopiesOutOfRange) {
  auto buffer = Rising(4), other = Shared(16);
  const auto copy = [&](NS::UInteger from, NS::UInteger to, NS::UInteger size) {
    return InBlit(
        [&](MTL::BlitCommandEncoder* encoder) { encoder->copyFromBuffer(buffer.get(), from, other.get(), to, size); });
  };
  EXPECT_EQ(Kinds(copy(0, 0, 16)), std::vector<std::string>());
  ExpectReport(copy(4, 0, 16), Misuse::kBadArgument, "16 bytes from offset 4");
  ExpectReport(copy(0, 4, 16), Misuse::kBadArgument, "16 bytes from offset 4");
  ExpectReport(copy(2, 0, 4), Misuse::kBadArgument, "multiples of 4");
  ExpectReport(copy(0, 0, 0), Misuse::kBadArgument, "0 bytes");
  ExpectReport(
      InBlit([&](MTL::BlitCommandEncoder* encoder) { encoder->copyFromBuffer(buffer.get(), 0, buffer.get(), 4, 8); }),
      Misuse::kBadArgument, "overlap");
  ExpectReport(
      InBlit([&](MTL::BlitCommandEncoder* encoder) { encoder->fillBuffer(buffer.get(), NS::Range(8, 12), 0); }),
      Misuse::kBadArgument, "12 bytes from offset 8");
  ExpectReport(InBlit([&](MTL::BlitCommandEncoder* encoder) { encoder->synchronizeResource(buffer.get()); }),
               Misuse::kBadArgument, "is not managed");
}

TEST_F(MisuseTest, WhatTheEmulatorDoesNotHaveIsSaid) {
  CollectReports collect;
  EXPECT_EQ(device_->newHeap(nullptr), nullptr);
  ExpectReport(collect.Take(), Misuse::kUnknownMessage, "-[MTLDevice newHeapWithDescriptor:]");
  queue_->commandBuffer()->enqueue();
  ExpectReport(collect.Take(), Misuse::kUnsupported, "enqueue");
}

}  // namespace
}  // namespace metal_emulator
