// One function a step kind, overloaded on its params; x.cc has the one for XParams. Kernels() is made from those that
// are declared here.
#ifndef INKREAD_BACKENDS_REFERENCE_KERNELS_H_
#define INKREAD_BACKENDS_REFERENCE_KERNELS_H_

#include <array>
#include <bit>

#include "base/bf16.h"
#include "base/f16.h"
#include "schedule/host_memory.h"

namespace inkread::reference {

#define INKREAD_REFERENCE_RUNS(Params) \
  void RunStep(const Params& p, const EpilogueParams& epilogue, const HostOperands& o);
INKREAD_REFERENCE_RUNS(ConvParams)
INKREAD_REFERENCE_RUNS(DepthwiseConvParams)
INKREAD_REFERENCE_RUNS(ConvTransposeParams)
INKREAD_REFERENCE_RUNS(PoolParams)
INKREAD_REFERENCE_RUNS(GlobalPoolParams)
INKREAD_REFERENCE_RUNS(SqueezeExciteParams)
INKREAD_REFERENCE_RUNS(ElementwiseParams)
INKREAD_REFERENCE_RUNS(ResizeParams)
INKREAD_REFERENCE_RUNS(LayerNormParams)
INKREAD_REFERENCE_RUNS(AttentionParams)
INKREAD_REFERENCE_RUNS(SoftmaxParams)
INKREAD_REFERENCE_RUNS(CtcHeadParams)
INKREAD_REFERENCE_RUNS(CopyParams)
INKREAD_REFERENCE_RUNS(ImageResizeParams)
INKREAD_REFERENCE_RUNS(ImageWarpParams)
#undef INKREAD_REFERENCE_RUNS

// Runs a step of one kind; null if the kind has no kernel.
using Kernel = void (*)(const Step& step, const HostOperands& o);
using KernelTable = std::array<Kernel, kNumStepKinds>;  // by StepKind

const KernelTable& Kernels();

// Packed weights, read one by one.
struct PackedMatrix {
  uint32_t form, panel;
  uint64_t kh, kw, ic;

  // The weight of channel i under (ky, kx) of the window.
  float At(const HostOperand<const std::byte>& w, uint64_t column, uint64_t ky, uint64_t kx, uint64_t i) const {
    const bool is_bf16 = form == INKREAD_WEIGHTS_BF16;
    const uint64_t rows = is_bf16 ? INKREAD_BF16_ROWS(kw, ic) : kw * ic;  // of a row of the window
    const uint64_t row = is_bf16 ? kx * ((ic + 1) / 2) + i / 2 : kx * ic + i;
    const uint64_t at = ((column / panel * kh + ky) * rows + row) * panel + column % panel;
    if (form == INKREAD_WEIGHTS_F16) return FromF16(Values<uint16_t>(w)[at]);
    return is_bf16 ? FromBf16(Values<uint16_t>(w)[2 * at + i % 2]) : Values<float>(w)[at];
  }
};

// A term of a sum; w is rounded already.
inline double Product(uint32_t form, float x, float w) {
  if (form == INKREAD_WEIGHTS_BF16) x = RoundToBf16(x);
  if (form == INKREAD_WEIGHTS_F16) x = RoundToF16(x);
  return double{x} * w;
}

// The epilogue (epilogue_params.h) of one result of channel `column` in image `image`, pixel `pixel` (counted over all
// images); num_columns is the number of channels.
float Epilogue(double sum, const EpilogueParams& epilogue, const HostOperands& o, uint64_t image, uint64_t pixel,
               uint64_t column, uint64_t num_columns);

}  // namespace inkread::reference

#endif  // INKREAD_BACKENDS_REFERENCE_KERNELS_H_
