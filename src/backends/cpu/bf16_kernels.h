// The steps whose weights are in BF16 (weights_form.h), by the processor's unit for it. As RunStep and RunRows
// (kernels.h), which hand these steps on; the context's unit is not null.
#ifndef INKREAD_BACKENDS_CPU_BF16_KERNELS_H_
#define INKREAD_BACKENDS_CPU_BF16_KERNELS_H_

#include "backends/cpu/kernels.h"

namespace inkread::cpu {

void RunBf16Step(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context);
void RunBf16Rows(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end,
                 const Context& context);
void RunBf16Step(const CtcHeadParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context);

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_BF16_KERNELS_H_
