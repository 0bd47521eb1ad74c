// The steps whose weights are in BF16 (weights_form.h), computed by the processor's unit for bf16. The functions are
// those of kernels.h, which pass such steps on to these. The context's unit is not null.
#ifndef INKREAD_BACKENDS_CPU_BF16_KERNELS_H_
#define INKREAD_BACKENDS_CPU_BF16_KERNELS_H_

#include "backends/cpu/kernels.h"

namespace inkread::cpu {

void RunBf16Step(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context);
void RunBf16Rows(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end,
                 const Context& context, float* scratch);
ScratchFloats Bf16ScratchOf(const ConvParams& p, const Context& context);

void RunBf16Step(const CtcHeadParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context);
ScratchFloats Bf16ScratchOf(const CtcHeadParams& p, const Context& context);

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_BF16_KERNELS_H_
