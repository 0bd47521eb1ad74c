// The constants that kernels are compiled with.
#include "backends/gpu/steps/variant.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace inkread::gpu {
namespace {

TEST(VariantTest, AnIdMeansTheSameInEveryKind) {
  std::map<uint32_t, std::set<std::string>> names;
#define INKREAD_NAME(name, id) names[id].insert(#name);
  INKREAD_VECTOR_VARIANT(INKREAD_NAME)
  INKREAD_MATRIX_VARIANT(INKREAD_NAME)
  INKREAD_CTC_HEAD_VARIANT(INKREAD_NAME)
  INKREAD_DEPTHWISE_CONV_VARIANT(INKREAD_NAME)
  INKREAD_GLOBAL_POOL_VARIANT(INKREAD_NAME)
  INKREAD_SQUEEZE_EXCITE_VARIANT(INKREAD_NAME)
  INKREAD_COPY_VARIANT(INKREAD_NAME)
  INKREAD_IMAGE_VARIANT(INKREAD_NAME)
#undef INKREAD_NAME
  EXPECT_FALSE(names.contains(INKREAD_CONSTANT_VALUES_ARE_F16));  // every kernel's
  std::set<std::string> all;
  for (const auto& [id, of_id] : names) {
    EXPECT_LT(id, uint32_t{INKREAD_NUM_CONSTANTS});
    EXPECT_EQ(of_id.size(), 1u) << id;
    all.insert(*of_id.begin());
  }
  EXPECT_EQ(names.size(), size_t{INKREAD_NUM_CONSTANTS - 1});
  EXPECT_EQ(all.size(), names.size());  // nor has a name two ids
}

TEST(VariantTest, AKernelGetsTheConstantsOfItsKind) {
  const DepthwiseConvVariant step = {.vector_width = 4, .kw = 5, .stride_w = 2, .run = 8};
  std::map<uint32_t, uint32_t> values;
  const std::vector<KernelConstant> constants =
      ConstantsOf({StepKind::kDepthwiseConv, step, INKREAD_ELEMENT_F16, INKREAD_ELEMENT_F16});
  for (const KernelConstant& constant : constants) values[constant.id] = constant.value;
  const std::map<uint32_t, uint32_t> expected = {{INKREAD_CONSTANT_VALUES_ARE_F16, 1},
                                                 {INKREAD_CONSTANT_VECTOR_WIDTH, 4},
                                                 {INKREAD_CONSTANT_KW, 5},
                                                 {INKREAD_CONSTANT_STRIDE_W, 2},
                                                 {INKREAD_CONSTANT_RUN, 8}};
  EXPECT_EQ(values, expected);
  EXPECT_EQ(ConstantsOf({StepKind::kSoftmax, {}}).size(), 1u);
}

TEST(VariantTest, VariantsThatDifferInAConstantDiffer) {
  const KernelVariant small = {StepKind::kConv, MatrixVariant{.thread_rows = 2}};
  KernelVariant large = small;
  EXPECT_EQ(large, small);
  std::get<MatrixVariant>(large.step).thread_rows = 4;
  EXPECT_NE(large, small);
  EXPECT_LT(small, large);
}

}  // namespace
}  // namespace inkread::gpu
