#include "backends/cpu/kernels.h"

namespace inkread::cpu {
namespace {

template <typename P>
Kernel KernelOf() {
  Kernel kernel;
  if constexpr (requires(const P& p, const Step& s, const HostOperands& o, const Context& c) {
                  RunStep(p, s.epilogue, o, c);
                }) {
    kernel.run = [](const Step& step, const HostOperands& o, const Context& context) {
      RunStep(std::get<P>(step.params), step.epilogue, o, context);
    };
  }
  if constexpr (requires(const P& p, const Step& s, const HostOperands& o, const Context& c, float* scratch) {
                  RunRows(p, s.epilogue, o, size_t{0}, size_t{1}, c, scratch);
                }) {
    kernel.run_rows = [](const Step& step, const HostOperands& o, size_t begin, size_t end, const Context& context,
                         float* scratch) {
      RunRows(std::get<P>(step.params), step.epilogue, o, begin, end, context, scratch);
    };
  }
  if constexpr (requires(const P& p, const Step& s, const Context& c) { ScratchOf(p, s, c); }) {
    kernel.scratch = [](const Step& step, const Context& context) {
      return ScratchOf(std::get<P>(step.params), step, context);
    };
  }
  return kernel;
}

}  // namespace

const KernelTable& Kernels() {
  static const KernelTable table = {
#define INKREAD_STEP(kind, params, stem) KernelOf<params>(),
#include "schedule/steps.inc"
#undef INKREAD_STEP
  };
  return table;
}

}  // namespace inkread::cpu
