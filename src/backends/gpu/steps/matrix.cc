#include "backends/gpu/steps/matrix.h"

#include <algorithm>

#include "backends/gpu/steps/vectors.h"
#include "base/round.h"
#include "base/status.h"

namespace inkread::gpu {
namespace {

void SpecialiseOperands(const Product& product, const Step& step, const GpuTraits& traits, MatrixVariant& variant) {
  const Operand& x = step.reads[0];
  const Operand& y = step.writes[0];
  const uint32_t weight_bytes = traits.weights_form == INKREAD_WEIGHTS_F32 ? 4 : 2;
  const uint32_t activation = step.epilogue.activation;
  variant.x_aligned_8 = product.ic % 8 == 0 && product.x_ld % 8 == 0 && BeginsAligned(8, ElementBytes(x.element), x);
  variant.weights_aligned_8 = BeginsAligned(8, weight_bytes, step.weights[0]);
  variant.y_aligned_4 = product.oc % 4 == 0 && product.y_ld % 4 == 0 && IsAligned(4, step.reads[1]) &&
                        IsAligned(4, step.reads[2]) && BeginsAligned(4, 4, step.weights[1]) &&
                        BeginsAligned(4, ElementBytes(y.element), y);
  variant.is_pointwise = step.kind() == StepKind::kConv && product.rows_are_pixels;
  variant.simple_activation = activation == INKREAD_ACTIVATION_NONE || activation == INKREAD_ACTIVATION_RELU ||
                              activation == INKREAD_ACTIVATION_GELU;
}

}  // namespace

MatrixVariant VariantFor(const MatrixTile& tile, const Product& product, const Step& step, const GpuTarget& target) {
  MatrixVariant variant = tile.variant;
  const MatrixTuning& tuning = target.tuning.matrix;
  if (tuning.specialises_operands) SpecialiseOperands(product, step, target.traits, variant);
  if (tuning.direct_block != 0) {
    variant.loads_directly =
        product.rows_are_pixels && product.rows >= tuning.direct_block && product.ic % tuning.direct_block == 0;
  }
  return variant;
}

// A workgroup's time goes with its products and with what it loads for them. Workgroups that the device has room for
// cost nothing more.
Phase ProductPhase(const Product& product, const Step& step, const GpuTarget& target) {
  const MatrixTuning& tuning = target.tuning.matrix;
  const MatrixTile* best = nullptr;
  uint64_t best_workgroups = 0, min_cost = UINT64_MAX;
  for (const MatrixTile& tile : tuning.tiles) {
    const uint64_t workgroups = DivideUp(product.rows, tile.rows) * DivideUp(product.columns, tile.columns);
    const uint64_t each = uint64_t{tile.rows} * tile.columns + uint64_t{tuning.load_cost} * (tile.rows + tile.columns);
    const uint64_t cost = std::max<uint64_t>(workgroups, target.traits.min_busy_workgroups) * each;
    if (cost >= min_cost) continue;
    min_cost = cost;
    best = &tile;
    best_workgroups = workgroups;
  }
  INKREAD_CHECK(best != nullptr);
  return {VariantFor(*best, product, step, target), best_workgroups, best->variant.threads};
}

}  // namespace inkread::gpu
