#include "backends/reference/kernels.h"

namespace inkread::reference {
namespace {

template <typename P>
constexpr Kernel KernelOf() {
  if constexpr (requires(const P& p, const Step& s, const HostOperands& o) { RunStep(p, s.epilogue, o); }) {
    return [](const Step& step, const HostOperands& o) { RunStep(std::get<P>(step.params), step.epilogue, o); };
  }
  return nullptr;
}

}  // namespace

const KernelTable& Kernels() {
  static constexpr KernelTable kTable = {
#define INKREAD_STEP(kind, params, stem) KernelOf<params>(),
#include "schedule/steps.inc"
#undef INKREAD_STEP
  };
  return kTable;
}

}  // namespace inkread::reference
