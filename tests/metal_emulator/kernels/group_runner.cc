#include "tests/metal_emulator/kernels/group_runner.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace metal_emulator {

const Memory kNowhere;
thread_local Now now __attribute__((tls_model("initial-exec")));
thread_local FunctionConstants function_constants __attribute__((tls_model("initial-exec")));

namespace {

constexpr uint32_t kMaxThreads = 1024;
constexpr int32_t kLastEpoch = (1 << (31 - kAgentBits)) - 2;

thread_local GroupRunner* runner = nullptr;  // whose group runs on this OS thread

// Fibers wait here for their next group, perhaps on another OS thread: no address of a thread-local variable may be
// kept across that wait, as it would be if this were part of its caller.
__attribute__((noinline)) void SetNow(const Now& state) { now = state; }

}  // namespace

GroupRunner::GroupRunner() : threads_(kMaxThreads), simdgroups_(kMaxThreads / kLanes), ready_(kMaxThreads) {}
GroupRunner::~GroupRunner() = default;

void GroupRunner::Begin(Plan* plan) {
  plan_ = plan;
  outside_ = {};  // perhaps of another OS thread, the last time
  runner = this;
  function_constants = {plan->constants.data(), plan->is_given.get()};
  if (plan->threadgroup_bytes > block_bytes_) {
    block_bytes_ = plan->threadgroup_bytes;
    block_.reset(new char[block_bytes_ + 16]);
    writers_.reset(new int32_t[block_bytes_ / 2 + 1]());
    readers_.reset(new int32_t[block_bytes_ / 2 + 1]());
  }
  buffers_ = plan->buffers;
  for (Memory& memory : buffers_) memory.before = plan->before;
  threadgroup_arguments_ = plan->threadgroup_arguments;
  PlaceThreadgroupMemory(&threadgroup_arguments_);
  variables_ = plan->variables;
  PlaceThreadgroupMemory(&variables_);
}

void GroupRunner::End() { runner = nullptr; }

void GroupRunner::PlaceThreadgroupMemory(std::vector<Memory>* list) {
  char* block = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(block_.get()) + 15) / 16 * 16);
  for (Memory& memory : *list) {
    const size_t offset = reinterpret_cast<uintptr_t>(memory.begin);
    memory.begin = block + offset;
    memory.writers = writers_.get() + offset / 2;
    memory.readers = readers_.get() + offset / 2;
  }
}

void GroupRunner::Run(uint64_t group) {
  const KernelCall& call = *plan_->call;
  group_ = group;
  random_ = Random(call.seed * 0x2545f4914f6cdd1du + group);
  const uint32_t limits[3] = {call.grid_threads.x, call.grid_threads.y, call.grid_threads.z};
  const uint32_t sizes[3] = {call.threads_per_group.x, call.threads_per_group.y, call.threads_per_group.z};
  group_position_[0] = static_cast<uint32_t>(group % plan_->groups.x);
  group_position_[1] = static_cast<uint32_t>(group / plan_->groups.x % plan_->groups.y);
  group_position_[2] = static_cast<uint32_t>(group / plan_->groups.x / plan_->groups.y);
  for (int axis = 0; axis < 3; ++axis) {
    group_begin_[axis] = group_position_[axis] * sizes[axis];
    group_size_[axis] = limits[0] == 0 ? sizes[axis] : std::min(sizes[axis], limits[axis] - group_begin_[axis]);
  }
  num_threads_ = group_size_[0] * group_size_[1] * group_size_[2];
  num_simdgroups_ = (num_threads_ + kLanes - 1) / kLanes;
  for (Memory& memory : buffers_) memory.self = plan_->first_number + static_cast<int32_t>(group);
  // What nobody has written is NaN, as half and as float.
  if (plan_->threadgroup_bytes != 0) std::memset(block_.get(), 0xff, plan_->threadgroup_bytes + 15);

  num_ended_ = next_start_ = ready_begin_ = ready_size_ = 0;
  stopped_ = false;
  NextEpoch();
  group_meeting_ = {};
  group_meeting_.size = num_threads_;
  for (uint32_t s = 0; s < num_simdgroups_; ++s) {
    Simdgroup& simdgroup = simdgroups_[s];
    const uint32_t lanes = std::min(kLanes, num_threads_ - s * kLanes);
    const uint32_t leader = static_cast<uint32_t>(random_.Below(lanes));
    simdgroup.meeting = {};
    simdgroup.meeting.size = lanes;
    simdgroup.calls = simdgroup.num_ended = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      Thread& thread = threads_[s * kLanes + lane];
      thread.index = s * kLanes + lane;
      thread.fiber = nullptr;
      thread.state = {};
      thread.state.mark = (epoch_ << kAgentBits) + static_cast<int32_t>(thread.index);
      thread.state.group_epoch = thread.state.simd_epoch = epoch_;
      thread.state.simdgroup = static_cast<int32_t>(s);
      thread.state.lane = lane;
      thread.state.leads = lane == leader;
    }
  }
  order_.resize(num_threads_);
  std::iota(order_.begin(), order_.end(), 0u);
  for (uint32_t i = num_threads_; i > 1; --i) std::swap(order_[i - 1], order_[random_.Below(i)]);

  starting_ = &threads_[order_[next_start_++]];
  starting_->fiber = TakeFiber();
  Switch(&outside_, starting_->fiber->context);
  if (stopped_) {  // what waits on the other fibers never goes on
    free_fibers_.clear();
    for (const std::unique_ptr<Fiber>& fiber : fibers_) {
      fiber->Reset();
      free_fibers_.push_back(fiber.get());
    }
  }
}

// --- fibers ---------------------------------------------------------------------------------------------------------

Fiber* GroupRunner::TakeFiber() {
  if (free_fibers_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>(&FiberMain, this));
    return fibers_.back().get();
  }
  Fiber* fiber = free_fibers_.back();
  free_fibers_.pop_back();
  return fiber;
}

void GroupRunner::FiberMain(void* self) { static_cast<GroupRunner*>(self)->RunThreads(); }

// A fiber runs threads that start until one waits on it; it is free again when the last of them has ended.
void GroupRunner::RunThreads() {
  for (;;) {
    running_ = starting_;
    Fiber* fiber = running_->fiber;
    SetNow(running_->state);
    plan_->call->kernel->entry(*this);
    EndThread();
    if (num_ended_ == num_threads_) {
      free_fibers_.push_back(fiber);
      Switch(&fiber->context, outside_);
    } else if (ready_size_ != 0) {
      Thread* next = TakeReady();
      free_fibers_.push_back(fiber);
      running_ = next;
      SetNow(next->state);
      Switch(&fiber->context, next->fiber->context);
    } else if (next_start_ < num_threads_) {
      starting_ = &threads_[order_[next_start_++]];
      starting_->fiber = fiber;
    } else {
      StopWaiting();
    }
  }
}

__attribute__((noinline)) void GroupRunner::EndThread() {
  Simdgroup& simdgroup = simdgroups_[running_->index / kLanes];
  if (simdgroup.meeting.arrived == 0 && simdgroup.num_ended == 0) simdgroup.calls = now.calls;
  CheckCalls("the kernel's end", 0);
  if (now.calls != 0 && simdgroup.meeting.size != kLanes) {
    Fail(FaultKind::kDivergence,
         "matrix functions in a simdgroup of " + std::to_string(simdgroup.meeting.size) + " threads");
    Leave();
  }
  ++simdgroup.num_ended;
  ++num_ended_;
}

GroupRunner::Thread* GroupRunner::TakeReady() {
  Thread* thread = ready_[ready_begin_];
  ready_begin_ = (ready_begin_ + 1) % kMaxThreads;
  --ready_size_;
  return thread;
}

// Leaves the running thread, whose state is saved, for the next that can run.
void GroupRunner::RunNext() {
  Thread* self = running_;
  Fiber* next;
  if (ready_size_ != 0) {
    Thread* thread = TakeReady();
    now = thread->state;
    if (thread == self) return;
    running_ = thread;
    next = thread->fiber;
  } else if (next_start_ < num_threads_) {
    starting_ = &threads_[order_[next_start_++]];
    starting_->fiber = next = TakeFiber();
  } else {
    StopWaiting();
  }
  Switch(&self->fiber->context, next->context);
}

// --- meetings -------------------------------------------------------------------------------------------------------

void GroupRunner::NextEpoch() {
  const int32_t num_epochs = plan_->call->num_epochs;
  if (++epoch_ < (num_epochs != 0 ? num_epochs : kLastEpoch)) return;
  // Numbers have run out: forget all marks, also those that threads at work would still leave. A race across this
  // moment is not seen.
  epoch_ = 1;
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    Now& state = threads_[i].state;
    state.mark = (epoch_ << kAgentBits) + static_cast<int32_t>(i);
    state.group_epoch = state.simd_epoch = epoch_;
  }
  if (block_bytes_ == 0) return;
  std::fill_n(writers_.get(), block_bytes_ / 2 + 1, 0);
  std::fill_n(readers_.get(), block_bytes_ / 2 + 1, 0);
}

void GroupRunner::CheckCalls(const char* what, int line) {
  const Simdgroup& simdgroup = simdgroups_[running_->index / kLanes];
  if (simdgroup.calls == now.calls) return;
  Fail(FaultKind::kDivergence, "the lanes of a simdgroup made different calls of matrix functions before " +
                                   std::string(what) + (line == 0 ? "" : " in line " + std::to_string(line)));
  Leave();
}

bool GroupRunner::Arrive(Meeting* meeting, const char* what, bool memory, int line) {
  if (meeting->arrived == 0) {
    meeting->what = what;
    meeting->line = line;
    meeting->memory = memory;
  } else if (meeting->line != line || (meeting->what != what && std::strcmp(meeting->what, what) != 0)) {
    Fail(FaultKind::kDivergence, std::string(what) + " in line " + std::to_string(line) + " while others are at " +
                                     meeting->what + " in line " + std::to_string(meeting->line));
    Leave();
  }
  meeting->memory = meeting->memory && memory;
  running_->state = now;
  if (++meeting->arrived != meeting->size) return false;
  meeting->arrived = 0;
  return true;
}

void GroupRunner::Release(uint32_t first, uint32_t size) {
  uint32_t stride = size == 1 ? 1 : 1 + static_cast<uint32_t>(random_.Below(size - 1));
  while (std::gcd(stride, size) != 1) ++stride;
  uint32_t at = static_cast<uint32_t>(random_.Below(size));
  for (uint32_t i = 0; i < size; ++i) {
    ready_[(ready_begin_ + ready_size_++) % kMaxThreads] = &threads_[first + at];
    at = (at + stride) % size;
  }
}

void GroupRunner::MeetGroup(bool memory, int line) {
  if (Arrive(&group_meeting_, "threadgroup_barrier", memory, line)) {
    NextEpoch();
    for (uint32_t i = 0; i < num_threads_; ++i) {
      Now& state = threads_[i].state;
      if (state.calls != threads_[i / kLanes * kLanes].state.calls) {
        running_ = &threads_[i];
        Fail(FaultKind::kDivergence,
             "the lanes of a simdgroup made different calls of matrix functions before threadgroup_barrier in line " +
                 std::to_string(line));
        Leave();
      }
      if (!group_meeting_.memory) continue;
      state.mark = (epoch_ << kAgentBits) + static_cast<int32_t>(i);
      state.group_epoch = state.simd_epoch = epoch_;
    }
    Release(0, num_threads_);
  }
  RunNext();
}

void GroupRunner::MeetSimdgroup(const char* what, bool memory, int line) {
  const uint32_t s = running_->index / kLanes;
  Simdgroup& simdgroup = simdgroups_[s];
  if (simdgroup.meeting.arrived == 0) simdgroup.calls = now.calls;
  CheckCalls(what, line);
  if (Arrive(&simdgroup.meeting, what, memory, line)) {
    if (simdgroup.meeting.memory) {
      NextEpoch();
      for (uint32_t lane = 0; lane < simdgroup.meeting.size; ++lane) {
        Now& state = threads_[s * kLanes + lane].state;
        state.mark = (epoch_ << kAgentBits) + static_cast<int32_t>(s * kLanes + lane);
        state.simd_epoch = epoch_;
      }
    }
    ++simdgroup.turn;
    Release(s * kLanes, simdgroup.meeting.size);
  }
  RunNext();
}

const Slot* GroupRunner::Exchange(const void* value, size_t bytes, const char* what, int line, uint32_t* present) {
  Simdgroup& simdgroup = simdgroups_[running_->index / kLanes];
  // Two sets by turns: a lane that is already at the next exchange does not overwrite what others still read.
  std::array<Slot, kLanes>& slots = simdgroup.slots[simdgroup.turn % 2];
  std::memcpy(slots[running_->index % kLanes].bytes, value, bytes);
  *present = simdgroup.meeting.size;
  MeetSimdgroup(what, false, line);
  return slots.data();
}

// --- faults ---------------------------------------------------------------------------------------------------------

std::string GroupRunner::Where() const {
  const auto triple = [](uint32_t x, uint32_t y, uint32_t z) {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
  };
  return "kernel '" + plan_->call->kernel->name + "' (dispatch " + std::to_string(plan_->call->dispatch) +
         "), threadgroup " + triple(group_position_[0], group_position_[1], group_position_[2]) + ", thread " +
         std::to_string(running_->index) + " of " + std::to_string(num_threads_) + ": ";
}

void GroupRunner::Fail(FaultKind kind, const std::string& what) {
  const std::lock_guard<std::mutex> lock(plan_->mutex);
  if (!plan_->fault) plan_->fault = {kind, Where() + what};
}

void GroupRunner::Leave() {
  plan_->stopped = true;
  stopped_ = true;
  Context abandoned;
  abandoned.stack = this;  // not the OS thread's own
  Switch(&abandoned, outside_);
  std::abort();  // nobody switches back
}

std::string GroupRunner::DescribeWaiting() const {
  std::string what;
  const auto add = [&](const Meeting& meeting) {
    if (meeting.arrived == 0) return;
    what += std::to_string(meeting.arrived) + " of " + std::to_string(meeting.size) + " threads wait at " +
            meeting.what + " in line " + std::to_string(meeting.line) + "; ";
  };
  add(group_meeting_);
  for (uint32_t s = 0; s < num_simdgroups_; ++s) add(simdgroups_[s].meeting);
  return what + std::to_string(num_ended_) + " have ended";
}

void GroupRunner::StopWaiting() {
  Fail(FaultKind::kDivergence, DescribeWaiting());
  Leave();
}

std::string GroupRunner::DescribeMark(int32_t mark) const {
  const int32_t agent = mark & kAgentMask;
  if (agent == kSeveralAgents) return "several threads";
  if (agent >= kFirstSimdgroupAgent) return "simdgroup " + std::to_string(agent - kFirstSimdgroupAgent);
  return "thread " + std::to_string(agent);
}

// --- positions ------------------------------------------------------------------------------------------------------

uint32_t GroupRunner::ThreadPositionInThreadgroup(int axis) {
  const uint32_t i = running_->index;
  if (axis == 0) return i % group_size_[0];
  return axis == 1 ? i / group_size_[0] % group_size_[1] : i / group_size_[0] / group_size_[1];
}

uint32_t GroupRunner::ThreadPositionInGrid(int axis) { return group_begin_[axis] + ThreadPositionInThreadgroup(axis); }

uint32_t GroupRunner::ThreadgroupsPerGrid(int axis) {
  return axis == 0 ? plan_->groups.x : axis == 1 ? plan_->groups.y : plan_->groups.z;
}

uint32_t GroupRunner::ThreadsPerGrid(int axis) {
  const KernelCall& call = *plan_->call;
  const uint32_t grid[3] = {call.grid_threads.x, call.grid_threads.y, call.grid_threads.z};
  const uint32_t each[3] = {call.threads_per_group.x, call.threads_per_group.y, call.threads_per_group.z};
  return grid[0] != 0 ? grid[axis] : ThreadgroupsPerGrid(axis) * each[axis];
}

// --- runtime.h ------------------------------------------------------------------------------------------------------

void MeetGroup(bool memory, int line) { runner->MeetGroup(memory, line); }
void MeetSimdgroup(bool memory, int line) { runner->MeetSimdgroup("simdgroup_barrier", memory, line); }

const Slot* ExchangeInSimdgroup(const void* value, size_t bytes, const char* what, int line, uint32_t* present) {
  return runner->Exchange(value, bytes, what, line, present);
}

const Memory* ThreadgroupVariable(uint32_t variable) { return runner->Variable(variable); }

namespace {

std::string Describe(const Memory& memory) {
  if (&memory == &kNowhere) return "memory through a pointer that was never set";
  std::string name;
  if (memory.space == Space::kThreadgroup) {
    name = *memory.name != 0 ? "threadgroup variable '" + std::string(memory.name) + "'"
                             : "threadgroup memory " + std::to_string(memory.index);
  } else {
    name = "buffer " + std::to_string(memory.index) + " ('" + memory.name + "')";
    if (memory.buffer != nullptr && !memory.buffer->label.empty()) name += ", bound to '" + memory.buffer->label + "'";
  }
  return name;
}

std::string DescribeOther(const Memory& memory, int32_t mark) {
  if (memory.space == Space::kThreadgroup) return runner->DescribeMark(mark) + " of the same threadgroup";
  return runner->recorder()->Describe(mark);
}

}  // namespace

void StopOutOfBounds(const Memory* memory, const void* address, size_t bytes, bool write) {
  const ptrdiff_t offset =
      static_cast<ptrdiff_t>(reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(memory->begin));
  runner->Fail(FaultKind::kOutOfBounds, std::string(write ? "writes" : "reads") + " bytes " + std::to_string(offset) +
                                            " to " + std::to_string(offset + static_cast<ptrdiff_t>(bytes) - 1) +
                                            " of " + Describe(*memory) + ", which has " +
                                            std::to_string(memory->size_bytes));
  runner->Leave();
}

void StopMisaligned(const Memory* memory, const void* address, size_t alignment) {
  const ptrdiff_t offset = static_cast<const char*>(address) - memory->begin;
  runner->Fail(FaultKind::kMisaligned, "touches byte " + std::to_string(offset) + " of " + Describe(*memory) +
                                           " as a type that is aligned to " + std::to_string(alignment) + " bytes");
  runner->Leave();
}

void StopRace(const Memory* memory, size_t cell, int32_t other, bool other_wrote, bool write) {
  runner->Fail(FaultKind::kRace, std::string(write ? "writes" : "reads") + " bytes " + std::to_string(cell * 2) +
                                     " and " + std::to_string(cell * 2 + 1) + " of " + Describe(*memory) + ", which " +
                                     DescribeOther(*memory, other) + (other_wrote ? " wrote" : " read") +
                                     " with no barrier between");
  runner->Leave();
}

void StopLane(const char* what, uint32_t lane, int line) {
  runner->Fail(FaultKind::kDivergence, std::string(what) + " in line " + std::to_string(line) + " asks for lane " +
                                           std::to_string(lane) + ", which is not there");
  runner->Leave();
}

}  // namespace metal_emulator
