#include "planner/ops/op.h"

#include <iterator>

#include "planner/ops/families.h"

namespace inkread {
namespace {

constexpr EpilogueSupport kFull = EpilogueSupport::kFull;

constexpr PlannedOp Activation(OpType op, uint32_t activation) {
  return {.op = op,
          .start = StartActivation,
          .lower = LowerElementwise,
          .epilogue = kFull,
          .part = EpiloguePart::kActivation,
          .activation = activation,
          .writes_slices = true};
}

constexpr PlannedOp ViewOf(OpType op, Result<View> (*view)(ScheduleBuilder&, const Node&, const View&)) {
  return {.op = op, .view = view};
}

// Passes and fusions turn such nodes into others; the planner refuses those that are left.
constexpr PlannedOp NoStep(OpType op) { return {.op = op}; }

// In the order of OpType.
constexpr PlannedOp kOps[] = {
    {.op = OpType::kAdd,
     .start = StartAdd,
     .pack = PackAdd,
     .lower = LowerElementwise,
     .epilogue = kFull,
     .part = EpiloguePart::kResidual,
     .writes_slices = true},
    {.op = OpType::kAveragePool, .start = StartPool, .lower = LowerPool, .writes_slices = true},
    NoStep(OpType::kBatchNormalization),
    NoStep(OpType::kCast),
    Activation(OpType::kClip, INKREAD_ACTIVATION_CLIP),
    {.op = OpType::kConcat, .start = StartConcat, .lower = LowerConcat},
    {.op = OpType::kConv,
     .start = StartConv,
     .pack = PackConv,
     .lower = LowerConv,
     .epilogue = kFull,
     .writes_slices = true},
    {.op = OpType::kConvTranspose,
     .start = StartConvTranspose,
     .pack = PackConvTranspose,
     .lower = LowerConvTranspose,
     .epilogue = kFull,
     .writes_slices = true},
    NoStep(OpType::kDiv),
    NoStep(OpType::kErf),
    ViewOf(OpType::kGather, ViewGather),
    NoStep(OpType::kGemm),
    {.op = OpType::kGlobalAveragePool, .lower = LowerGlobalPool},
    Activation(OpType::kHardSigmoid, INKREAD_ACTIVATION_HARD_SIGMOID),
    Activation(OpType::kHardSwish, INKREAD_ACTIVATION_HARD_SWISH),
    ViewOf(OpType::kIdentity, ViewReshape),
    {.op = OpType::kMatMul,
     .start = StartMatMul,
     .pack = PackMatMul,
     .lower = LowerMatMul,
     .epilogue = EpilogueSupport::kWithoutGate,
     .writes_slices = true},
    {.op = OpType::kMaxPool, .start = StartPool, .lower = LowerPool, .writes_slices = true},
    {.op = OpType::kMul,
     .start = StartMul,
     .lower = LowerElementwise,
     .epilogue = kFull,
     .part = EpiloguePart::kGate,
     .writes_slices = true},
    NoStep(OpType::kPad),
    NoStep(OpType::kPow),
    {.op = OpType::kReduceMean, .start = StartReduceMean, .lower = LowerGlobalPool},
    Activation(OpType::kRelu, INKREAD_ACTIVATION_RELU),
    ViewOf(OpType::kReshape, ViewReshape),
    {.op = OpType::kResize, .start = StartResize, .lower = LowerResize, .epilogue = kFull, .writes_slices = true},
    NoStep(OpType::kShape),
    Activation(OpType::kSigmoid, INKREAD_ACTIVATION_SIGMOID),
    ViewOf(OpType::kSlice, ViewSlice),
    {.op = OpType::kSoftmax, .start = StartSoftmax, .lower = LowerSoftmax},
    NoStep(OpType::kSqrt),
    ViewOf(OpType::kSqueeze, ViewReshape),
    NoStep(OpType::kSub),
    ViewOf(OpType::kTranspose, ViewTranspose),
    ViewOf(OpType::kUnsqueeze, ViewReshape),
    Activation(OpType::kGelu, INKREAD_ACTIVATION_GELU),
    Activation(OpType::kSwish, INKREAD_ACTIVATION_SWISH),
    Activation(OpType::kAffine, INKREAD_ACTIVATION_AFFINE),
    {.op = OpType::kLayerNorm, .pack = PackLayerNorm, .lower = LowerLayerNorm},
    {.op = OpType::kAttention, .lower = LowerAttention},
    {.op = OpType::kSqueezeExcite, .pack = PackSqueezeExcite, .lower = LowerSqueezeExcite},
};

constexpr bool IsInOrder() {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    if (static_cast<size_t>(kOps[i].op) != i) return false;
  }
  return true;
}
static_assert(std::size(kOps) == kNumOpTypes && IsInOrder(), "kOps has one row for each OpType, in its order");

}  // namespace

const PlannedOp& PlannedOpOf(OpType op) { return kOps[static_cast<size_t>(op)]; }

}  // namespace inkread
