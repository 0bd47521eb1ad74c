#include <algorithm>
#include <cmath>

#include "backends/reference/kernels.h"
#include "base/status.h"

namespace inkread::reference {
namespace {

double Activation(double v, const EpilogueParams& e) {
  const double alpha = e.alpha, beta = e.beta;
  switch (e.activation) {
    case INKREAD_ACTIVATION_NONE:
      return v;
    case INKREAD_ACTIVATION_RELU:
      return std::max(v, 0.0);
    case INKREAD_ACTIVATION_GELU:
      return v * 0.5 * (1 + std::erf(v / std::sqrt(2.0)));
    case INKREAD_ACTIVATION_HARD_SIGMOID:
      return std::clamp(alpha * v + beta, 0.0, 1.0);
    case INKREAD_ACTIVATION_HARD_SWISH:
      return v * std::clamp(alpha * v + beta, 0.0, 1.0) * double{e.scale} + double{e.offset};
    case INKREAD_ACTIVATION_SIGMOID:
      return 1 / (1 + std::exp(-v));
    case INKREAD_ACTIVATION_SWISH:
      return v / (1 + std::exp(-v));
    case INKREAD_ACTIVATION_CLIP:
      return std::min(std::max(v, alpha), beta);
    case INKREAD_ACTIVATION_AFFINE:
      return v * double{e.scale} + double{e.offset};
  }
  INKREAD_CHECK(e.activation < INKREAD_NUM_ACTIVATIONS);
  return v;
}

}  // namespace

float Epilogue(double sum, const EpilogueParams& e, const HostOperands& o, uint64_t image, uint64_t pixel,
               uint64_t column, uint64_t num_columns) {
  double v = sum;
  if (e.has_bias) v += Values<float>(o.weights[1])[column];
  v = Activation(v, e);
  if (e.has_gate) v *= Values<float>(o.reads[1])[image * num_columns + column];
  if (e.has_residual) v += Values<float>(o.reads[2])[pixel * e.residual_ld + column];
  return static_cast<float>(v);
}

}  // namespace inkread::reference
