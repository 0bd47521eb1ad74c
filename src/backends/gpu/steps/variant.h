// A kernel's variant: what one compiled kernel differs in from the others of its kind. Each kind's fields are the
// constants of its list in kernel_constants.h, which says what they mean.
#ifndef INKREAD_BACKENDS_GPU_STEPS_VARIANT_H_
#define INKREAD_BACKENDS_GPU_STEPS_VARIANT_H_

#include <compare>
#include <cstdint>
#include <variant>
#include <vector>

#include "backends/gpu/steps/kernel_constants.h"
#include "schedule/step.h"

namespace inkread::gpu {

#define INKREAD_FIELD(name, id) uint32_t name = 0;
#define INKREAD_VARIANT(Name, LIST)                \
  struct Name {                                    \
    LIST(INKREAD_FIELD)                            \
    auto operator<=>(const Name&) const = default; \
  };
INKREAD_VARIANT(VectorVariant, INKREAD_VECTOR_VARIANT)  // pool, elementwise, resize, layer_norm
INKREAD_VARIANT(MatrixVariant, INKREAD_MATRIX_VARIANT)  // conv, conv_transpose
INKREAD_VARIANT(CtcHeadVariant, INKREAD_CTC_HEAD_VARIANT)
INKREAD_VARIANT(DepthwiseConvVariant, INKREAD_DEPTHWISE_CONV_VARIANT)
INKREAD_VARIANT(GlobalPoolVariant, INKREAD_GLOBAL_POOL_VARIANT)
INKREAD_VARIANT(SqueezeExciteVariant, INKREAD_SQUEEZE_EXCITE_VARIANT)
INKREAD_VARIANT(CopyVariant, INKREAD_COPY_VARIANT)
INKREAD_VARIANT(ImageVariant, INKREAD_IMAGE_VARIANT)  // image_resize, image_warp
#undef INKREAD_VARIANT
#undef INKREAD_FIELD

// softmax and attention have no constants of their own.
using StepVariant = std::variant<std::monostate, VectorVariant, MatrixVariant, CtcHeadVariant, DepthwiseConvVariant,
                                 GlobalPoolVariant, SqueezeExciteVariant, CopyVariant, ImageVariant>;

struct KernelVariant {
  StepKind kind{};
  StepVariant step;
  uint32_t element = INKREAD_ELEMENT_F32;    // of read 0 (schedule/steps/element.h)
  uint32_t y_element = INKREAD_ELEMENT_F32;  // of write 0: another one only where copy changes it, and f32 of ctc_head
  auto operator<=>(const KernelVariant&) const = default;
};

// A constant's id (kernel_constants.h) and value.
struct KernelConstant {
  uint32_t id = 0, value = 0;
};

// What a backend compiles the variant's kernel with.
std::vector<KernelConstant> ConstantsOf(const KernelVariant& variant);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_STEPS_VARIANT_H_
