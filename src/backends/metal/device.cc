#include "backends/metal/device.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/metal/kernel_text.h"
#include "backends/metal/kernels/sizes.h"

namespace inkread {
namespace metal {
namespace {

std::vector<NS::SharedPtr<MTL::Device>> AllDevices() {
  const auto all = Own(MTL::CopyAllDevices());
  std::vector<NS::SharedPtr<MTL::Device>> devices;
  for (NS::UInteger i = 0; all.get() != nullptr && i < all->count(); ++i)
    devices.push_back(NS::RetainPtr(all->object<MTL::Device>(i)));
  return devices;
}

// The newest of Apple's families that the device belongs to; 0: none.
int AppleFamily(MTL::Device& device) {
  constexpr int kNewest = 10;
  for (int family = kNewest; family > 0; --family) {
    if (device.supportsFamily(static_cast<MTL::GPUFamily>(MTL::GPUFamilyApple1 + family - 1))) return family;
  }
  return 0;
}

MetalDeviceInfo Describe(int index, MTL::Device& device) {
  constexpr int kOldest = 7;  // with matrices of simdgroups
  const int family = AppleFamily(device);
  MetalDeviceInfo info;
  info.index = index;
  info.name = TextOf(device.name());
  info.driver = "Metal";
  info.offers = StrCat(family > 0 ? StrCat("Apple", family, ", ") : "",
                       device.hasUnifiedMemory() ? "unified memory, " : "memory of its own, ",
                       device.recommendedMaxWorkingSetSize() >> 20, " MiB");
  if (family < kOldest) info.not_default_reason = StrCat("its family is older than Apple", kOldest);
  if (device.maxThreadgroupMemoryLength() < INKREAD_THREADGROUP_BYTES)
    info.unusable_reason = StrCat("its threadgroups share ", device.maxThreadgroupMemoryLength(), " bytes, expected ",
                                  INKREAD_THREADGROUP_BYTES, " and more");
  return info;
}

// Of all devices. Errors: kUnsupported, there are none
Result<std::vector<MetalDeviceInfo>> DescribeAll(const std::vector<NS::SharedPtr<MTL::Device>>& devices) {
  if (devices.empty()) return Unsupported("Metal: there is no device");
  std::vector<MetalDeviceInfo> infos;
  for (size_t i = 0; i < devices.size(); ++i) infos.push_back(Describe(static_cast<int>(i), *devices[i].get()));
  return infos;
}

const char* const kKernelNames[] = {
#define INKREAD_STEP(kind, params, stem) #stem,
#include "schedule/steps.inc"
#undef INKREAD_STEP
};

}  // namespace

Result<std::shared_ptr<Device>> Device::Open(const std::string& wanted) {
  static std::mutex mutex;
  static std::vector<std::weak_ptr<Device>> open;
  const AutoreleaseScope scope;
  const auto devices = AllDevices();
  INKREAD_ASSIGN_OR_RETURN(const std::vector<MetalDeviceInfo> infos, DescribeAll(devices));
  INKREAD_ASSIGN_OR_RETURN(const size_t chosen, gpu::ChooseDevice(infos, wanted, "Metal"));
  std::lock_guard lock(mutex);
  std::erase_if(open, [](const std::weak_ptr<Device>& device) { return device.expired(); });
  for (const std::weak_ptr<Device>& known : open) {
    if (auto device = known.lock(); device != nullptr && device->device_.get() == devices[chosen].get()) return device;
  }
  std::shared_ptr<Device> device(new Device(devices[chosen], infos[chosen]));
  INKREAD_RETURN_IF_ERROR(device->Start());
  open.push_back(device);
  return device;
}

Status Device::Start() {
  queue_ = Own(device_->newCommandQueue());
  if (queue_.get() == nullptr) return Unsupported(name(), ": no command queue can be made");
  const auto options = Own(MTL::CompileOptions::alloc()->init());
  options->setFastMathEnabled(false);  // so that the kernels' own exp and GELU have the error that they promise
  NS::Error* error = nullptr;
  library_ = Own(device_->newLibrary(StringOf(kKernelText), options.get(), &error));
  if (library_.get() == nullptr) return Unsupported(name(), ": the kernels do not compile: ", TextOf(error));
  NS::Array* const names = library_->functionNames();
  for (NS::UInteger i = 0; i < names->count(); ++i) {
    const std::string kernel = TextOf(names->object<NS::String>(i));
    for (size_t kind = 0; kind < has_kernel_.size(); ++kind) has_kernel_[kind] |= kernel == kKernelNames[kind];
  }
  // The width of simdgroups is known only of a kernel that is ready to run. Every schedule has copies.
  const gpu::KernelVariant copy = {StepKind::kCopy, gpu::CopyVariant{.vector_width = 1, .x_is_f32 = 1, .y_is_f32 = 1}};
  INKREAD_ASSIGN_OR_RETURN(MTL::ComputePipelineState * pipeline, Pipeline(copy, INKREAD_THREADGROUP_SIZE));
  if (pipeline->threadExecutionWidth() != INKREAD_SIMD_WIDTH)
    return Unsupported(name(), ": its simdgroups have ", pipeline->threadExecutionWidth(), " threads, expected ",
                       INKREAD_SIMD_WIDTH);
  return Status();
}

Result<MTL::ComputePipelineState*> Device::Pipeline(const gpu::KernelVariant& variant, uint32_t threads) {
  std::lock_guard lock(mutex_);
  const auto known = pipelines_.find(variant);
  if (known != pipelines_.end()) return known->second.get();
  INKREAD_ASSIGN_OR_RETURN(auto pipeline, Compile(variant, threads));
  return pipelines_.emplace(variant, std::move(pipeline)).first->second.get();
}

Result<NS::SharedPtr<MTL::ComputePipelineState>> Device::Compile(const gpu::KernelVariant& variant,
                                                                 uint32_t threads) const {
  const AutoreleaseScope scope;
  const char* const kernel = kKernelNames[static_cast<size_t>(variant.kind)];
  const auto constants = Own(MTL::FunctionConstantValues::alloc()->init());
  for (const gpu::KernelConstant& constant : gpu::ConstantsOf(variant))
    constants->setConstantValue(&constant.value, MTL::DataTypeUInt, NS::UInteger{constant.id});
  NS::Error* error = nullptr;
  const auto function = Own(library_->newFunction(StringOf(kernel), constants.get(), &error));
  if (function.get() == nullptr) return Unsupported(name(), ": no kernel '", kernel, "': ", TextOf(error));
  auto pipeline = Own(device_->newComputePipelineState(function.get(), &error));
  if (pipeline.get() == nullptr)
    return Unsupported(name(), ": kernel '", kernel, "' does not compile: ", TextOf(error));
  if (pipeline->maxTotalThreadsPerThreadgroup() < threads)
    return Unsupported(name(), ": kernel '", kernel, "' runs in threadgroups of ",
                       pipeline->maxTotalThreadsPerThreadgroup(), " threads at most, expected ", threads);
  return pipeline;
}

Result<Buffer> Device::NewBuffer(uint64_t size_bytes, MTL::ResourceOptions storage) const {
  if (size_bytes > max_buffer_bytes())
    return OutOfMemory(name(), ": ", size_bytes, " bytes requested, its buffers hold ", max_buffer_bytes());
  auto buffer = Own(device_->newBuffer(size_bytes, storage));
  if (buffer.get() == nullptr) return OutOfMemory(name(), ": no memory for a buffer of ", size_bytes, " bytes");
  return Buffer(std::move(buffer));
}

Result<MTL::CommandBuffer*> Device::NewCommands() const {
  MTL::CommandBuffer* const commands = queue_->commandBufferWithUnretainedReferences();
  if (commands == nullptr)
    return Status(StatusCode::kDeviceLost, StrCat(name(), ": its queue gives no command buffer"));
  return commands;
}

Status Device::Wait(MTL::CommandBuffer* commands) const {
  commands->waitUntilCompleted();
  if (commands->status() == MTL::CommandBufferStatusCompleted) return Status();
  const NS::Error* const error = commands->error();
  const auto code =
      error == nullptr ? MTL::CommandBufferErrorNone : static_cast<MTL::CommandBufferError>(error->code());
  const std::string what = StrCat(name(), ": a run failed (error ", static_cast<int>(code), "): ", TextOf(error));
  switch (code) {
    case MTL::CommandBufferErrorOutOfMemory:
      return OutOfMemory(what);
    case MTL::CommandBufferErrorTimeout:
    case MTL::CommandBufferErrorPageFault:
    case MTL::CommandBufferErrorAccessRevoked:
    case MTL::CommandBufferErrorDeviceRemoved:
      return Status(StatusCode::kDeviceLost, what);
    default:
      return Unsupported(what);
  }
}

}  // namespace metal

Result<std::vector<MetalDeviceInfo>> ListMetalDevices() {
  const metal::AutoreleaseScope scope;
  return metal::DescribeAll(metal::AllDevices());
}

}  // namespace inkread
