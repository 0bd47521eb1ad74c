// MTLComputeCommandEncoder and MTLBlitCommandEncoder: what the host records, checked as it is recorded.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_ENCODER_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_ENCODER_H_

#include <Metal/Metal.hpp>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/metal_emulator/host/buffer.h"
#include "tests/metal_emulator/host/command_queue.h"
#include "tests/metal_emulator/host/library.h"
#include "tests/metal_emulator/host/objc_runtime.h"

namespace metal_emulator {

class MetalEncoder : public Object {
 public:
  explicit MetalEncoder(MetalCommandBuffer* commands) : commands_(commands) {}
  ~MetalEncoder() override;

 protected:
  // Whether anything may still be recorded.
  bool CheckOpen(const char* what);
  void EndWith(std::unique_ptr<Pass> pass);
  // The buffer behind an argument, if it is one of this device; null, reported, otherwise. nil is refused.
  MetalBuffer* CheckBuffer(const MTL::Buffer* buffer, const char* what);
  void Bad(Misuse misuse, const std::string& text) { ReportMisuse(misuse, Describe() + ": " + text); }

  MTL::Device* Device() const;
  void DebugText(const NS::String*) { CheckOpen("a debug group"); }
  void EndDebugGroup() { CheckOpen("the end of a debug group"); }

  Ref<MetalCommandBuffer> commands_;
  bool ended_ = false;
};

class MetalComputeEncoder : public MetalEncoder {
 public:
  static const ClassDefinition& Definition();
  MetalComputeEncoder(MetalCommandBuffer* commands, bool concurrent);
  ~MetalComputeEncoder() override;

 private:
  class ComputePass;
  static constexpr size_t kNumBindings = 31;

  // What dispatches need of the pipeline state, which the command buffer may not keep.
  struct Pipeline {
    const KernelInfo* kernel;
    std::vector<ConstantValue> constants;
    uint64_t max_threads;
    bool whole_simdgroups;
  };
  // What lies at one index: a buffer, bytes, or nothing.
  struct Binding {
    std::shared_ptr<BufferMemory> memory;  // null: no buffer
    std::string label;
    size_t offset_bytes = 0;
    std::shared_ptr<std::vector<std::byte>> bytes;  // null: no bytes
    bool empty() const { return memory == nullptr && bytes == nullptr; }
  };

  MTL::DispatchType Type() const;
  void SetPipeline(const MTL::ComputePipelineState* state);
  void SetBuffer(const MTL::Buffer* buffer, NS::UInteger offset, NS::UInteger index);
  void SetBuffers(const MTL::Buffer* const* buffers, const NS::UInteger* offsets, NS::Range range);
  void SetBufferOffset(NS::UInteger offset, NS::UInteger index);
  void SetBytes(const void* bytes, NS::UInteger length, NS::UInteger index);
  void SetThreadgroupMemory(NS::UInteger length, NS::UInteger index);
  void DispatchThreadgroups(MTL::Size groups, MTL::Size threads);
  void DispatchThreads(MTL::Size grid, MTL::Size threads);
  void MemoryBarrier(MTL::BarrierScope scope);
  void EndEncoding();

  bool CheckIndex(NS::UInteger index, const char* what);
  bool CheckOffset(const BufferMemory& memory, NS::UInteger offset);
  bool CheckThreads(MTL::Size threads);
  bool CheckBindings();
  bool CheckThreadgroupMemory();
  void Dispatch(MTL::Size groups, MTL::Size threads, MTL::Size grid);

  bool concurrent_;
  std::optional<Pipeline> pipeline_;
  std::array<Binding, kNumBindings> bindings_;
  std::array<size_t, kNumBindings> threadgroup_bytes_{};
  std::unique_ptr<ComputePass> pass_;
};

class MetalBlitEncoder : public MetalEncoder {
 public:
  static const ClassDefinition& Definition();
  MetalBlitEncoder(MetalCommandBuffer* commands, bool concurrent);
  ~MetalBlitEncoder() override;

 private:
  class BlitPass;

  void Copy(const MTL::Buffer* source, NS::UInteger source_offset, const MTL::Buffer* target,
            NS::UInteger target_offset, NS::UInteger size);
  void Fill(const MTL::Buffer* buffer, NS::Range range, uint8_t value);
  void Synchronize(const MTL::Resource* resource);
  void EndEncoding();
  bool CheckRange(const MetalBuffer& buffer, NS::UInteger offset, NS::UInteger size, const char* what);

  std::unique_ptr<BlitPass> pass_;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_ENCODER_H_
