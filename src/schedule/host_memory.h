// What the backends that compute in host memory share: weights, programs that are the schedule itself, and a step's
// operands as typed pointers. A device backend binds its own buffers instead.
#ifndef INKREAD_SCHEDULE_HOST_MEMORY_H_
#define INKREAD_SCHEDULE_HOST_MEMORY_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "base/status.h"
#include "schedule/backend.h"

namespace inkread {

struct HostBlocks {
  std::byte* arena = nullptr;
  const std::byte* weights = nullptr;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
};

// Where an operand begins and what its elements are (steps/element.h). Byte is std::byte, const for what a step reads.
template <typename Byte>
struct HostOperand {
  Byte* data = nullptr;  // null if the operand is absent
  uint32_t element = INKREAD_ELEMENT_F32;
};

// By slot. Packed weights have the element that their form says (weights_form.h), other weights are F32.
struct HostOperands {
  std::array<HostOperand<const std::byte>, 3> reads;
  std::array<HostOperand<const std::byte>, 4> weights;
  std::array<HostOperand<std::byte>, 2> writes;
};

HostOperands OnHost(const Step& step, const HostBlocks& blocks);

// Whether such an element is a T: a float, the bits of an F16 or BF16 as a uint16_t, or a uint8_t. A backend may
// specialise it for types of its own.
template <typename T>
constexpr bool IsElement(uint32_t element) = delete;
template <>
constexpr bool IsElement<float>(uint32_t element) {
  return element == INKREAD_ELEMENT_F32;
}
template <>
constexpr bool IsElement<uint16_t>(uint32_t element) {
  return element == INKREAD_ELEMENT_F16 || element == INKREAD_ELEMENT_BF16;
}
template <>
constexpr bool IsElement<uint8_t>(uint32_t element) {
  return element == INKREAD_ELEMENT_U8;
}

// The operand's elements. Stops the program if they are not of type T.
template <typename T>
inline const T* Values(const HostOperand<const std::byte>& operand) {
  INKREAD_CHECK(IsElement<T>(operand.element));
  return reinterpret_cast<const T*>(operand.data);
}
template <typename T>
inline T* Values(const HostOperand<std::byte>& operand) {
  INKREAD_CHECK(IsElement<T>(operand.element));
  return reinterpret_cast<T*>(operand.data);
}

// Weights that are the caller's block itself, which `owner` keeps alive.
std::shared_ptr<const DeviceWeights> WeightsOnHost(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

// The schedule with its weights. A backend may derive from it to keep more with a program.
class HostProgram : public Program {
 public:
  // `weights` come from WeightsOnHost.
  HostProgram(std::shared_ptr<const Schedule> schedule, std::shared_ptr<const DeviceWeights> weights);
  // Errors  kUnsupported: a step whose kind `caps` has no kernel for; kInternal: the block of weights is smaller than
  //         the schedule expects
  Status Check(const DeviceCaps& caps) const;
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
