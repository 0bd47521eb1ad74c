#include "backends/vulkan/vulkan_backend.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/gpu/free_list.h"
#include "backends/gpu/submission.h"
#include "backends/vulkan/pipelines.h"
#include "backends/vulkan/run_memory.h"
#include "backends/vulkan/traits.h"
#include "base/round.h"

namespace inkread {
namespace vulkan {
namespace {

class Weights : public DeviceWeights {
 public:
  Weights(Buffer buffer, uint64_t size_bytes) : buffer_(std::move(buffer)), size_bytes_(size_bytes) {}
  VkBuffer buffer() const { return buffer_.handle(); }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  Buffer buffer_;
  uint64_t size_bytes_;
};

// What only the device knows of a dispatch.
struct Ready {
  VkPipeline pipeline = VK_NULL_HANDLE;
  uint32_t groups_x = 1, groups_y = 1;
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
  uint64_t work = 0, upload = 0, old_output = 0, readback = 0;  // where its part of each buffer begins
  VkDescriptorSet set = VK_NULL_HANDLE;
  const gpu::DispatchList& list() const { return program->list(); }
};

class VulkanBackend : public Backend {
 public:
  VulkanBackend(std::shared_ptr<Device> device, std::unique_ptr<Pipelines> pipelines, Commands uploads,
                const VulkanOptions& options)
      : device_(std::move(device)),
        pipelines_(std::move(pipelines)),
        uploads_(std::move(uploads)),
        traits_(TraitsOf(device_->arithmetic(), device_->physical().matrix_threads,
                         device_->limits().maxComputeSharedMemorySize)),
        most_run_bytes_(options.most_run_bytes) {
    caps_.device = "vulkan " + device_->physical().info.name;
    caps_.conv_panel = 16;
    caps_.wants_jobs_together = true;
    if (device_->arithmetic() != Arithmetic::kF32) {
      caps_.weights_form = INKREAD_WEIGHTS_F16;
      caps_.storage = INKREAD_ELEMENT_F16;
    } else if (options.fast) {
      caps_.why_not_fast = StrCat(device_->physical().info.name, " does not keep and compute 16-bit values");
    }
    caps_.has_step.fill(true);
  }

  const DeviceCaps& Caps() const override { return caps_; }

  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void>) override {
    const uint64_t size = weights.size() + kArenaSlackBytes;
    if (size > device_->limits().maxStorageBufferRange)
      return OutOfMemory(device_->call().who(), ": ", size, " bytes of weights, its buffers hold ",
                         device_->limits().maxStorageBufferRange);
    INKREAD_ASSIGN_OR_RETURN(Buffer buffer, Buffer::Make(device_, Buffer::Kind::kDevice, size));
    if (buffer.data() != nullptr) {
      std::copy(weights.begin(), weights.end(), buffer.data());
    } else if (!weights.empty()) {
      INKREAD_ASSIGN_OR_RETURN(const Buffer staging, Buffer::Make(device_, Buffer::Kind::kUpload, weights.size()));
      std::memcpy(staging.data(), weights.data(), weights.size());
      std::lock_guard lock(uploads_mutex_);
      INKREAD_RETURN_IF_ERROR(uploads_.Begin());
      const VkBufferCopy region{0, 0, weights.size()};
      device_->vk().vkCmdCopyBuffer(uploads_.handle(), staging.handle(), buffer.handle(), 1, &region);
      INKREAD_RETURN_IF_ERROR(uploads_.EndAndRun());
    }
    return std::shared_ptr<const DeviceWeights>(std::make_shared<Weights>(std::move(buffer), weights.size()));
  }

  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    auto ours = std::dynamic_pointer_cast<const Weights>(std::move(weights));
    INKREAD_CHECK(ours != nullptr);
    INKREAD_ASSIGN_OR_RETURN(gpu::DispatchList list,
                             gpu::DispatchesFor(*schedule, traits_, ours->size_bytes(),
                                                device_->limits().maxStorageBufferRange, device_->call().who()));
    const uint32_t(&most)[3] = device_->limits().maxComputeWorkGroupCount;
    std::vector<Ready> ready;
    ready.reserve(list.dispatches.size());
    for (const gpu::Dispatch& dispatch : list.dispatches) {
      Ready r;
      r.groups_x = static_cast<uint32_t>(std::min<uint64_t>(dispatch.groups, most[0]));
      const uint64_t groups_y = DivideUp(dispatch.groups, r.groups_x);
      if (groups_y > most[1])
        return Unsupported(device_->call().who(), ": ", schedule->network, " has a step of ", dispatch.groups,
                           " groups");
      r.groups_y = static_cast<uint32_t>(groups_y);
      INKREAD_ASSIGN_OR_RETURN(r.pipeline, pipelines_->Get(dispatch.variant, dispatch.threads));
      ready.push_back(r);
    }
    return std::unique_ptr<const Program>(
        std::make_unique<VulkanProgram>(std::move(schedule), std::move(ours), std::move(list), std::move(ready)));
  }

  Status Run(std::span<const Job> jobs) override {
    const uint64_t most =
        std::min<uint64_t>(most_run_bytes_, device_->limits().maxStorageBufferRange - kArenaSlackBytes);
    std::vector<const gpu::DispatchList*> lists = ListsOf(jobs);
    for (size_t done = 0; done < jobs.size();) {
      const size_t count = gpu::CountTogether(std::span(lists).subspan(done), most);
      INKREAD_RETURN_IF_ERROR(RunTogether(jobs.subspan(done, count), {}));
      done += count;
    }
    return Status();
  }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    if (!device_->physical().has_timestamps) return Backend::Profile(job, step_ms);
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    return RunTogether({&job, 1}, step_ms);
  }

 private:
  static const VulkanProgram& ProgramOf(const Job& job) {
    const auto* program = dynamic_cast<const VulkanProgram*>(job.program);
    INKREAD_CHECK(program != nullptr);
    return *program;
  }
  static std::vector<const gpu::DispatchList*> ListsOf(std::span<const Job> jobs) {
    std::vector<const gpu::DispatchList*> lists;
    for (const Job& job : jobs) lists.push_back(&ProgramOf(job).list());
    return lists;
  }

  // In one submit. step_ms, where not empty, receives each step's milliseconds; the steps of the one job then run one
  // behind another.
  Status RunTogether(std::span<const Job> jobs, std::span<double> step_ms) {
    std::vector<PlacedJob> placed(jobs.size());
    std::vector<VkBuffer> weights;
    gpu::Packer work, upload, readback;
    for (size_t i = 0; i < jobs.size(); ++i) {
      PlacedJob& p = placed[i];
      p.job = &jobs[i];
      p.program = &ProgramOf(jobs[i]);
      p.work = work.Add(p.list().layout.size_bytes);
      p.upload = upload.Add(p.list().input_bytes);
      p.old_output = upload.Add(p.list().writes_whole_output ? 0 : p.list().output_bytes);
      p.readback = readback.Add(p.list().output_bytes);
      weights.push_back(p.program->weights().buffer());
    }
    const uint64_t work_bytes = work.size_bytes() + kArenaSlackBytes;
    std::unique_ptr<RunMemory> memory = memory_.Take(work_bytes);
    if (memory == nullptr) {
      INKREAD_ASSIGN_OR_RETURN(memory, RunMemory::Make(device_));
    }
    // A run that fails does not give its memory back: whatever state it is in goes with it.
    INKREAD_RETURN_IF_ERROR(memory->Reserve(work_bytes, upload.size_bytes(), readback.size_bytes()));
    std::sort(weights.begin(), weights.end());
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
    INKREAD_ASSIGN_OR_RETURN(const auto sets, memory->Bind(weights, pipelines_->set_layout()));
    for (PlacedJob& p : placed) {
      p.set = sets[std::lower_bound(weights.begin(), weights.end(), p.program->weights().buffer()) - weights.begin()];
      CopyIn(p, *memory);
    }

    Commands& commands = memory->commands();
    INKREAD_RETURN_IF_ERROR(commands.Begin());
    VkQueryPool timestamps = VK_NULL_HANDLE;
    if (!step_ms.empty()) {
      INKREAD_ASSIGN_OR_RETURN(timestamps, memory->Timestamps(static_cast<uint32_t>(step_ms.size()) + 1));
    }
    if (!memory->host_writes_work()) {
      RecordCopiesIn(placed, *memory);
      commands.Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }
    if (step_ms.empty()) {
      RecordInOrder(placed, jobs, commands);
    } else {
      RecordStepByStep(placed[0], commands, timestamps);
    }
    if (memory->host_reads_work()) {
      commands.Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_HOST_READ_BIT);
    } else {
      commands.Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT);
      RecordCopiesOut(placed, *memory);
      commands.Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_HOST_READ_BIT);
    }
    INKREAD_RETURN_IF_ERROR(commands.EndAndRun());

    for (const PlacedJob& p : placed) {
      const std::byte* output = memory->host_reads_work() ? memory->work().data() + p.work + p.list().layout.output
                                                          : memory->readback().data() + p.readback;
      std::memcpy(p.job->output, output, p.list().output_bytes);
    }
    if (!step_ms.empty()) INKREAD_RETURN_IF_ERROR(ReadTimes(timestamps, step_ms));
    memory_.Return(std::move(memory));
    return Status();
  }

  // To where the kernels find it, or to where it is copied from.
  static void CopyIn(const PlacedJob& p, const RunMemory& memory) {
    const bool is_direct = memory.host_writes_work();
    const gpu::BlockLayout& layout = p.list().layout;
    std::byte* input = is_direct ? memory.work().data() + p.work + layout.input : memory.upload().data() + p.upload;
    std::memcpy(input, p.job->input, p.list().input_bytes);
    if (p.list().writes_whole_output) return;
    std::byte* old = is_direct ? memory.work().data() + p.work + layout.output : memory.upload().data() + p.old_output;
    std::memcpy(old, p.job->output, p.list().output_bytes);
  }

  void RecordCopiesIn(const std::vector<PlacedJob>& placed, RunMemory& memory) const {
    std::vector<VkBufferCopy> regions;
    for (const PlacedJob& p : placed) {
      const gpu::BlockLayout& layout = p.list().layout;
      regions.push_back({p.upload, p.work + layout.input, p.list().input_bytes});
      if (!p.list().writes_whole_output)
        regions.push_back({p.old_output, p.work + layout.output, p.list().output_bytes});
    }
    device_->vk().vkCmdCopyBuffer(memory.commands().handle(), memory.upload().handle(), memory.work().handle(),
                                  static_cast<uint32_t>(regions.size()), regions.data());
  }

  void RecordCopiesOut(const std::vector<PlacedJob>& placed, RunMemory& memory) const {
    std::vector<VkBufferCopy> regions;
    for (const PlacedJob& p : placed)
      regions.push_back({p.work + p.list().layout.output, p.readback, p.list().output_bytes});
    device_->vk().vkCmdCopyBuffer(memory.commands().handle(), memory.work().handle(), memory.readback().handle(),
                                  static_cast<uint32_t>(regions.size()), regions.data());
  }

  static void ComputeBarrier(const Commands& commands) {
    commands.Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  }

  void RecordDispatch(const PlacedJob& p, size_t index, VkCommandBuffer commands) const {
    const gpu::Dispatch& dispatch = p.list().dispatches[index];
    const Ready& ready = p.program->ready(index);
    const auto words = gpu::WordsAt(dispatch, p.work);
    const VolkDeviceTable& vk = device_->vk();
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, ready.pipeline);
    vk.vkCmdPushConstants(commands, pipelines_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, dispatch.num_words * 4,
                          words.data());
    vk.vkCmdDispatch(commands, ready.groups_x, ready.groups_y, 1);
  }

  void BindSet(const PlacedJob& p, VkCommandBuffer commands) const {
    device_->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_->layout(), 0, 1, &p.set,
                                          0, nullptr);
  }

  void RecordInOrder(const std::vector<PlacedJob>& placed, std::span<const Job> jobs, const Commands& commands) const {
    VkDescriptorSet bound = VK_NULL_HANDLE;
    for (const gpu::Submitted& next : gpu::InOrder(ListsOf(jobs))) {
      const PlacedJob& p = placed[next.job];
      if (next.barrier_before) ComputeBarrier(commands);
      if (p.set != bound) BindSet(p, commands.handle());
      bound = p.set;
      RecordDispatch(p, next.dispatch, commands.handle());
    }
  }

  void RecordStepByStep(const PlacedJob& p, const Commands& commands, VkQueryPool timestamps) const {
    const VolkDeviceTable& vk = device_->vk();
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
  std::mutex uploads_mutex_;
  Commands uploads_;
  gpu::FreeList<RunMemory> memory_;
  const gpu::GpuTraits traits_;
  const uint64_t most_run_bytes_;
  DeviceCaps caps_;
};

}  // namespace
}  // namespace vulkan

Result<std::unique_ptr<Backend>> MakeVulkanBackend(const VulkanOptions& options) {
  INKREAD_ASSIGN_OR_RETURN(const auto device, vulkan::Device::Open(options));
  INKREAD_ASSIGN_OR_RETURN(auto pipelines, vulkan::Pipelines::Make(device, options.cache_folder));
  INKREAD_ASSIGN_OR_RETURN(auto uploads, vulkan::Commands::Make(device));
  return std::unique_ptr<Backend>(
      std::make_unique<vulkan::VulkanBackend>(device, std::move(pipelines), std::move(uploads), options));
}

}  // namespace inkread
