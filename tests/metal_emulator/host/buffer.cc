#include "tests/metal_emulator/host/buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tests/metal_emulator/host/device.h"
#include "tests/metal_emulator/host/labels.h"
#include "tests/metal_emulator/host/state.h"

namespace metal_emulator {
namespace {

constexpr std::byte kPoison{0xff};
constexpr std::byte kWatched{0xa5};

size_t PageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

std::byte* Map(size_t mapped_bytes) {
  void* mapped =
      mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* bytes = static_cast<std::byte*>(mapped);
  mprotect(bytes + mapped_bytes - PageBytes(), PageBytes(), PROT_NONE);
  return bytes;
}

}  // namespace

std::shared_ptr<BufferMemory> BufferMemory::Make(size_t size_bytes, bool apart) {
  std::shared_ptr<BufferMemory> memory(new BufferMemory(size_bytes));
  memory->mapped_bytes_ = (size_bytes + PageBytes() - 1) / PageBytes() * PageBytes() + PageBytes();
  memory->host_ = memory->device_ = Map(memory->mapped_bytes_);
  if (apart) memory->device_ = Map(memory->mapped_bytes_);
  if (memory->host_ == nullptr || memory->device_ == nullptr) return nullptr;
  for (std::byte* bytes : {memory->host_, memory->device_}) {
    if (ContentsOfNewBuffers() == NewContents::kPoison) std::fill_n(bytes, size_bytes, kPoison);
    std::fill(bytes + size_bytes, bytes + memory->mapped_bytes_ - PageBytes(), kWatched);
  }
  return memory;
}

std::shared_ptr<BufferMemory> BufferMemory::Around(void* bytes, size_t size_bytes) {
  std::shared_ptr<BufferMemory> memory(new BufferMemory(size_bytes));
  memory->host_ = memory->device_ = static_cast<std::byte*>(bytes);
  return memory;
}

BufferMemory::~BufferMemory() {
  if (mapped_bytes_ == 0) return;
  if (device_ != nullptr && device_ != host_) munmap(device_, mapped_bytes_);
  if (host_ != nullptr) munmap(host_, mapped_bytes_);
}

bool BufferMemory::HostWrotePastTheEnd() const {
  if (mapped_bytes_ == 0) return false;
  const std::byte* end = host_ + mapped_bytes_ - PageBytes();
  return std::any_of(static_cast<const std::byte*>(host_) + size_bytes_, end,
                     [](std::byte byte) { return byte != kWatched; });
}

void BufferMemory::CopyToDevice(size_t begin, size_t end) {
  if (device_ != host_) std::memcpy(device_ + begin, host_ + begin, end - begin);
}

void BufferMemory::CopyToHost(size_t begin, size_t end) {
  if (device_ != host_) std::memcpy(host_ + begin, device_ + begin, end - begin);
}

const ClassDefinition& MetalBuffer::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalBuffer::Device>("device"),
      Bind<&MetalBuffer::Contents>("contents"),
      Bind<&MetalBuffer::Length>("length"),
      Bind<&MetalBuffer::Length>("allocatedSize"),
      Bind<&MetalBuffer::DidModifyRange>("didModifyRange:"),
      Bind<&MetalBuffer::StorageMode>("storageMode"),
      Bind<&MetalBuffer::Options>("resourceOptions"),
      Bind<&MetalBuffer::CacheMode>("cpuCacheMode"),
      Bind<&MetalBuffer::Hazards>("hazardTrackingMode"),
      BindLabel(),
      BindSetLabel(),
  };
  static const ClassDefinition kDefinition = {"MTLBuffer", kMethods, {}, nullptr};
  return kDefinition;
}

MetalBuffer::MetalBuffer(MetalDevice* device, std::shared_ptr<BufferMemory> memory, MTL::ResourceOptions options,
                         Deallocator deallocator)
    : device_(device),
      memory_(std::move(memory)),
      options_(options),
      deallocator_(deallocator == nullptr ? static_cast<Deallocator>(nullptr) : Block_copy(deallocator)) {
  device_->AddAllocated(static_cast<int64_t>(size_bytes()));
}

MetalBuffer::~MetalBuffer() {
  device_->AddAllocated(-static_cast<int64_t>(size_bytes()));
  if (memory_->HostWrotePastTheEnd())
    ReportMisuse(Misuse::kHostOverrun,
                 Describe() + " of " + std::to_string(size_bytes()) + " bytes: written past its end");
  if (deallocator_ == nullptr) return;
  deallocator_(memory_->host(), size_bytes());
  Block_release(deallocator_);
}

MTL::Device* MetalBuffer::Device() const { return As<MTL::Device>(device_.get()); }

// Documented: null where the host has no access.
void* MetalBuffer::Contents() { return StorageMode() == MTL::StorageModePrivate ? nullptr : memory_->host(); }

void MetalBuffer::DidModifyRange(NS::Range range) {
  if (StorageMode() != MTL::StorageModeManaged) {
    ReportMisuse(Misuse::kBadArgument, Describe() + ": didModifyRange is for managed buffers");
  } else if (range.location > size_bytes() || range.length > size_bytes() - range.location) {
    ReportMisuse(Misuse::kBadArgument, Describe() + ": didModifyRange past its end");
  } else {
    memory_->CopyToDevice(range.location, range.location + range.length);
  }
}

}  // namespace metal_emulator
