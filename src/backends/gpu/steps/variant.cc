#include "backends/gpu/steps/variant.h"

namespace inkread::gpu {
namespace {

using Constants = std::vector<KernelConstant>;

void Add(const std::monostate&, Constants&) {}
#define INKREAD_ADD(name, id) constants.push_back({id, v.name});
void Add(const VectorVariant& v, Constants& constants) { INKREAD_VECTOR_VARIANT(INKREAD_ADD) }
void Add(const MatrixVariant& v, Constants& constants) { INKREAD_MATRIX_VARIANT(INKREAD_ADD) }
void Add(const CtcHeadVariant& v, Constants& constants) { INKREAD_CTC_HEAD_VARIANT(INKREAD_ADD) }
void Add(const DepthwiseConvVariant& v, Constants& constants) { INKREAD_DEPTHWISE_CONV_VARIANT(INKREAD_ADD) }
void Add(const GlobalPoolVariant& v, Constants& constants) { INKREAD_GLOBAL_POOL_VARIANT(INKREAD_ADD) }
void Add(const SqueezeExciteVariant& v, Constants& constants) { INKREAD_SQUEEZE_EXCITE_VARIANT(INKREAD_ADD) }
void Add(const CopyVariant& v, Constants& constants) { INKREAD_COPY_VARIANT(INKREAD_ADD) }
void Add(const ImageVariant& v, Constants& constants) { INKREAD_IMAGE_VARIANT(INKREAD_ADD) }
#undef INKREAD_ADD

}  // namespace

std::vector<KernelConstant> ConstantsOf(const KernelVariant& variant) {
  Constants constants = {{INKREAD_CONSTANT_VALUES_ARE_F16, variant.element == INKREAD_ELEMENT_F16}};
  std::visit([&constants](const auto& step) { Add(step, constants); }, variant.step);
  return constants;
}

}  // namespace inkread::gpu
