// One function a step kind, overloaded on its params; x.cc has the one for XParams.
#ifndef INKREAD_BACKENDS_REFERENCE_KERNELS_H_
#define INKREAD_BACKENDS_REFERENCE_KERNELS_H_

#include <cstring>

#include "base/bf16.h"
#include "base/f16.h"
#include "schedule/host_memory.h"

namespace inkread::reference {

#define INKREAD_STEP(kind, params, stem) \
  void RunStep(const params& p, const EpilogueParams& epilogue, const HostOperands& o);
#include "schedule/steps.inc"
#undef INKREAD_STEP

// Packed weights, read one by one.
struct PackedMatrix {
  uint32_t form, panel;
  uint64_t kh, kw, ic;

  // The weight of channel i under (ky, kx) of the window.
  float At(const float* w, uint64_t column, uint64_t ky, uint64_t kx, uint64_t i) const {
    if (form == INKREAD_WEIGHTS_F16) {
      const uint64_t at = ((column / panel * kh + ky) * kw * ic + kx * ic + i) * panel + column % panel;
      uint16_t value;
      std::memcpy(&value, reinterpret_cast<const char*>(w) + at * sizeof(value), sizeof(value));
      return FromF16(value);
    }
    const bool is_bf16 = form == INKREAD_WEIGHTS_BF16;
    const uint64_t rows = is_bf16 ? INKREAD_BF16_ROWS(kw, ic) : kw * ic;  // of a row of the window
    const uint64_t row = is_bf16 ? kx * ((ic + 1) / 2) + i / 2 : kx * ic + i;
    const float word = w[((column / panel * kh + ky) * rows + row) * panel + column % panel];
    if (!is_bf16) return word;
    const uint32_t bits = std::bit_cast<uint32_t>(word);
    return FromBf16(static_cast<uint16_t>(i % 2 == 0 ? bits : bits >> 16));
  }
};

// A term of a sum; w is rounded already.
inline double Product(uint32_t form, float x, float w) {
  if (form == INKREAD_WEIGHTS_BF16) x = RoundToBf16(x);
  if (form == INKREAD_WEIGHTS_F16) x = RoundToF16(x);
  return double{x} * w;
}

// What epilogue_params.h says, for one result of channel `column` in image `image`, pixel `pixel` (counted over all
// images); num_columns is the number of channels.
float Epilogue(double sum, const EpilogueParams& epilogue, const HostOperands& o, uint64_t image, uint64_t pixel,
               uint64_t column, uint64_t num_columns);

}  // namespace inkread::reference

#endif  // INKREAD_BACKENDS_REFERENCE_KERNELS_H_
