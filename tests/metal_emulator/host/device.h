// MTLDevice, and the functions that find devices.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_DEVICE_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_DEVICE_H_

#include <Metal/Metal.hpp>
#include <atomic>
#include <utility>

#include "tests/metal_emulator/host/buffer.h"
#include "tests/metal_emulator/host/foundation.h"
#include "tests/metal_emulator/host/library.h"
#include "tests/metal_emulator/host/objc_runtime.h"

namespace metal_emulator {

class MetalDevice : public Object {
 public:
  static const ClassDefinition& Definition();
  MetalDevice(DeviceDescription description, uint64_t number) : description_(std::move(description)), number_(number) {}

  ~MetalDevice() override;

  const DeviceDescription& description() const { return description_; }
  // Says which device this is.
  uint64_t number() const { return number_; }
  std::string Describe() const override { return "<MTLDevice '" + description_.name + "'>"; }
  void AddAllocated(int64_t bytes) { allocated_bytes_ += bytes; }

 private:
  bool WantsReflection(MTL::PipelineOption options, MTL::ComputePipelineReflection** reflection) const;
  NS::String* Name() { return PooledString(description_.name); }
  bool SupportsFamily(MTL::GPUFamily family) const;
  bool HasUnifiedMemory() const { return description_.unified_memory; }
  bool IsLowPower() const { return description_.low_power; }
  bool IsHeadless() const { return description_.headless; }
  bool IsRemovable() const { return description_.removable; }
  uint64_t RegistryId() const { return number_; }
  MTL::Size MaxThreads() const;
  NS::UInteger MaxThreadgroupMemory() const { return description_.threadgroup_memory_bytes; }
  NS::UInteger MaxBufferLength() const { return description_.max_buffer_bytes; }
  uint64_t WorkingSet() const { return description_.working_set_bytes; }
  NS::UInteger AllocatedSize() const { return static_cast<NS::UInteger>(allocated_bytes_.load()); }

  MTL::Buffer* NewBuffer(NS::UInteger length, MTL::ResourceOptions options);
  MTL::Buffer* NewBufferWithBytes(const void* bytes, NS::UInteger length, MTL::ResourceOptions options);
  MTL::Buffer* NewBufferAround(void* bytes, NS::UInteger length, MTL::ResourceOptions options,
                               MetalBuffer::Deallocator deallocator);
  MetalBuffer* Allocate(NS::UInteger length, MTL::ResourceOptions options);
  bool CheckBuffer(NS::UInteger length, MTL::ResourceOptions options) const;

  MTL::Library* NewLibrary(const NS::String* source, const MTL::CompileOptions* options, NS::Error** error);
  MTL::ComputePipelineState* NewPipeline(const MTL::Function* function, NS::Error** error);
  MTL::ComputePipelineState* NewPipelineWithOptions(const MTL::Function* function, MTL::PipelineOption options,
                                                    MTL::ComputePipelineReflection** reflection, NS::Error** error);
  MTL::ComputePipelineState* NewPipelineWithDescriptor(const MTL::ComputePipelineDescriptor* descriptor,
                                                       MTL::PipelineOption options,
                                                       MTL::ComputePipelineReflection** reflection, NS::Error** error);
  MTL::CommandQueue* NewQueue();
  MTL::CommandQueue* NewQueueOfLength(NS::UInteger max_command_buffers);

  DeviceDescription description_;
  uint64_t number_;
  std::atomic<int64_t> allocated_bytes_{0};
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_DEVICE_H_
