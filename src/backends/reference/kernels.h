// One function a step kind, overloaded on its params; x.cc has the one for XParams.
#ifndef INKREAD_BACKENDS_REFERENCE_KERNELS_H_
#define INKREAD_BACKENDS_REFERENCE_KERNELS_H_

#include "schedule/host_memory.h"

namespace inkread::reference {

#define INKREAD_STEP(kind, params, stem) \
  void RunStep(const params& p, const EpilogueParams& epilogue, const HostOperands& o);
#include "schedule/steps.inc"
#undef INKREAD_STEP

// What epilogue_params.h says, for one result of channel `column` in image `image`, pixel `pixel` (counted over all
// images); num_columns is the number of channels.
float Epilogue(double sum, const EpilogueParams& epilogue, const HostOperands& o, uint64_t image, uint64_t pixel,
               uint64_t column, uint64_t num_columns);

}  // namespace inkread::reference

#endif  // INKREAD_BACKENDS_REFERENCE_KERNELS_H_
