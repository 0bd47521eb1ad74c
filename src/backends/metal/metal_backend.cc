#include "backends/metal/metal_backend.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "backends/gpu/free_list.h"
#include "backends/gpu/image.h"
#include "backends/gpu/probe.h"
#include "backends/gpu/submission.h"
#include "backends/metal/device.h"
#include "backends/metal/kernels/sizes.h"
#include "backends/metal/target.h"

namespace inkread {
namespace metal {
namespace {

class Weights : public DeviceWeights {
 public:
  Weights(Buffer buffer, uint64_t size_bytes) : buffer_(std::move(buffer)), size_bytes_(size_bytes) {}
  MTL::Buffer* buffer() const { return buffer_.get(); }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  Buffer buffer_;
  uint64_t size_bytes_;
};

class MetalProgram : public Program {
 public:
  MetalProgram(std::shared_ptr<const Schedule> schedule, std::shared_ptr<const Weights> weights, gpu::DispatchList list,
               std::vector<MTL::ComputePipelineState*> pipelines)
      : schedule_(std::move(schedule)),
        weights_(std::move(weights)),
        list_(std::move(list)),
        pipelines_(std::move(pipelines)) {}
  const Schedule& schedule() const override { return *schedule_; }
  const Weights& weights() const { return *weights_; }
  const gpu::DispatchList& list() const { return list_; }
  // Of a dispatch; the device's.
  MTL::ComputePipelineState* pipeline(size_t dispatch) const { return pipelines_[dispatch]; }

 private:
  std::shared_ptr<const Schedule> schedule_;
  std::shared_ptr<const Weights> weights_;
  gpu::DispatchList list_;
  std::vector<MTL::ComputePipelineState*> pipelines_;
};

const MetalProgram& ProgramOf(const Job& job) {
  const auto* program = dynamic_cast<const MetalProgram*>(job.program);
  INKREAD_CHECK(program != nullptr);
  return *program;
}

// Memory that host and device access, for one run or one image at a time. Grows, never shrinks.
class SharedMemory {
 public:
  uint64_t work_bytes() const { return block_.size_bytes(); }
  const Buffer& block() const { return block_; }
  // Grows the block to `bytes` if it is smaller; its content is lost.
  Status Reserve(const Device& device, uint64_t bytes) {
    if (block_.size_bytes() >= bytes) return Status();
    block_ = Buffer();  // first, so that both never exist at once
    INKREAD_ASSIGN_OR_RETURN(
        block_, device.NewBuffer(gpu::WithHeadroom(bytes, device.max_buffer_bytes()), MTL::ResourceStorageModeShared));
    return Status();
  }

 private:
  Buffer block_;
};
using Image = gpu::Image<SharedMemory>;

// The buffer of the image that a job reads; null if it reads none.
MTL::Buffer* ImageOf(const Job& job, const gpu::DispatchList& list) {
  if (job.image() == nullptr) return nullptr;
  const auto* image = dynamic_cast<const Image*>(job.image());
  INKREAD_CHECK(image != nullptr && image->size_bytes() == list.image_bytes);
  return image->memory().block().get();
}

// A job within one submission.
struct PlacedJob {
  const Job* job = nullptr;
  const MetalProgram* program = nullptr;
  MTL::Buffer* image = nullptr;
  gpu::Member member;
  gpu::Place place;
};

// Encodes dispatches, binding only what changes.
class Encoder {
 public:
  Encoder(MTL::ComputeCommandEncoder* encoder, const Buffer& block) : encoder_(encoder), block_(block.get()) {
    for (int index : {INKREAD_BUFFER_F16, INKREAD_BUFFER_F32, INKREAD_BUFFER_U32})
      encoder_->setBuffer(block_, 0, index);
  }
  void Add(const PlacedJob& placed, size_t index) {
    const gpu::Dispatch& dispatch = placed.program->list().dispatches[index];
    if (MTL::Buffer* const weights = placed.program->weights().buffer(); weights != weights_) {
      for (int at : {INKREAD_BUFFER_WEIGHTS, INKREAD_BUFFER_F16_WEIGHTS}) encoder_->setBuffer(weights, 0, at);
      weights_ = weights;
    }
    if (const auto* variant = std::get_if<gpu::ImageVariant>(&dispatch.variant.step); variant != nullptr) {
      MTL::Buffer* const pixels = variant->x_is_image != 0 ? placed.image : block_;
      if (pixels != pixels_) encoder_->setBuffer(pixels, 0, INKREAD_BUFFER_PIXELS);
      pixels_ = pixels;
    }
    if (MTL::ComputePipelineState* const pipeline = placed.program->pipeline(index); pipeline != pipeline_) {
      encoder_->setComputePipelineState(pipeline);
      pipeline_ = pipeline;
    }
    const auto arguments = gpu::PushConstantsAt(dispatch, placed.place);
    encoder_->setBytes(arguments.data(), dispatch.num_push_constants * sizeof(uint32_t), INKREAD_BUFFER_ARGUMENTS);
    encoder_->dispatchThreadgroups(MTL::Size(dispatch.workgroups, 1, 1), MTL::Size(dispatch.threads, 1, 1));
  }
  // Later dispatches see what earlier ones have written.
  void Barrier() { encoder_->memoryBarrier(MTL::BarrierScopeBuffers); }
  void End() { encoder_->endEncoding(); }

 private:
  MTL::ComputeCommandEncoder* encoder_;
  MTL::Buffer* block_;
  MTL::Buffer* weights_ = nullptr;
  MTL::Buffer* pixels_ = nullptr;
  MTL::ComputePipelineState* pipeline_ = nullptr;
};

class MetalBackend : public Backend {
 public:
  MetalBackend(std::shared_ptr<Device> device, const MetalOptions& options)
      : device_(std::move(device)), target_(TargetFor(options.fast)), max_run_bytes_(options.max_run_bytes) {
    caps_.device = "metal " + device_->name();
    caps_.conv_panel = INKREAD_PANEL;
    caps_.weights_form = target_.traits.weights_form;
    caps_.storage = options.fast ? INKREAD_ELEMENT_F16 : INKREAD_ELEMENT_F32;
    caps_.prefers_batched_runs = true;
    caps_.max_image_bytes = std::min<uint64_t>(UINT32_MAX, device_->max_buffer_bytes());
    caps_.has_step = device_->has_kernel();
  }

  const DeviceCaps& Caps() const override { return caps_; }

  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void>) override {
    const AutoreleaseScope scope;
    const uint64_t size = weights.size() + kArenaSlackBytes;
    INKREAD_ASSIGN_OR_RETURN(Buffer buffer, device_->NewBuffer(size, MTL::ResourceStorageModeShared));
    std::memcpy(buffer.data(), weights.data(), weights.size());
    if (!device_->has_unified_memory() && !weights.empty()) {
      const Buffer staging = std::move(buffer);
      INKREAD_ASSIGN_OR_RETURN(buffer, device_->NewBuffer(size, MTL::ResourceStorageModePrivate));
      INKREAD_RETURN_IF_ERROR(CopyOnDevice(staging, buffer, weights.size()));
    }
    return std::shared_ptr<const DeviceWeights>(std::make_shared<Weights>(std::move(buffer), weights.size()));
  }

  // In shared memory on every device, since each pixel is read only a few times.
  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override {
    const AutoreleaseScope scope;
    const uint64_t bytes = uint64_t{RowBytes(image)} * static_cast<uint64_t>(image.height_px);
    if (bytes > UINT32_MAX)
      return OutOfMemory(device_->name(), ": an image of ", bytes, " bytes, more than its kernels count");
    std::unique_ptr<SharedMemory> memory = free_images_->Take(bytes);
    if (memory == nullptr) memory = std::make_unique<SharedMemory>();
    INKREAD_RETURN_IF_ERROR(memory->Reserve(*device_, bytes));
    CopyRows(image, memory->block().data());
    return std::shared_ptr<const DeviceImage>(std::make_shared<Image>(std::move(memory), bytes, free_images_));
  }

  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    auto ours = std::dynamic_pointer_cast<const Weights>(std::move(weights));
    INKREAD_CHECK(ours != nullptr);
    INKREAD_ASSIGN_OR_RETURN(gpu::DispatchList list, gpu::DispatchesFor(*schedule, target_, ours->size_bytes(),
                                                                        device_->max_buffer_bytes(), device_->name()));
    std::vector<MTL::ComputePipelineState*> pipelines;
    pipelines.reserve(list.dispatches.size());
    for (const gpu::Dispatch& dispatch : list.dispatches) {
      INKREAD_ASSIGN_OR_RETURN(MTL::ComputePipelineState * pipeline,
                               device_->Pipeline(dispatch.variant, dispatch.threads));
      pipelines.push_back(pipeline);
    }
    return std::unique_ptr<const Program>(
        std::make_unique<MetalProgram>(std::move(schedule), std::move(ours), std::move(list), std::move(pipelines)));
  }

  Status Run(std::span<const Job> jobs) override {
    const uint64_t max_bytes = std::min<uint64_t>(max_run_bytes_, device_->max_buffer_bytes() - kArenaSlackBytes);
    std::vector<const gpu::DispatchList*> lists;
    for (const Job& job : jobs) lists.push_back(&ProgramOf(job).list());
    INKREAD_ASSIGN_OR_RETURN(const std::vector<gpu::Member> members, gpu::MembersOf(jobs, lists));
    for (const std::vector<gpu::Member>& together : gpu::SubmissionsOf(members, max_bytes))
      INKREAD_RETURN_IF_ERROR(RunTogether(jobs, together, {}));
    return Status();
  }

  double DeviceMs() const override { return static_cast<double>(device_ns_) * 1e-6; }
  std::vector<ProbeResult> Probe() override { return gpu::Probe(*this); }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    const gpu::DispatchList* const list = &ProgramOf(job).list();
    INKREAD_ASSIGN_OR_RETURN(const std::vector<gpu::Member> members, gpu::MembersOf({&job, 1}, {&list, 1}));
    return RunTogether({&job, 1}, members, step_ms);
  }

 private:
  Status CopyOnDevice(const Buffer& from, const Buffer& to, uint64_t bytes) const {
    INKREAD_ASSIGN_OR_RETURN(MTL::CommandBuffer * commands, device_->NewCommands());
    MTL::BlitCommandEncoder* const encoder = commands->blitCommandEncoder();
    if (encoder == nullptr) return NoEncoder();
    encoder->copyFromBuffer(from.get(), 0, to.get(), 0, bytes);
    encoder->endEncoding();
    commands->commit();
    return device_->Wait(commands);
  }

  Status NoEncoder() const {
    return Status(StatusCode::kDeviceLost, StrCat(device_->name(), ": a command buffer gives no encoder"));
  }

  // Runs these members of `jobs` in one submission. If step_ms is not empty, there is one member, its steps run one
  // after another, and step_ms receives the milliseconds of each.
  Status RunTogether(std::span<const Job> jobs, std::span<const gpu::Member> members, std::span<double> step_ms) {
    const AutoreleaseScope scope;
    std::vector<PlacedJob> placed;
    const gpu::MemoryLayout layout = gpu::LayOut(members);
    for (size_t i = 0; i < members.size(); ++i) {
      const Job& job = jobs[members[i].job];
      placed.push_back({&job, &ProgramOf(job), ImageOf(job, *members[i].list), members[i], layout.places[i]});
    }
    const uint64_t bytes = layout.size_bytes + kArenaSlackBytes;
    std::unique_ptr<SharedMemory> memory = free_.Take(bytes);
    if (memory == nullptr) memory = std::make_unique<SharedMemory>();
    // A run that fails does not give its memory back: whatever state it is in goes with it.
    INKREAD_RETURN_IF_ERROR(memory->Reserve(*device_, bytes));
    std::byte* const block = memory->block().data();
    for (const PlacedJob& p : placed) {
      const gpu::Member& m = p.member;
      if (m.host_input_bytes() > 0)
        std::memcpy(block + p.place.block + m.list->layout.input, p.job->host_input(), m.host_input_bytes());
      if (m.host_old_output_bytes() > 0) std::memcpy(block + p.place.output, p.job->output, m.host_old_output_bytes());
    }
    if (step_ms.empty()) {
      INKREAD_RETURN_IF_ERROR(RunLevels(placed, members, memory->block()));
    } else {
      INKREAD_RETURN_IF_ERROR(RunStepByStep(placed[0], memory->block(), step_ms));
    }
    for (const PlacedJob& p : placed) {
      if (p.member.host_output_bytes() > 0)
        std::memcpy(p.job->output, block + p.place.output, p.member.host_output_bytes());
    }
    free_.Return(std::move(memory));
    return Status();
  }

  Status RunLevels(const std::vector<PlacedJob>& placed, std::span<const gpu::Member> members, const Buffer& block) {
    INKREAD_ASSIGN_OR_RETURN(MTL::CommandBuffer * commands, device_->NewCommands());
    MTL::ComputeCommandEncoder* const made = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
    if (made == nullptr) return NoEncoder();
    Encoder encoder(made, block);
    for (const gpu::Submitted& s : gpu::InOrder(members)) {
      if (s.barrier_before) encoder.Barrier();
      encoder.Add(placed[s.member], s.dispatch);
    }
    encoder.End();
    commands->commit();
    INKREAD_RETURN_IF_ERROR(device_->Wait(commands));
    device_ns_ += static_cast<uint64_t>(MsOf(commands) * 1e6);
    return Status();
  }

  // The time from the device's start of the commands to their end.
  static double MsOf(const MTL::CommandBuffer* commands) {
    return (commands->GPUEndTime() - commands->GPUStartTime()) * 1e3;
  }

  // One command buffer a step, since Metal tells only when a command buffer began and ended.
  Status RunStepByStep(const PlacedJob& placed, const Buffer& block, std::span<double> step_ms) const {
    const std::vector<gpu::Dispatch>& dispatches = placed.program->list().dispatches;
    std::fill(step_ms.begin(), step_ms.end(), 0.0);
    for (size_t next = 0; next < dispatches.size();) {
      const uint32_t step = dispatches[next].step;
      INKREAD_ASSIGN_OR_RETURN(MTL::CommandBuffer * commands, device_->NewCommands());
      MTL::ComputeCommandEncoder* const made = commands->computeCommandEncoder(MTL::DispatchTypeConcurrent);
      if (made == nullptr) return NoEncoder();
      Encoder encoder(made, block);
      for (; next < dispatches.size() && dispatches[next].step == step; ++next) {
        if (dispatches[next].phase > 0) encoder.Barrier();
        encoder.Add(placed, next);
      }
      encoder.End();
      commands->commit();
      INKREAD_RETURN_IF_ERROR(device_->Wait(commands));
      step_ms[step] = MsOf(commands);
    }
    return Status();
  }

  std::shared_ptr<Device> device_;
  const gpu::GpuTarget target_;
  gpu::FreeList<SharedMemory> free_;
  const std::shared_ptr<Image::List> free_images_ = std::make_shared<Image::List>();
  const uint64_t max_run_bytes_;
  std::atomic<uint64_t> device_ns_ = 0;
  DeviceCaps caps_;
};

}  // namespace
}  // namespace metal

Result<std::unique_ptr<Backend>> MakeMetalBackend(const MetalOptions& options) {
  INKREAD_ASSIGN_OR_RETURN(auto device, metal::Device::Open(options.device));
  return std::unique_ptr<Backend>(std::make_unique<metal::MetalBackend>(std::move(device), options));
}

}  // namespace inkread
