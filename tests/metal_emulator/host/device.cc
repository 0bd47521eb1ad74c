#include "tests/metal_emulator/host/device.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "tests/metal_emulator/host/command_queue.h"
#include "tests/metal_emulator/host/state.h"

namespace metal_emulator {
namespace {

// Where a Mac's pages begin and end; memory to be used without a copy must be whole pages.
constexpr uint64_t kMacPageBytes = 16384;

// Device objects that live, by number.
struct KnownDevices {
  std::mutex mutex;
  std::map<uint64_t, Instance*> instances;
};
KnownDevices& Known() {
  static KnownDevices* known = new KnownDevices;
  return *known;
}

// The device at a place of the list, retained: while it lives, always the same object, as it is on a Mac.
MetalDevice* DeviceAt(const DeviceList& list, size_t place) {
  const uint64_t number = list.number_of_first + place;
  KnownDevices& known = Known();
  std::lock_guard lock(known.mutex);
  const auto found = known.instances.find(number);
  if (found != known.instances.end() && RetainIfAlive(found->second))
    return static_cast<MetalDevice*>(found->second->object);
  MetalDevice* device = Make<MetalDevice>(list.descriptions[place], number);
  known.instances[number] = device->instance();
  return device;
}

}  // namespace

const ClassDefinition& MetalDevice::Definition() {
  static const Method kMethods[] = {
      Bind<&MetalDevice::Name>("name"),
      Bind<&MetalDevice::SupportsFamily>("supportsFamily:"),
      Bind<&MetalDevice::HasUnifiedMemory>("hasUnifiedMemory"),
      Bind<&MetalDevice::IsLowPower>("isLowPower"),
      Bind<&MetalDevice::IsHeadless>("isHeadless"),
      Bind<&MetalDevice::IsRemovable>("isRemovable"),
      Bind<&MetalDevice::RegistryId>("registryID"),
      Bind<&MetalDevice::MaxThreads>("maxThreadsPerThreadgroup"),
      Bind<&MetalDevice::MaxThreadgroupMemory>("maxThreadgroupMemoryLength"),
      Bind<&MetalDevice::MaxBufferLength>("maxBufferLength"),
      Bind<&MetalDevice::WorkingSet>("recommendedMaxWorkingSetSize"),
      Bind<&MetalDevice::AllocatedSize>("currentAllocatedSize"),
      Bind<&MetalDevice::NewBuffer>("newBufferWithLength:options:"),
      Bind<&MetalDevice::NewBufferWithBytes>("newBufferWithBytes:length:options:"),
      Bind<&MetalDevice::NewBufferAround>("newBufferWithBytesNoCopy:length:options:deallocator:"),
      Bind<&MetalDevice::NewLibrary>("newLibraryWithSource:options:error:"),
      Bind<&MetalDevice::NewPipeline>("newComputePipelineStateWithFunction:error:"),
      Bind<&MetalDevice::NewPipelineWithOptions>("newComputePipelineStateWithFunction:options:reflection:error:"),
      Bind<&MetalDevice::NewPipelineWithDescriptor>("newComputePipelineStateWithDescriptor:options:reflection:error:"),
      Bind<&MetalDevice::NewQueue>("newCommandQueue"),
      Bind<&MetalDevice::NewQueueOfLength>("newCommandQueueWithMaxCommandBufferCount:"),
  };
  static const ClassDefinition kDefinition = {"MTLDevice", kMethods, {}, nullptr};
  return kDefinition;
}

MetalDevice::~MetalDevice() {
  KnownDevices& known = Known();
  std::lock_guard lock(known.mutex);
  const auto found = known.instances.find(number_);
  if (found != known.instances.end() && found->second == instance()) known.instances.erase(found);
}

bool MetalDevice::SupportsFamily(MTL::GPUFamily family) const {
  const auto number = static_cast<int64_t>(family);
  if (number > MTL::GPUFamilyApple1 - 1 && number < MTL::GPUFamilyMac1)
    return number - (MTL::GPUFamilyApple1 - 1) <= description_.apple_family;
  const bool any = description_.apple_family > 0 || description_.mac_family;
  switch (family) {
    case MTL::GPUFamilyMac1:
    case MTL::GPUFamilyMac2:
      return description_.mac_family;
    case MTL::GPUFamilyCommon1:
    case MTL::GPUFamilyCommon2:
    case MTL::GPUFamilyCommon3:
      return any;
    case MTL::GPUFamilyMetal3:
      return description_.apple_family >= 7 || (description_.apple_family == 0 && description_.mac_family);
    default:
      return false;
  }
}

MTL::Size MetalDevice::MaxThreads() const {
  const uint64_t max_threads = description_.max_threads_per_threadgroup;
  return MTL::Size(max_threads, max_threads, max_threads);
}

bool MetalDevice::CheckBuffer(NS::UInteger length, MTL::ResourceOptions options) const {
  const NS::UInteger storage = options >> 4 & 15;
  const NS::UInteger hazards = options >> 8 & 15;
  if (length == 0) {
    ReportMisuse(Misuse::kBadArgument, Describe() + ": a buffer of no bytes");
  } else if (storage > MTL::StorageModePrivate) {
    ReportMisuse(Misuse::kBadArgument, Describe() + ": a buffer cannot be memoryless");
  } else if (hazards == MTL::HazardTrackingModeUntracked) {
    ReportMisuse(Misuse::kUnsupported, Describe() + ": buffers without hazard tracking");
  } else {
    return true;
  }
  return false;
}

MetalBuffer* MetalDevice::Allocate(NS::UInteger length, MTL::ResourceOptions options) {
  if (!CheckBuffer(length, options) || AllocationFails() || length > description_.max_buffer_bytes) return nullptr;
  const bool apart = (options & MTL::ResourceStorageModeManaged) != 0 && !description_.unified_memory;
  std::shared_ptr<BufferMemory> memory = BufferMemory::Make(length, apart);
  if (memory == nullptr) return nullptr;
  Count([&](Counts& counts) {
    ++counts.buffers;
    counts.buffer_bytes += length;
  });
  return Make<MetalBuffer>(this, std::move(memory), options);
}

MTL::Buffer* MetalDevice::NewBuffer(NS::UInteger length, MTL::ResourceOptions options) {
  return As<MTL::Buffer>(Allocate(length, options));
}

MTL::Buffer* MetalDevice::NewBufferWithBytes(const void* bytes, NS::UInteger length, MTL::ResourceOptions options) {
  if (bytes == nullptr || (options & MTL::ResourceStorageModePrivate) != 0) {
    ReportMisuse(Misuse::kBadArgument, Describe() + ": newBufferWithBytes " +
                                           (bytes == nullptr ? "of a null pointer" : "into private storage"));
    return nullptr;
  }
  MetalBuffer* buffer = Allocate(length, options);
  if (buffer == nullptr) return nullptr;
  std::copy_n(static_cast<const std::byte*>(bytes), length, buffer->memory()->host());
  buffer->memory()->CopyToDevice(0, length);
  return As<MTL::Buffer>(buffer);
}

MTL::Buffer* MetalDevice::NewBufferAround(void* bytes, NS::UInteger length, MTL::ResourceOptions options,
                                          MetalBuffer::Deallocator deallocator) {
  if (!CheckBuffer(length, options)) return nullptr;
  if ((options >> 4 & 15) != MTL::StorageModeShared) {
    ReportMisuse(Misuse::kUnsupported, Describe() + ": newBufferWithBytesNoCopy in other than shared storage");
    return nullptr;
  }
  if (bytes == nullptr || reinterpret_cast<uintptr_t>(bytes) % kMacPageBytes != 0 || length % kMacPageBytes != 0) {
    ReportMisuse(Misuse::kBadArgument, Describe() + ": newBufferWithBytesNoCopy of other than whole pages of " +
                                           std::to_string(kMacPageBytes) + " bytes");
    return nullptr;
  }
  if (AllocationFails() || length > description_.max_buffer_bytes) return nullptr;
  Count([](Counts& counts) { ++counts.buffers; });
  return As<MTL::Buffer>(Make<MetalBuffer>(this, BufferMemory::Around(bytes, length), options, deallocator));
}

MTL::Library* MetalDevice::NewLibrary(const NS::String* source, const MTL::CompileOptions* options, NS::Error** error) {
  return As<MTL::Library>(MetalLibrary::Compile(this, source, options, error));
}

MTL::ComputePipelineState* MetalDevice::NewPipeline(const MTL::Function* function, NS::Error** error) {
  return As<MTL::ComputePipelineState>(
      MetalPipeline::Make(this, Behind<MetalFunction>(function, "newComputePipelineState"), {}, error));
}

// Which there is none of: reported.
bool MetalDevice::WantsReflection(MTL::PipelineOption options, MTL::ComputePipelineReflection** reflection) const {
  const bool wants = options != MTL::PipelineOptionNone || reflection != nullptr;
  if (wants) ReportMisuse(Misuse::kUnsupported, Describe() + ": reflection of a pipeline");
  return wants;
}

MTL::ComputePipelineState* MetalDevice::NewPipelineWithOptions(const MTL::Function* function,
                                                               MTL::PipelineOption options,
                                                               MTL::ComputePipelineReflection** reflection,
                                                               NS::Error** error) {
  if (WantsReflection(options, reflection)) return nullptr;
  return NewPipeline(function, error);
}

MTL::ComputePipelineState* MetalDevice::NewPipelineWithDescriptor(const MTL::ComputePipelineDescriptor* descriptor,
                                                                  MTL::PipelineOption options,
                                                                  MTL::ComputePipelineReflection** reflection,
                                                                  NS::Error** error) {
  if (WantsReflection(options, reflection)) return nullptr;
  const auto* described = Behind<MetalPipelineDescriptor>(descriptor, "newComputePipelineState");
  if (described == nullptr) {
    if (descriptor == nullptr) ReportMisuse(Misuse::kBadArgument, Describe() + ": a pipeline of no descriptor");
    return nullptr;
  }
  return As<MTL::ComputePipelineState>(MetalPipeline::Make(this, described->function(), described->wishes(), error));
}

MTL::CommandQueue* MetalDevice::NewQueue() {
  return CallFails() ? nullptr : As<MTL::CommandQueue>(metal_emulator::Make<MetalQueue>(this));
}

MTL::CommandQueue* MetalDevice::NewQueueOfLength(NS::UInteger max_command_buffers) {
  if (max_command_buffers == 0) {
    ReportMisuse(Misuse::kBadArgument, Describe() + ": a queue for no command buffers");
    return nullptr;
  }
  return NewQueue();
}

}  // namespace metal_emulator

extern "C" {

MTL::Device* MTLCreateSystemDefaultDevice() {
  using namespace metal_emulator;
  const DeviceList devices = Devices();
  return devices.descriptions.empty() ? nullptr : As<MTL::Device>(DeviceAt(devices, 0));
}

NS::Array* MTLCopyAllDevices() {
  using namespace metal_emulator;
  const DeviceList devices = Devices();
  Array* array = Make<Array>();
  for (size_t i = 0; i < devices.descriptions.size(); ++i) {
    MetalDevice* device = DeviceAt(devices, i);
    array->Add(device);
    Release(device);
  }
  return As<NS::Array>(array);
}

// The header's functions that watch for devices refer to these.
NS::Array* MTLCopyAllDevicesWithObserver(NS::Object**, MTL::DeviceNotificationHandlerBlock) {
  metal_emulator::ReportMisuse(metal_emulator::Misuse::kUnsupported, "watching for devices");
  return nullptr;
}
void MTLRemoveDeviceObserver(const NS::Object*) {
  metal_emulator::ReportMisuse(metal_emulator::Misuse::kUnsupported, "watching for devices");
}

}  // extern "C"
