// A Metal device with its queue, its kernels and its buffers.
#ifndef INKREAD_BACKENDS_METAL_DEVICE_H_
#define INKREAD_BACKENDS_METAL_DEVICE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "backends/gpu/dispatch.h"
#include "backends/metal/metal_backend.h"
#include "backends/metal/metal_cpp.h"

namespace inkread::metal {

// A block of memory that host and device access, or the device alone.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(NS::SharedPtr<MTL::Buffer> buffer) : buffer_(std::move(buffer)) {}
  MTL::Buffer* get() const { return buffer_.get(); }
  uint64_t size_bytes() const { return buffer_.get() == nullptr ? 0 : buffer_->length(); }
  std::byte* data() const { return static_cast<std::byte*>(buffer_->contents()); }  // of shared memory only

 private:
  NS::SharedPtr<MTL::Buffer> buffer_;
};

class Device {
 public:
  // One object for each of the machine's devices, shared by all backends that have it open.
  static Result<std::shared_ptr<Device>> Open(const std::string& wanted);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return info_.name; }
  bool has_unified_memory() const { return device_->hasUnifiedMemory(); }
  uint64_t max_buffer_bytes() const { return std::min<uint64_t>(device_->maxBufferLength(), kMaxCounted); }

  // For each kind whether the library has its kernel.
  const std::array<bool, kNumStepKinds>& has_kernel() const { return has_kernel_; }
  // Compiled on first use; runs in threadgroups of `threads`. Safe from several threads.
  Result<MTL::ComputePipelineState*> Pipeline(const gpu::KernelVariant& variant, uint32_t threads);
  // Errors  kOutOfMemory
  Result<Buffer> NewBuffer(uint64_t size_bytes, MTL::ResourceOptions storage) const;
  // To be filled, committed and waited for within the current AutoreleaseScope. The caller keeps all objects that it
  // uses alive until then.
  // Errors  kDeviceLost
  Result<MTL::CommandBuffer*> NewCommands() const;
  // Waits for commands that have been committed.
  // Errors  kOutOfMemory, kDeviceLost, kUnsupported (the device does not do what it should)
  Status Wait(MTL::CommandBuffer* commands) const;

 private:
  // Kernels count 16-bit values by 32-bit offsets.
  static constexpr uint64_t kMaxCounted = uint64_t{2} << 32;

  Device(NS::SharedPtr<MTL::Device> device, MetalDeviceInfo info)
      : device_(std::move(device)), info_(std::move(info)) {}
  Status Start();
  Result<NS::SharedPtr<MTL::ComputePipelineState>> Compile(const gpu::KernelVariant& variant, uint32_t threads) const;

  NS::SharedPtr<MTL::Device> device_;
  MetalDeviceInfo info_;
  NS::SharedPtr<MTL::CommandQueue> queue_;
  NS::SharedPtr<MTL::Library> library_;
  std::array<bool, kNumStepKinds> has_kernel_{};
  std::mutex mutex_;
  std::map<gpu::KernelVariant, NS::SharedPtr<MTL::ComputePipelineState>> pipelines_;
};

}  // namespace inkread::metal

#endif  // INKREAD_BACKENDS_METAL_DEVICE_H_
