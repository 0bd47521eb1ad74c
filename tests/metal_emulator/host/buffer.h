// MTLBuffer.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_BUFFER_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_BUFFER_H_

#include <Block.h>

#include <Metal/Metal.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "tests/metal_emulator/host/objc_runtime.h"
#include "tests/metal_emulator/kernels/emulated_library.h"

namespace metal_emulator {

class MetalDevice;

// What a buffer holds; commands keep it, so that a buffer given up too early is a report and not a crash. The bytes end
// short of a page that nobody may touch, and what is left of their last page is watched.
class BufferMemory {
 public:
  // Errors   null: there is no such memory
  static std::shared_ptr<BufferMemory> Make(size_t size_bytes, bool apart);
  // The caller's memory.
  static std::shared_ptr<BufferMemory> Around(void* bytes, size_t size_bytes);
  ~BufferMemory();
  BufferMemory(const BufferMemory&) = delete;
  BufferMemory& operator=(const BufferMemory&) = delete;

  std::byte* host() const { return host_; }      // as the host sees it
  std::byte* device() const { return device_; }  // as kernels do: the same but for managed buffers of some devices
  size_t size_bytes() const { return size_bytes_; }
  BufferAccess& access() { return access_; }
  bool HostWrotePastTheEnd() const;
  // What the other side has, in [begin, end).
  void CopyToDevice(size_t begin, size_t end);
  void CopyToHost(size_t begin, size_t end);

 private:
  explicit BufferMemory(size_t size_bytes) : size_bytes_(size_bytes), access_(size_bytes) {}

  std::byte* host_ = nullptr;
  std::byte* device_ = nullptr;
  size_t size_bytes_;
  size_t mapped_bytes_ = 0;  // 0: the caller's memory
  BufferAccess access_;
};

class MetalBuffer : public Object {
 public:
  using Deallocator = void (^)(void*, NS::UInteger);
  static const ClassDefinition& Definition();
  MetalBuffer(MetalDevice* device, std::shared_ptr<BufferMemory> memory, MTL::ResourceOptions options,
              Deallocator deallocator = nullptr);
  ~MetalBuffer() override;

  const std::shared_ptr<BufferMemory>& memory() const { return memory_; }
  size_t size_bytes() const { return memory_->size_bytes(); }
  MTL::StorageMode StorageMode() const { return static_cast<MTL::StorageMode>(options_ >> 4 & 15); }
  const Ref<MetalDevice>& device() const { return device_; }

 private:
  MTL::Device* Device() const;
  void* Contents();
  NS::UInteger Length() const { return memory_->size_bytes(); }
  void DidModifyRange(NS::Range range);
  MTL::ResourceOptions Options() const { return options_; }
  MTL::CPUCacheMode CacheMode() const { return static_cast<MTL::CPUCacheMode>(options_ & 15); }
  MTL::HazardTrackingMode Hazards() const { return MTL::HazardTrackingModeTracked; }

  Ref<MetalDevice> device_;
  std::shared_ptr<BufferMemory> memory_;
  MTL::ResourceOptions options_;
  Deallocator deallocator_;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_BUFFER_H_
