// How the backend calls its kernels. Functions are overloaded on a kind's params; x.cc has those for XParams:
//
//   RunStep     runs a step
//   RunRows     runs some rows of a step, for kinds whose results can be computed row by row (band_runner.h)
//   ScratchOf   says how much scratch a step needs, for kinds that need any
//
// Kernels() is made from those that are declared here.
#ifndef INKREAD_BACKENDS_CPU_KERNELS_H_
#define INKREAD_BACKENDS_CPU_KERNELS_H_

#include <array>
#include <cstddef>

#include "base/thread_pool.h"
#include "hwy/base.h"
#include "schedule/host_memory.h"

namespace inkread {

template <>
constexpr bool IsElement<hwy::bfloat16_t>(uint32_t element) {
  return element == INKREAD_ELEMENT_BF16;
}

namespace cpu {

struct Bf16Unit;

struct Context {
  ThreadPool* pool;
  size_t target;                   // index into Highway's dispatch tables
  const Bf16Unit* bf16 = nullptr;  // what multiplies weights in BF16; null if there are none
  float* run_scratch = nullptr;    // ScratchFloats::run of them, 64-byte aligned
};

// Memory that a step needs beside its operands. It is reserved before a run starts.
struct ScratchFloats {
  size_t run = 0;     // once, shared by the threads that work on the step
  size_t thread = 0;  // for each of these threads
};

#define INKREAD_CPU_RUNS(Params) \
  void RunStep(const Params& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context);
INKREAD_CPU_RUNS(ConvParams)
INKREAD_CPU_RUNS(DepthwiseConvParams)
INKREAD_CPU_RUNS(ConvTransposeParams)
INKREAD_CPU_RUNS(PoolParams)
INKREAD_CPU_RUNS(GlobalPoolParams)
INKREAD_CPU_RUNS(SqueezeExciteParams)
INKREAD_CPU_RUNS(ElementwiseParams)
INKREAD_CPU_RUNS(ResizeParams)
INKREAD_CPU_RUNS(LayerNormParams)
INKREAD_CPU_RUNS(AttentionParams)
INKREAD_CPU_RUNS(SoftmaxParams)
INKREAD_CPU_RUNS(CtcHeadParams)
INKREAD_CPU_RUNS(CopyParams)
INKREAD_CPU_RUNS(ImageResizeParams)
INKREAD_CPU_RUNS(ImageWarpParams)
#undef INKREAD_CPU_RUNS

// Rows [begin, end) of the results of one image, on this thread alone. Each operand points to where row 0 of that image
// is, or would be if it were kept; only rows that the requested ones need are read. The results are RunStep's, bit for
// bit. `scratch` is this thread's, ScratchFloats::thread of them.
#define INKREAD_CPU_RUNS_ROWS_OF(Params)                                                                         \
  void RunRows(const Params& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end, \
               const Context& context, float* scratch);
INKREAD_CPU_RUNS_ROWS_OF(ConvParams)
INKREAD_CPU_RUNS_ROWS_OF(DepthwiseConvParams)
INKREAD_CPU_RUNS_ROWS_OF(ConvTransposeParams)  // begin and end are rows of x: each makes kh rows of results
INKREAD_CPU_RUNS_ROWS_OF(PoolParams)
INKREAD_CPU_RUNS_ROWS_OF(ElementwiseParams)
INKREAD_CPU_RUNS_ROWS_OF(ResizeParams)
INKREAD_CPU_RUNS_ROWS_OF(GlobalPoolParams)  // rows of the partial sums
#undef INKREAD_CPU_RUNS_ROWS_OF

#define INKREAD_CPU_NEEDS_SCRATCH(Params) \
  ScratchFloats ScratchOf(const Params& p, const Step& step, const Context& context);
INKREAD_CPU_NEEDS_SCRATCH(ConvParams)
INKREAD_CPU_NEEDS_SCRATCH(DepthwiseConvParams)
INKREAD_CPU_NEEDS_SCRATCH(ConvTransposeParams)
INKREAD_CPU_NEEDS_SCRATCH(SqueezeExciteParams)
INKREAD_CPU_NEEDS_SCRATCH(AttentionParams)
INKREAD_CPU_NEEDS_SCRATCH(SoftmaxParams)
INKREAD_CPU_NEEDS_SCRATCH(CtcHeadParams)
#undef INKREAD_CPU_NEEDS_SCRATCH

// The mean of one image from its partial sums.
void FinishGlobalPool(const GlobalPoolParams& p, const HostOperands& o, size_t image, const Context& context);

// The panel that the target's matrix kernels want.
uint32_t ConvPanel(size_t target);

// What there is for one kind; null: nothing. A kind without `run` has no kernel.
struct Kernel {
  void (*run)(const Step& step, const HostOperands& o, const Context& context) = nullptr;
  void (*run_rows)(const Step& step, const HostOperands& o, size_t begin, size_t end, const Context& context,
                   float* scratch) = nullptr;
  ScratchFloats (*scratch)(const Step& step, const Context& context) = nullptr;
};
using KernelTable = std::array<Kernel, kNumStepKinds>;  // by StepKind

const KernelTable& Kernels();

}  // namespace cpu
}  // namespace inkread

// Makes RunStep(const Params&, ...) call HWY_NAMESPACE::Function of the context's target.
#define INKREAD_CPU_KERNEL(Params, Function)                                                                     \
  HWY_EXPORT(Function);                                                                                          \
  void RunStep(const Params& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context) { \
    HWY_DISPATCH_TABLE(Function)[context.target](p, epilogue, o, *context.pool);                                 \
  }

// The same for RunRows of a kind that needs no scratch.
#define INKREAD_CPU_ROWS(Params, Function)                                                                       \
  HWY_EXPORT(Function);                                                                                          \
  void RunRows(const Params& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end, \
               const Context& context, float* /*scratch*/) {                                                     \
    HWY_DISPATCH_TABLE(Function)[context.target](p, epilogue, o, begin, end);                                    \
  }

// Makes ScratchOf(const Params&, ...) call HWY_NAMESPACE::Function, which returns the floats that a thread needs.
#define INKREAD_CPU_THREAD_SCRATCH(Params, Function)                                   \
  HWY_EXPORT(Function);                                                                \
  ScratchFloats ScratchOf(const Params& p, const Step& step, const Context& context) { \
    return {.thread = HWY_DISPATCH_TABLE(Function)[context.target](p, step.epilogue)}; \
  }

#endif  // INKREAD_BACKENDS_CPU_KERNELS_H_
