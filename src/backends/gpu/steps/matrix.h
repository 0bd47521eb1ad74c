// Matrix products: which tile a step takes, and what its kernel is specialised on.
#ifndef INKREAD_BACKENDS_GPU_STEPS_MATRIX_H_
#define INKREAD_BACKENDS_GPU_STEPS_MATRIX_H_

#include "backends/gpu/steps/work.h"

namespace inkread::gpu {

// A step as a product of x's rows by packed columns of weights.
struct Product {
  uint64_t rows = 0, columns = 0;
  uint32_t ic = 0, x_ld = 0, oc = 0, y_ld = 0;  // those of the params
  bool rows_are_pixels = true;                  // row m is made of pixel m of x alone
};

// The tile's variant, specialised for the product's operands.
MatrixVariant VariantFor(const MatrixTile& tile, const Product& product, const Step& step, const GpuTarget& target);

// All tiles of the product, of the size that should be done first.
Phase ProductPhase(const Product& product, const Step& step, const GpuTarget& target);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_STEPS_MATRIX_H_
