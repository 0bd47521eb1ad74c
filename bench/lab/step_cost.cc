#include "bench/lab/step_cost.h"

namespace inkread::lab {
namespace {

uint64_t Macs(const ConvParams& p) { return uint64_t{p.n} * p.oh * p.ow * p.oc * p.kh * p.kw * p.ic; }
uint64_t Macs(const DepthwiseConvParams& p) { return uint64_t{p.n} * p.oh * p.ow * p.c * p.kh * p.kw; }
uint64_t Macs(const ConvTransposeParams& p) { return uint64_t{p.n} * p.ih * p.iw * p.kh * p.kw * p.oc * p.ic; }
uint64_t Macs(const SqueezeExciteParams& p) { return uint64_t{2} * p.n * p.c * p.mid; }
uint64_t Macs(const AttentionParams& p) { return uint64_t{2} * p.n * p.t * p.t * p.heads * p.d; }
uint64_t Macs(const CtcHeadParams& p) { return uint64_t{p.rows} * p.classes * p.ic; }
uint64_t Macs(const PoolParams&) { return 0; }
uint64_t Macs(const GlobalPoolParams&) { return 0; }
uint64_t Macs(const ElementwiseParams&) { return 0; }
uint64_t Macs(const ResizeParams&) { return 0; }
uint64_t Macs(const LayerNormParams&) { return 0; }
uint64_t Macs(const SoftmaxParams&) { return 0; }
uint64_t Macs(const CopyParams&) { return 0; }
uint64_t Macs(const ImageResizeParams&) { return 0; }
uint64_t Macs(const ImageWarpParams&) { return 0; }
uint64_t Macs(const std::monostate&) { return 0; }

template <typename Operands>
uint64_t Bytes(const Operands& operands) {
  uint64_t bytes = 0;
  for (const Operand& o : operands) {
    if (o.present()) bytes += o.shape.num_pixels() * o.shape.c * 4;
  }
  return bytes;
}

}  // namespace

uint64_t StepMacs(const Step& step) {
  return std::visit([](const auto& params) { return Macs(params); }, step.params);
}

uint64_t StepBytes(const Step& step) { return Bytes(step.reads) + Bytes(step.weights) + Bytes(step.writes); }

}  // namespace inkread::lab
