// How the backend calls its kernels: one function a step kind, overloaded on its params; x.cc has the one for XParams.
#ifndef INKREAD_BACKENDS_CPU_KERNELS_H_
#define INKREAD_BACKENDS_CPU_KERNELS_H_

#include <cstddef>

#include "base/thread_pool.h"
#include "schedule/host_memory.h"

namespace inkread::cpu {

struct Context {
  ThreadPool* pool;
  size_t target;  // index into Highway's dispatch tables
};

#define INKREAD_STEP(kind, params, stem) \
  void RunStep(const params& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context);
#include "schedule/steps.inc"
#undef INKREAD_STEP

// The panel that the target's matrix kernels want.
uint32_t ConvPanel(size_t target);

}  // namespace inkread::cpu

// Makes RunStep(const Params&, ...) call HWY_NAMESPACE::Function of the context's target.
#define INKREAD_CPU_KERNEL(Params, Function)                                                                     \
  HWY_EXPORT(Function);                                                                                          \
  void RunStep(const Params& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context) { \
    HWY_DISPATCH_TABLE(Function)[context.target](p, epilogue, o, *context.pool);                                 \
  }

#endif  // INKREAD_BACKENDS_CPU_KERNELS_H_
