#include "backends/metal/device.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/metal/kernel_text.h"

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
    info.unusable_reason = StrCat("its groups share ", device.maxThreadgroupMemoryLength(), " bytes, expected ",
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

// Whether matrices of 8 x 8 may be loaded straight from x (kernels/matrix_tile.metal).
bool IsDirect(uint64_t rows, uint32_t depth) { return rows >= 8 && depth % 8 == 0; }
bool IsDirect(const ConvParams& p) { return IsPointwise(p) && IsDirect(uint64_t{p.n} * p.ih * p.iw, p.ic); }
bool IsDirect(const ConvTransposeParams& p) { return IsDirect(uint64_t{p.n} * p.ih * p.iw, p.ic); }
bool IsDirect(const CtcHeadParams& p) { return IsDirect(p.rows, p.ic); }
template <typename P>
bool IsDirect(const P&) {
  return false;
}

const char* const kKernelNames[] = {
#define INKREAD_STEP(kind, params, stem) #stem,
#include "schedule/steps.inc"
#undef INKREAD_STEP
};

}  // namespace

KernelVariant VariantOf(const Step& step, const gpu::KernelVariant& variant) {
  KernelVariant made;
  made.kind = variant.kind;
  const bool is_matrix =
      step.kind() == StepKind::kConv || step.kind() == StepKind::kConvTranspose || step.kind() == StepKind::kCtcHead;
  made.numbers[INKREAD_CONSTANT_DOWN] = is_matrix ? variant.constants[0] : 1;
  made.numbers[INKREAD_CONSTANT_ACROSS] = is_matrix ? variant.constants[1] : 1;
  made.numbers[INKREAD_CONSTANT_PHASE] = variant.constants[2];
  made.numbers[INKREAD_CONSTANT_CHUNK] = variant.constants[3];
  made.numbers[INKREAD_CONSTANT_WIDTH] = is_matrix || ReadsPixels(step.kind()) ? 1 : variant.constants[0];
  const auto flag = [&made](int index) -> bool& { return made.flags[index - INKREAD_NUM_NUMBERS]; };
  flag(INKREAD_CONSTANT_IS_HALF) = variant.element == INKREAD_ELEMENT_F16;
  flag(INKREAD_CONSTANT_DIRECT) = std::visit([](const auto& params) { return IsDirect(params); }, step.params);
  flag(INKREAD_CONSTANT_FROM_HALF) = variant.element == INKREAD_ELEMENT_F16;
  flag(INKREAD_CONSTANT_TO_HALF) = variant.y_element == INKREAD_ELEMENT_F16;
  return made;
}

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
  options->setFastMathEnabled(false);  // the kernels' own exp and GELU are what they say
  NS::Error* error = nullptr;
  library_ = Own(device_->newLibrary(StringOf(kKernelText), options.get(), &error));
  if (library_.get() == nullptr) return Unsupported(name(), ": the kernels do not compile: ", TextOf(error));
  // The width of simdgroups is known only of a kernel that is ready to run.
  KernelVariant any;
  any.kind = StepKind::kCopy;
  INKREAD_ASSIGN_OR_RETURN(MTL::ComputePipelineState * pipeline, Pipeline(any, INKREAD_GROUP_SIZE));
  if (pipeline->threadExecutionWidth() != INKREAD_SIMD_WIDTH)
    return Unsupported(name(), ": its simdgroups have ", pipeline->threadExecutionWidth(), " threads, expected ",
                       INKREAD_SIMD_WIDTH);
  return Status();
}

Result<MTL::ComputePipelineState*> Device::Pipeline(const KernelVariant& variant, uint32_t threads) {
  std::lock_guard lock(mutex_);
  const auto known = pipelines_.find(variant);
  if (known != pipelines_.end()) return known->second.get();
  INKREAD_ASSIGN_OR_RETURN(auto pipeline, Compile(variant, threads));
  return pipelines_.emplace(variant, std::move(pipeline)).first->second.get();
}

Result<NS::SharedPtr<MTL::ComputePipelineState>> Device::Compile(const KernelVariant& variant, uint32_t threads) const {
  const AutoreleaseScope scope;
  const char* const kernel = kKernelNames[static_cast<size_t>(variant.kind)];
  const auto constants = Own(MTL::FunctionConstantValues::alloc()->init());
  constants->setConstantValues(variant.numbers.data(), MTL::DataTypeUInt, NS::Range(0, variant.numbers.size()));
  constants->setConstantValues(variant.flags.data(), MTL::DataTypeBool,
                               NS::Range(INKREAD_NUM_NUMBERS, variant.flags.size()));
  NS::Error* error = nullptr;
  const auto function = Own(library_->newFunction(StringOf(kernel), constants.get(), &error));
  if (function.get() == nullptr) return Unsupported(name(), ": no kernel '", kernel, "': ", TextOf(error));
  auto pipeline = Own(device_->newComputePipelineState(function.get(), &error));
  if (pipeline.get() == nullptr)
    return Unsupported(name(), ": kernel '", kernel, "' does not compile: ", TextOf(error));
  if (pipeline->maxTotalThreadsPerThreadgroup() < threads)
    return Unsupported(name(), ": kernel '", kernel, "' runs in groups of ", pipeline->maxTotalThreadsPerThreadgroup(),
                       " threads at most, expected ", threads);
  return pipeline;
}

Result<Buffer> Device::NewBuffer(uint64_t size_bytes, MTL::ResourceOptions storage) const {
  if (size_bytes > max_buffer_bytes())
    return OutOfMemory(name(), ": ", size_bytes, " bytes are wanted, its buffers hold ", max_buffer_bytes());
  auto buffer = Own(device_->newBuffer(size_bytes, storage));
  if (buffer.get() == nullptr)
    return OutOfMemory(name(), ": there is no memory for a buffer of ", size_bytes, " bytes");
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
