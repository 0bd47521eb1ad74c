// How the backend calls its kernels: one function a step kind, overloaded on its params; x.cc has the one for XParams.
// Kinds whose results can be had row by row (bands.h) have a second one.
#ifndef INKREAD_BACKENDS_CPU_KERNELS_H_
#define INKREAD_BACKENDS_CPU_KERNELS_H_

#include <cstddef>

#include "base/thread_pool.h"
#include "schedule/host_memory.h"

namespace inkread::cpu {

struct Bf16Unit;

struct Context {
  ThreadPool* pool;
  size_t target;                   // index into Highway's dispatch tables
  const Bf16Unit* bf16 = nullptr;  // what multiplies weights in BF16; null: none are asked for
};

#define INKREAD_STEP(kind, params, stem) \
  void RunStep(const params& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context);
#include "schedule/steps.inc"
#undef INKREAD_STEP

// Rows [begin, end) of the results of one image, on this thread alone. The operands point to where row 0 of that image
// lies, or would lie if it were kept; only rows that the asked ones need are read. Results are RunStep's to the bit.
#define INKREAD_CPU_ROWS_OF(params)                                                                              \
  void RunRows(const params& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end, \
               const Context& context);
INKREAD_CPU_ROWS_OF(ConvParams)
INKREAD_CPU_ROWS_OF(DepthwiseConvParams)
INKREAD_CPU_ROWS_OF(ConvTransposeParams)  // begin and end are rows of x: each makes kh rows of results
INKREAD_CPU_ROWS_OF(PoolParams)
INKREAD_CPU_ROWS_OF(ElementwiseParams)
INKREAD_CPU_ROWS_OF(ResizeParams)
INKREAD_CPU_ROWS_OF(GlobalPoolParams)  // rows of the partial sums
#undef INKREAD_CPU_ROWS_OF
// The mean of one image from its partial sums.
void FinishGlobalPool(const GlobalPoolParams& p, const HostOperands& o, size_t image, const Context& context);

// The panel that the target's matrix kernels want.
uint32_t ConvPanel(size_t target);

}  // namespace inkread::cpu

// Makes RunStep(const Params&, ...) call HWY_NAMESPACE::Function of the context's target.
#define INKREAD_CPU_KERNEL(Params, Function)                                                                     \
  HWY_EXPORT(Function);                                                                                          \
  void RunStep(const Params& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context) { \
    HWY_DISPATCH_TABLE(Function)[context.target](p, epilogue, o, *context.pool);                                 \
  }

// The same for RunRows.
#define INKREAD_CPU_ROWS(Params, Function)                                                                       \
  HWY_EXPORT(Function);                                                                                          \
  void RunRows(const Params& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end, \
               const Context& context) {                                                                         \
    HWY_DISPATCH_TABLE(Function)[context.target](p, epilogue, o, begin, end);                                    \
  }

#endif  // INKREAD_BACKENDS_CPU_KERNELS_H_
