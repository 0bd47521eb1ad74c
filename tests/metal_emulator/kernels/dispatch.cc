// Dispatch: arguments checked, then threadgroups run on this and other OS threads, each group on one of them.
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <mutex>
#include <numeric>
#include <thread>

#include "tests/metal_emulator/kernels/group_runner.h"

namespace metal_emulator {
namespace {

const BoundBuffer* FindBuffer(const KernelCall& call, uint32_t index) {
  for (const BoundBuffer& buffer : call.buffers) {
    if (buffer.index == index) return &buffer;
  }
  return nullptr;
}

const BoundBytes* FindBytes(const KernelCall& call, uint32_t index) {
  for (const BoundBytes& bytes : call.bytes) {
    if (bytes.index == index) return &bytes;
  }
  return nullptr;
}

bool IsGiven(const KernelCall& call, uint32_t constant, uint64_t* bits) {
  for (const ConstantValue& value : call.constants) {
    if (value.index == constant) {
      *bits = value.bits;
      return true;
    }
  }
  return false;
}

std::string Times(const Size3& size) {
  return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

class Preparation {
 public:
  Preparation(const KernelCall& call, Plan* plan) : call_(call), kernel_(*call.kernel), plan_(*plan) {}

  // Fills the plan, or says what is wrong with the call.
  Fault Run() {
    plan_.call = &call_;
    if (Fault fault = Sizes()) return fault;
    if (Fault fault = Constants()) return fault;
    if (Fault fault = Buffers()) return fault;
    if (Fault fault = ThreadgroupMemory()) return fault;
    if (call_.recorder != nullptr) {
      plan_.first_number = call_.recorder->Begin(kernel_.name, call_.dispatch, plan_.num_groups);
      plan_.before = call_.recorder->before();
      if (plan_.first_number == 0) return Wrong(FaultKind::kBadDispatch, "the recorder has run out of numbers");
    }
    return {};
  }

 private:
  Fault Wrong(FaultKind kind, const std::string& what) const {
    return {kind, "kernel '" + kernel_.name + "' (dispatch " + std::to_string(call_.dispatch) + "): " + what};
  }

  Fault Sizes() {
    const Size3& threads = call_.threads_per_group;
    const uint64_t num_threads = uint64_t{threads.x} * threads.y * threads.z;
    const uint32_t max_threads = std::min({kernel_.max_total_threads, call_.max_threads_per_group, uint32_t{1024}});
    if (num_threads == 0) return Wrong(FaultKind::kBadDispatch, "a threadgroup of no threads, " + Times(threads));
    if (num_threads > max_threads) {
      return Wrong(FaultKind::kBadDispatch, "a threadgroup of " + Times(threads) + " threads; at most " +
                                                std::to_string(max_threads) + " are allowed");
    }
    plan_.groups = call_.groups;
    if (call_.grid_threads.x != 0) {
      const auto groups = [](uint32_t all, uint32_t each) { return (all + each - 1) / each; };
      plan_.groups = {groups(call_.grid_threads.x, threads.x), groups(call_.grid_threads.y, threads.y),
                      groups(call_.grid_threads.z, threads.z)};
    }
    plan_.num_groups = uint64_t{plan_.groups.x} * plan_.groups.y * plan_.groups.z;
    if (plan_.num_groups == 0) return Wrong(FaultKind::kBadDispatch, "a grid of no threadgroups");
    return {};
  }

  Fault Constants() {
    uint32_t size = 0;
    for (const FunctionConstant& constant : kernel_.constants) size = std::max(size, constant.index + 1);
    plan_.constants.resize(size);
    plan_.is_given.reset(new bool[size]());
    for (const FunctionConstant& constant : kernel_.constants) {
      bool& is_given = plan_.is_given[constant.index];
      is_given = IsGiven(call_, constant.index, &plan_.constants[constant.index]);
      if (!is_given && constant.required) {
        return Wrong(FaultKind::kMissingBinding,
                     "function constant " + std::to_string(constant.index) + " ('" + constant.name + "') has no value");
      }
    }
    return {};
  }

  Fault Buffers() {
    for (const BufferArgument& argument : kernel_.buffers) {
      if (plan_.buffers.size() <= argument.index) plan_.buffers.resize(argument.index + 1);
      Memory& memory = plan_.buffers[argument.index];
      memory.index = argument.index;
      memory.name = argument.name.c_str();
      const std::string place = "buffer " + std::to_string(argument.index) + " ('" + argument.name + "')";
      if (argument.only_if >= 0) {
        if ((plan_.constants[static_cast<size_t>(argument.only_if)] & 1) == 0) continue;
      }
      if (const BoundBytes* bytes = FindBytes(call_, argument.index)) {
        if (argument.written)
          return Wrong(FaultKind::kBadDispatch, place + " is written, but bound to setBytes' bytes");
        memory.begin = static_cast<char*>(const_cast<void*>(bytes->data));
        memory.size_bytes = bytes->size_bytes;
      } else if (const BoundBuffer* buffer = FindBuffer(call_, argument.index)) {
        if (buffer->offset_bytes > buffer->size_bytes) {
          return Wrong(FaultKind::kOutOfBounds, place + " is bound at offset " + std::to_string(buffer->offset_bytes) +
                                                    " of a buffer of " + std::to_string(buffer->size_bytes) + " bytes");
        }
        memory.begin = static_cast<char*>(buffer->base) + buffer->offset_bytes;
        memory.size_bytes = buffer->size_bytes - buffer->offset_bytes;
        memory.buffer = buffer;
        if (buffer->access != nullptr && call_.recorder != nullptr) {
          memory.writers = buffer->access->writers() + buffer->offset_bytes / 2;
          memory.readers = buffer->access->readers() + buffer->offset_bytes / 2;
        }
      } else {
        return Wrong(FaultKind::kMissingBinding, place + " is not bound");
      }
      if (memory.size_bytes < argument.min_bytes) {
        return Wrong(FaultKind::kBadDispatch, place + " has " + std::to_string(memory.size_bytes) + " bytes; " +
                                                  std::to_string(argument.min_bytes) + " are needed");
      }
      if (reinterpret_cast<uintptr_t>(memory.begin) % argument.alignment != 0) {
        return Wrong(FaultKind::kMisaligned,
                     place + " is not aligned to " + std::to_string(argument.alignment) + " bytes");
      }
    }
    return {};
  }

  Fault ThreadgroupMemory() {
    size_t used = 0;
    const auto add = [&](std::vector<Memory>* list, size_t at, size_t bytes, const char* name) {
      if (list->size() <= at) list->resize(at + 1);
      Memory& memory = (*list)[at];
      memory.space = Space::kThreadgroup;
      memory.index = static_cast<uint32_t>(at);
      memory.name = name;
      memory.size_bytes = bytes;
      memory.begin = reinterpret_cast<char*>(used);  // until a runner puts its own block below
      used += (bytes + 15) / 16 * 16;
    };
    for (size_t i = 0; i < kernel_.threadgroup_variables.size(); ++i) {
      add(&plan_.variables, i, kernel_.threadgroup_variables[i].size_bytes,
          kernel_.threadgroup_variables[i].name.c_str());
    }
    for (const uint32_t index : kernel_.threadgroup_arguments) {
      const ThreadgroupLength* given = nullptr;
      for (const ThreadgroupLength& length : call_.threadgroup_lengths) {
        if (length.index == index) given = &length;
      }
      if (given == nullptr || given->size_bytes == 0) {
        return Wrong(FaultKind::kMissingBinding, "threadgroup memory " + std::to_string(index) + " has no length");
      }
      add(&plan_.threadgroup_arguments, index, given->size_bytes, "");
    }
    if (used > call_.max_threadgroup_bytes) {
      return Wrong(FaultKind::kBadDispatch, std::to_string(used) + " bytes of threadgroup memory; at most " +
                                                std::to_string(call_.max_threadgroup_bytes) + " are allowed");
    }
    plan_.threadgroup_bytes = used;
    return {};
  }

  const KernelCall& call_;
  const KernelInfo& kernel_;
  Plan& plan_;
};

// Runners keep their stacks between dispatches.
class RunnerPool {
 public:
  std::unique_ptr<GroupRunner> Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return std::make_unique<GroupRunner>();
    std::unique_ptr<GroupRunner> runner = std::move(free_.back());
    free_.pop_back();
    return runner;
  }
  void Give(std::unique_ptr<GroupRunner> runner) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(runner));
  }
  static RunnerPool& Get() {
    static RunnerPool pool;
    return pool;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<GroupRunner>> free_;
};

void RunGroups(Plan* plan) {
  std::unique_ptr<GroupRunner> runner = RunnerPool::Get().Take();
  runner->Begin(plan);
  while (!plan->stopped) {
    const uint64_t next = plan->next_group++;
    if (next >= plan->num_groups) break;
    // Neighbouring groups do not run one after the other: the order is one of the walks that visit each once.
    runner->Run((plan->group_offset + next * plan->group_stride) % plan->num_groups);
  }
  runner->End();
  RunnerPool::Get().Give(std::move(runner));
}

}  // namespace

Fault Dispatch(const KernelCall& call) {
  if (call.kernel == nullptr) return {FaultKind::kBadDispatch, "a dispatch without a kernel"};
  Plan plan;
  if (Fault fault = Preparation(call, &plan).Run()) return fault;

  Random random(call.seed);
  plan.group_offset = random.Below(plan.num_groups);
  plan.group_stride = plan.num_groups == 1 ? 1 : 1 + random.Below(plan.num_groups - 1);
  while (std::gcd(plan.group_stride, plan.num_groups) != 1) ++plan.group_stride;

  unsigned num_workers = call.num_cpu_threads != 0 ? call.num_cpu_threads : std::thread::hardware_concurrency();
  num_workers = static_cast<unsigned>(std::min<uint64_t>(std::max(num_workers, 1u), plan.num_groups));
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < num_workers; ++i) workers.emplace_back(RunGroups, &plan);
  RunGroups(&plan);
  for (std::thread& worker : workers) worker.join();
  return plan.fault;
}

}  // namespace metal_emulator
