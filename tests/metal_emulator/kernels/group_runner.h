// Runs one threadgroup after another on the calling OS thread: a fiber for each thread of the group that waits.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_GROUP_RUNNER_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_GROUP_RUNNER_H_

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/metal_emulator/kernels/emulated_library.h"
#include "tests/metal_emulator/kernels/fiber.h"
#include "tests/metal_emulator/kernels/runtime.h"

namespace metal_emulator {

// splitmix64
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  uint64_t Below(uint64_t limit) { return Next() % limit; }

 private:
  uint64_t state_;
};

// One dispatch, shared by those who run its groups.
struct Plan {
  const KernelCall* call = nullptr;
  Size3 groups;
  uint64_t num_groups = 0;
  uint64_t group_offset = 0, group_stride = 1;
  std::vector<uint64_t> constants;  // bits by index; 0 where not given
  std::unique_ptr<bool[]> is_given;
  std::vector<Memory> buffers;                // by index
  std::vector<Memory> threadgroup_arguments;  // by index; begin is an offset here and in
  std::vector<Memory> variables;
  size_t threadgroup_bytes = 0;
  int32_t first_number = 0, before = 0;  // of the recorder

  std::atomic<uint64_t> next_group{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  Fault fault;  // the first
};

class GroupRunner final : public Invocation {
 public:
  GroupRunner();
  ~GroupRunner();

  void Begin(Plan* plan);
  // To the group's end, or to a fault, which is then in the plan.
  void Run(uint64_t group);
  void End();

  // For the running thread.
  void MeetGroup(bool memory, int line);
  void MeetSimdgroup(const char* what, bool memory, int line);
  const Slot* Exchange(const void* value, size_t bytes, const char* what, int line, uint32_t* present);
  // Keeps the dispatch's first fault. Leave() follows, when nothing is alive that has to be destroyed: nobody comes
  // back to the fiber.
  void Fail(FaultKind kind, const std::string& what);
  [[noreturn]] void Leave();
  const Memory* Variable(uint32_t i) const { return &variables_[i]; }
  std::string DescribeMark(int32_t mark) const;
  const AccessRecorder* recorder() const { return plan_->call->recorder; }

  const Memory* Buffer(uint32_t index) override { return &buffers_[index]; }
  const Memory* ThreadgroupArgument(uint32_t index) override { return &threadgroup_arguments_[index]; }
  uint32_t ThreadPositionInGrid(int axis) override;
  uint32_t ThreadgroupPositionInGrid(int axis) override { return group_position_[axis]; }
  uint32_t ThreadPositionInThreadgroup(int axis) override;
  uint32_t ThreadsPerThreadgroup(int axis) override { return group_size_[axis]; }
  uint32_t ThreadgroupsPerGrid(int axis) override;
  uint32_t ThreadsPerGrid(int axis) override;
  uint32_t ThreadIndexInThreadgroup() override { return running_->index; }
  uint32_t ThreadIndexInSimdgroup() override { return running_->index % kLanes; }
  uint32_t SimdgroupIndexInThreadgroup() override { return running_->index / kLanes; }
  uint32_t SimdgroupsPerThreadgroup() override { return num_simdgroups_; }

 private:
  struct Thread {
    uint32_t index = 0;
    Fiber* fiber = nullptr;
    Now state = {};
  };
  // Threads that wait for one another: those of the group, or of a simdgroup.
  struct Meeting {
    uint32_t size = 0;
    uint32_t arrived = 0;
    const char* what = "";
    int line = 0;
    bool memory = false;
  };
  struct Simdgroup {
    Meeting meeting;
    uint32_t turn = 0;   // which slots are next
    uint32_t calls = 0;  // of the lane that came first, to this meeting or to the end
    uint32_t num_ended = 0;
    std::array<std::array<Slot, kLanes>, 2> slots;
  };

  static void FiberMain(void* runner);
  void RunThreads();
  void EndThread();
  // Enters the running thread; true when it is the last and all may go on.
  bool Arrive(Meeting* meeting, const char* what, bool memory, int line);
  void CheckCalls(const char* what, int line);
  void NextEpoch();
  // Puts threads first..first + size - 1 in line, in an order of chance, and runs the next one.
  void Release(uint32_t first, uint32_t size);
  void RunNext();
  Thread* TakeReady();
  Fiber* TakeFiber();
  [[noreturn]] void StopWaiting();
  void PlaceThreadgroupMemory(std::vector<Memory>* list);
  std::string Where() const;
  std::string DescribeWaiting() const;

  Plan* plan_ = nullptr;
  std::vector<Memory> buffers_, threadgroup_arguments_, variables_;
  std::unique_ptr<char[]> block_;  // threadgroup memory
  std::unique_ptr<int32_t[]> writers_, readers_;
  size_t block_bytes_ = 0;

  uint32_t group_position_[3] = {}, group_size_[3] = {}, group_begin_[3] = {};
  uint64_t group_ = 0;
  Random random_{0};
  uint32_t num_threads_ = 0, num_simdgroups_ = 0, num_ended_ = 0;
  int32_t epoch_ = 0;
  bool stopped_ = false;

  std::vector<Thread> threads_;
  std::vector<Simdgroup> simdgroups_;
  Meeting group_meeting_;
  std::vector<uint32_t> order_;  // in which threads start
  uint32_t next_start_ = 0;
  std::vector<Thread*> ready_;  // a ring
  uint32_t ready_begin_ = 0, ready_size_ = 0;
  Thread* running_ = nullptr;
  Thread* starting_ = nullptr;  // what a fiber that is switched to begins with

  Context outside_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> free_fibers_;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_GROUP_RUNNER_H_
