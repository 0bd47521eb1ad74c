// What backends share that compute in host memory: weights and programs that are the schedule itself, and a step's
// operands as plain pointers. A device backend binds its own buffers instead.
#ifndef INKREAD_SCHEDULE_HOST_MEMORY_H_
#define INKREAD_SCHEDULE_HOST_MEMORY_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "schedule/backend.h"

namespace inkread {

struct HostBlocks {
  std::byte* arena = nullptr;
  const std::byte* weights = nullptr;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
};

// By slot, null where the operand is not there. Pointers to 16-bit elements are spelt as those to floats are.
struct HostOperands {
  std::array<const float*, 3> reads{};
  std::array<const float*, 4> weights{};
  std::array<float*, 2> writes{};
  uint32_t x_element = INKREAD_ELEMENT_F32, y_element = INKREAD_ELEMENT_F32;  // of reads[0] and writes[0]
};

HostOperands OnHost(const Step& step, const HostBlocks& blocks);

// The caller's block itself, kept alive.
std::shared_ptr<const DeviceWeights> WeightsOnHost(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

// The schedule with its weights; a backend may derive from it what else it keeps with a program.
class HostProgram : public Program {
 public:
  // `weights` come from WeightsOnHost.
  HostProgram(std::shared_ptr<const Schedule> schedule, std::shared_ptr<const DeviceWeights> weights);
  // Errors   kInternal: the block of weights is smaller than the schedule expects
  Status Check() const;
  const Schedule& schedule() const override { return *schedule_; }
  const std::byte* weights() const;

 private:
  std::shared_ptr<const Schedule> schedule_;
  std::shared_ptr<const DeviceWeights> weights_;
};

// The blocks of a job whose program is a HostProgram.
HostBlocks BlocksOf(const Job& job, std::byte* arena);

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_HOST_MEMORY_H_
