#include "backends/vulkan/vulkan_backend.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "backends/gpu/free_list.h"
#include "backends/gpu/probe.h"
#include "backends/gpu/submission.h"
#include "backends/vulkan/pipelines.h"
#include "backends/vulkan/run_memory.h"
#include "backends/vulkan/target.h"
#include "backends/vulkan/uploads.h"
#include "base/round.h"

namespace inkread {
namespace vulkan {
namespace {

// A dispatch's pipeline, and its workgroups over two dimensions.
struct Ready {
  VkPipeline pipeline = VK_NULL_HANDLE;
  uint32_t workgroups_x = 1, workgroups_y = 1;
};

class VulkanProgram : public Program {
 public:
  VulkanProgram(std::shared_ptr<const Schedule> schedule, std::shared_ptr<const Weights> weights,
                gpu::DispatchList list, std::vector<Ready> ready)
      : schedule_(std::move(schedule)),
        weights_(std::move(weights)),
        list_(std::move(list)),
        ready_(std::move(ready)) {}
  const Schedule& schedule() const override { return *schedule_; }
  const Weights& weights() const { return *weights_; }
  const gpu::DispatchList& list() const { return list_; }
  const Ready& ready(size_t dispatch) const { return ready_[dispatch]; }

 private:
  std::shared_ptr<const Schedule> schedule_;
  std::shared_ptr<const Weights> weights_;
  gpu::DispatchList list_;
  std::vector<Ready> ready_;  // one a dispatch
};

// A job within one submit.
struct PlacedJob {
  const Job* job = nullptr;
  const VulkanProgram* program = nullptr;
  gpu::Member member;
  gpu::Place place;                                   // within the run's memory
  uint64_t upload = 0, old_output = 0, readback = 0;  // where its part of each other buffer begins
  JobBuffers buffers;
  VkDescriptorSet set = VK_NULL_HANDLE;
  const gpu::DispatchList& list() const { return program->list(); }
  uint64_t input_place() const { return place.block + list().layout.input; }
};

class VulkanBackend : public Backend {
 public:
  VulkanBackend(std::shared_ptr<Device> device, std::unique_ptr<Pipelines> pipelines, const VulkanOptions& options)
      : device_(std::move(device)),
        pipelines_(std::move(pipelines)),
        uploads_(device_),
        target_(TargetOf(device_->arithmetic(), device_->physical().matrix_threads,
                         device_->limits().maxComputeSharedMemorySize)),
        max_run_bytes_(options.max_run_bytes) {
    caps_.device = "vulkan " + device_->physical().info.name;
    caps_.conv_panel = 16;
    caps_.prefers_batched_runs = true;
    if (device_->arithmetic() != Arithmetic::kF32) {
      caps_.weights_form = INKREAD_WEIGHTS_F16;
      caps_.storage = INKREAD_ELEMENT_F16;
    } else if (options.fast) {
      caps_.fast_unavailable_reason = StrCat(device_->physical().info.name, " does not keep and compute 16-bit values");
    }
    caps_.max_image_bytes = device_->limits().maxStorageBufferRange / 4 * 4;  // kernels read whole words
    caps_.has_step = KindsWithShaders(device_->arithmetic());
    if (options.left_out) caps_.has_step[static_cast<size_t>(*options.left_out)] = false;
    // A software driver compiles on the CPUs that the run itself needs.
    caps_.compiles_ahead = device_->physical().properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (caps_.compiles_ahead) pipelines_->Expect(gpu::ImageKernels(target_));
  }

  const DeviceCaps& Caps() const override { return caps_; }

  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void>) override {
    INKREAD_ASSIGN_OR_RETURN(auto uploaded, uploads_.Put(weights));
    return std::shared_ptr<const DeviceWeights>(std::move(uploaded));
  }

  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override {
    INKREAD_ASSIGN_OR_RETURN(auto uploaded, uploads_.Put(image));
    return std::shared_ptr<const DeviceImage>(std::move(uploaded));
  }

  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    auto ours = std::dynamic_pointer_cast<const Weights>(std::move(weights));
    INKREAD_CHECK(ours != nullptr);
    INKREAD_ASSIGN_OR_RETURN(gpu::DispatchList list,
                             gpu::DispatchesFor(*schedule, target_, ours->size_bytes(),
                                                device_->limits().maxStorageBufferRange, device_->call().who()));
    INKREAD_ASSIGN_OR_RETURN(const std::vector<VkPipeline> pipelines, pipelines_->Get(list.dispatches));
    ExpectOtherSizes(*schedule);
    const uint32_t(&max_workgroups)[3] = device_->limits().maxComputeWorkGroupCount;
    std::vector<Ready> ready;
    ready.reserve(list.dispatches.size());
    for (const gpu::Dispatch& dispatch : list.dispatches) {
      Ready r;
      r.pipeline = pipelines[ready.size()];
      r.workgroups_x = static_cast<uint32_t>(std::min<uint64_t>(dispatch.workgroups, max_workgroups[0]));
      const uint64_t workgroups_y = DivideUp(dispatch.workgroups, r.workgroups_x);
      if (workgroups_y > max_workgroups[1])
        return InvalidArgument(device_->call().who(), ": ", schedule->network, " has a step of ", dispatch.workgroups,
                               " workgroups");
      r.workgroups_y = static_cast<uint32_t>(workgroups_y);
      ready.push_back(r);
    }
    return std::unique_ptr<const Program>(
        std::make_unique<VulkanProgram>(std::move(schedule), std::move(ours), std::move(list), std::move(ready)));
  }

  void Expect(const Schedule& schedule) override {
    if (!caps_.compiles_ahead) return;
    if (const auto list = gpu::DispatchesOf(schedule, target_); list.ok()) pipelines_->Expect(list->dispatches);
  }

  Status Run(std::span<const Job> jobs) override {
    INKREAD_ASSIGN_OR_RETURN(const std::vector<gpu::Member> members, MembersOf(jobs));
    const uint64_t max_bytes = std::min<uint64_t>(max_run_bytes_, MaxBytes());
    for (const std::vector<gpu::Member>& together : gpu::SubmissionsOf(members, max_bytes))
      INKREAD_RETURN_IF_ERROR(RunTogether(jobs, together, {}));
    return Status();
  }

  std::vector<ProbeResult> Probe() override { return gpu::Probe(*this); }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    if (!device_->physical().has_timestamps) return Backend::Profile(job, step_ms);
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    INKREAD_ASSIGN_OR_RETURN(const std::vector<gpu::Member> members, MembersOf({&job, 1}));
    return RunTogether({&job, 1}, members, step_ms);
  }

 private:
  // Compiles in the background what the same network may need at another size, so that no later run waits for it.
  void ExpectOtherSizes(const Schedule& schedule) {
    if (!caps_.compiles_ahead) return;
    {
      std::lock_guard lock(expected_mutex_);
      if (!expected_.emplace(schedule.network, schedule.steps.size()).second) return;
    }
    for (const gpu::GpuTarget& target : ForOtherSizes(target_)) {
      if (const auto list = gpu::DispatchesOf(schedule, target); list.ok()) pipelines_->Expect(list->dispatches);
    }
  }

  static const VulkanProgram& ProgramOf(const Job& job) {
    const auto* program = dynamic_cast<const VulkanProgram*>(job.program);
    INKREAD_CHECK(program != nullptr);
    return *program;
  }
  static Result<std::vector<gpu::Member>> MembersOf(std::span<const Job> jobs) {
    std::vector<const gpu::DispatchList*> lists;
    for (const Job& job : jobs) lists.push_back(&ProgramOf(job).list());
    return gpu::MembersOf(jobs, lists);
  }
  static JobBuffers BuffersOf(const Job& job, const VulkanProgram& program) {
    JobBuffers buffers{program.weights().buffer()};
    if (job.image() == nullptr) return buffers;
    const auto* image = dynamic_cast<const Image*>(job.image());
    INKREAD_CHECK(image != nullptr && image->size_bytes() == program.list().image_bytes);
    buffers.image = image->memory().image.handle();
    return buffers;
  }
  // Memory that the jobs of one submit may take.
  uint64_t MaxBytes() const { return device_->limits().maxStorageBufferRange - kArenaSlackBytes; }

  // Memory for a run, with room for `placed`, whose sets it binds.
  Result<std::unique_ptr<RunMemory>> MemoryFor(uint64_t work_bytes, uint64_t upload_bytes, uint64_t readback_bytes,
                                               std::vector<PlacedJob>& placed) {
    std::unique_ptr<RunMemory> memory = memory_.Take(work_bytes);
    if (memory == nullptr) {
      INKREAD_ASSIGN_OR_RETURN(memory, RunMemory::Make(device_));
    }
    INKREAD_RETURN_IF_ERROR(memory->Reserve(work_bytes, upload_bytes, readback_bytes));
    std::vector<JobBuffers> bound;
    for (const PlacedJob& p : placed) bound.push_back(p.buffers);
    std::sort(bound.begin(), bound.end());
    bound.erase(std::unique(bound.begin(), bound.end()), bound.end());
    INKREAD_ASSIGN_OR_RETURN(const auto sets, memory->Bind(bound, pipelines_->set_layout()));
    for (PlacedJob& p : placed) p.set = sets[std::lower_bound(bound.begin(), bound.end(), p.buffers) - bound.begin()];
    return memory;
  }

  // Runs these members of `jobs` in one submit. If step_ms is not empty, there is one member, its steps run one after
  // another, and step_ms receives the milliseconds of each.
  Status RunTogether(std::span<const Job> jobs, std::span<const gpu::Member> members, std::span<double> step_ms) {
    const gpu::MemoryLayout layout = gpu::LayOut(members);
    if (layout.size_bytes > MaxBytes())  // jobs that must run together
      return OutOfMemory(device_->call().who(), ": a run takes ", layout.size_bytes, " bytes, its buffers hold ",
                         MaxBytes());
    std::vector<PlacedJob> placed(members.size());
    gpu::Packer upload, readback;
    for (size_t i = 0; i < members.size(); ++i) {
      PlacedJob& p = placed[i];
      p.job = &jobs[members[i].job];
      p.program = &ProgramOf(*p.job);
      p.member = members[i];
      p.place = layout.places[i];
      p.upload = upload.Add(p.member.host_input_bytes());
      p.old_output = upload.Add(p.member.host_old_output_bytes());
      p.readback = readback.Add(p.member.host_output_bytes());
      p.buffers = BuffersOf(*p.job, *p.program);
    }
    // A run that fails does not give its memory back: whatever state it is in goes with it.
    INKREAD_ASSIGN_OR_RETURN(auto memory, MemoryFor(layout.size_bytes + kArenaSlackBytes, upload.size_bytes(),
                                                    readback.size_bytes(), placed));
    for (const PlacedJob& p : placed) CopyIn(p, *memory);
    VkQueryPool timestamps = VK_NULL_HANDLE;
    INKREAD_RETURN_IF_ERROR(memory->commands().Begin());
    if (!step_ms.empty()) {
      INKREAD_ASSIGN_OR_RETURN(timestamps, memory->Timestamps(static_cast<uint32_t>(step_ms.size()) + 1));
    }
    Record(placed, members, timestamps, *memory);
    INKREAD_RETURN_IF_ERROR(memory->commands().EndAndRun());

    for (const PlacedJob& p : placed) {
      const std::byte* output =
          memory->host_reads_work() ? memory->work().data() + p.place.output : memory->readback().data() + p.readback;
      CopyBytes(output, p.job->output, p.member.host_output_bytes());
    }
    if (!step_ms.empty()) INKREAD_RETURN_IF_ERROR(ReadTimes(timestamps, step_ms));
    memory_.Return(std::move(memory));
    return Status();
  }

  // All commands of a run, with the copies that its memory needs. timestamps: null but for a run that is measured.
  void Record(const std::vector<PlacedJob>& placed, std::span<const gpu::Member> members, VkQueryPool timestamps,
              RunMemory& memory) const {
    const Commands& commands = memory.commands();
    if (!memory.host_writes_work()) {
      RecordCopiesIn(placed, memory);
      commands.Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }
    if (timestamps == VK_NULL_HANDLE) {
      RecordInOrder(placed, members, commands);
    } else {
      RecordStepByStep(placed[0], commands, timestamps);
    }
    if (memory.host_reads_work()) {
      commands.Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_HOST_READ_BIT);
    } else {
      commands.Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT);
      RecordCopiesOut(placed, memory);
      commands.Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_HOST_READ_BIT);
    }
  }

  // Either may be null if `bytes` is 0.
  static void CopyBytes(const void* from, void* to, uint64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }

  // Copies a job's input into the run's memory, or into the upload buffer.
  static void CopyIn(const PlacedJob& p, const RunMemory& memory) {
    const bool is_direct = memory.host_writes_work();
    std::byte* to = is_direct ? memory.work().data() : memory.upload().data();
    CopyBytes(p.job->host_input(), to + (is_direct ? p.input_place() : p.upload), p.member.host_input_bytes());
    CopyBytes(p.job->output, to + (is_direct ? p.place.output : p.old_output), p.member.host_old_output_bytes());
  }

  // Copies regions of one buffer to another.
  void RecordCopies(const Buffer& from, const Buffer& to, const std::vector<VkBufferCopy>& regions,
                    const Commands& commands) const {
    if (regions.empty()) return;
    device_->vk().vkCmdCopyBuffer(commands.handle(), from.handle(), to.handle(), static_cast<uint32_t>(regions.size()),
                                  regions.data());
  }
  static void AddRegion(uint64_t from, uint64_t to, uint64_t bytes, std::vector<VkBufferCopy>& regions) {
    if (bytes > 0) regions.push_back({from, to, bytes});
  }

  void RecordCopiesIn(const std::vector<PlacedJob>& placed, RunMemory& memory) const {
    std::vector<VkBufferCopy> regions;
    for (const PlacedJob& p : placed) {
      AddRegion(p.upload, p.input_place(), p.member.host_input_bytes(), regions);
      AddRegion(p.old_output, p.place.output, p.member.host_old_output_bytes(), regions);
    }
    RecordCopies(memory.upload(), memory.work(), regions, memory.commands());
  }

  void RecordCopiesOut(const std::vector<PlacedJob>& placed, RunMemory& memory) const {
    std::vector<VkBufferCopy> regions;
    for (const PlacedJob& p : placed) AddRegion(p.place.output, p.readback, p.member.host_output_bytes(), regions);
    RecordCopies(memory.work(), memory.readback(), regions, memory.commands());
  }

  static void ComputeBarrier(const Commands& commands) {
    commands.Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  }

  void RecordDispatch(const PlacedJob& p, size_t index, VkCommandBuffer commands) const {
    const gpu::Dispatch& dispatch = p.list().dispatches[index];
    const Ready& ready = p.program->ready(index);
    const auto constants = gpu::PushConstantsAt(dispatch, p.place);
    const DeviceFunctions& vk = device_->vk();
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, ready.pipeline);
    vk.vkCmdPushConstants(commands, pipelines_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                          dispatch.num_push_constants * 4, constants.data());
    vk.vkCmdDispatch(commands, ready.workgroups_x, ready.workgroups_y, 1);
  }

  void BindSet(const PlacedJob& p, VkCommandBuffer commands) const {
    device_->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_->layout(), 0, 1, &p.set,
                                          0, nullptr);
  }

  void RecordInOrder(const std::vector<PlacedJob>& placed, std::span<const gpu::Member> members,
                     const Commands& commands) const {
    VkDescriptorSet bound = VK_NULL_HANDLE;
    for (const gpu::Submitted& next : gpu::InOrder(members)) {
      const PlacedJob& p = placed[next.member];
      if (next.barrier_before) ComputeBarrier(commands);
      if (p.set != bound) BindSet(p, commands.handle());
      bound = p.set;
      RecordDispatch(p, next.dispatch, commands.handle());
    }
  }

  void RecordStepByStep(const PlacedJob& p, const Commands& commands, VkQueryPool timestamps) const {
    const DeviceFunctions& vk = device_->vk();
    const std::vector<gpu::Dispatch>& dispatches = p.list().dispatches;
    const auto num_steps = static_cast<uint32_t>(p.program->schedule().steps.size());
    BindSet(p, commands.handle());
    vk.vkCmdWriteTimestamp(commands.handle(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timestamps, 0);
    size_t next = 0;
    for (uint32_t step = 0; step < num_steps; ++step) {
      for (; next < dispatches.size() && dispatches[next].step == step; ++next) {
        RecordDispatch(p, next, commands.handle());
        ComputeBarrier(commands);
      }
      vk.vkCmdWriteTimestamp(commands.handle(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timestamps, step + 1);
    }
  }

  Status ReadTimes(VkQueryPool timestamps, std::span<double> step_ms) const {
    std::vector<uint64_t> ticks(step_ms.size() + 1);
    INKREAD_RETURN_IF_ERROR(device_->call()("vkGetQueryPoolResults", [&] {
      return device_->vk().vkGetQueryPoolResults(device_->handle(), timestamps, 0, static_cast<uint32_t>(ticks.size()),
                                                 ticks.size() * 8, ticks.data(), 8,
                                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    }));
    for (size_t i = 0; i < step_ms.size(); ++i)
      step_ms[i] = static_cast<double>(ticks[i + 1] - ticks[i]) * device_->limits().timestampPeriod * 1e-6;
    return Status();
  }

  std::shared_ptr<Device> device_;
  std::unique_ptr<Pipelines> pipelines_;
  std::mutex expected_mutex_;
  std::set<std::pair<std::string, size_t>>
      expected_;  // networks whose other sizes are expected, by name and number of steps
  Uploads uploads_;
  gpu::FreeList<RunMemory> memory_;
  const gpu::GpuTarget target_;
  const uint64_t max_run_bytes_;
  DeviceCaps caps_;
};

}  // namespace
}  // namespace vulkan

Result<std::unique_ptr<Backend>> MakeVulkanBackend(const VulkanOptions& options) {
  INKREAD_ASSIGN_OR_RETURN(const auto device, vulkan::Device::Open(options));
  INKREAD_ASSIGN_OR_RETURN(auto pipelines, vulkan::Pipelines::Make(device, options.cache_folder));
  return std::unique_ptr<Backend>(std::make_unique<vulkan::VulkanBackend>(device, std::move(pipelines), options));
}

}  // namespace inkread
