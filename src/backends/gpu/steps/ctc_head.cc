#include "backends/gpu/steps/matrix.h"
#include "base/round.h"

namespace inkread::gpu {
namespace {

constexpr uint64_t kBestWords = 3;  // a row's best of a chunk: logit, sum of exp(l - logit), class

CtcHeadVariant VariantOf(const MatrixVariant& matrix, uint32_t phase, uint32_t chunk) {
  CtcHeadVariant variant;
#define INKREAD_COPY(name, id) variant.name = matrix.name;
  INKREAD_MATRIX_VARIANT(INKREAD_COPY)
#undef INKREAD_COPY
  variant.phase = phase;
  variant.chunk = chunk;
  return variant;
}

}  // namespace

// Phase 0: a workgroup takes a tile of rows and a chunk of classes, and leaves each row's best in scratch; behind these
// is the logit of each row's last class. Phase 1: a thread joins the chunks of a row.
Work WorkOf(const CtcHeadParams& p, const Step& step, const GpuTarget& target) {
  const auto& [tile, chunk] = target.tuning.ctc_head;
  const Product product = {p.rows, p.classes, p.ic, p.x_ld, p.classes, p.classes};
  const MatrixVariant matrix = VariantFor(tile, product, step, target);
  const uint64_t chunks = DivideUp(p.classes, chunk);
  const uint32_t threads = tile.variant.threads;
  const uint32_t join_threads = threads != 0 ? threads : target.traits.workgroup_size;
  return {.phases = {{VariantOf(matrix, 0, chunk), DivideUp(p.rows, tile.rows) * chunks, threads},
                     {VariantOf(matrix, 1, chunk), DivideUp(p.rows, join_threads), threads}},
          .operands = kPlainOperands,
          .scratch_words = uint64_t{p.rows} * (chunks * kBestWords + 1)};
}

}  // namespace inkread::gpu
