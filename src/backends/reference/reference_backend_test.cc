#include "backends/reference/reference_backend.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

std::shared_ptr<Schedule> ElementwiseAndSoftmax() {
  auto s = std::make_shared<Schedule>();
  s->network = "net.onnx";
  s->input = s->output = {1, 1, 2, 4};
  s->arena_bytes = 32;
  Step first, second;
  first.node = "Relu_0";
  first.params = ElementwiseParams{1, 1, 2, 4, 4, 4};
  first.epilogue.activation = INKREAD_ACTIVATION_RELU;
  first.reads[0] = {Space::kInput, 0, s->input, 4};
  first.writes[0] = {Space::kArena, 0, s->input, 4};
  second.level = 1;
  second.node = "Softmax_1";
  second.params = SoftmaxParams{2, 4, 4, 4};
  second.reads[0] = first.writes[0];
  second.writes[0] = {Space::kOutput, 0, s->output, 4};
  s->steps = {first, second};
  return s;
}

TEST(ReferenceBackendTest, EveryStepKindHasAKernel) {
  const auto backend = MakeReferenceBackend(16);
  for (int kind = 0; kind < kNumStepKinds; ++kind)
    EXPECT_TRUE(backend->Caps().has_step[kind]) << StepKindName(static_cast<StepKind>(kind));
}

TEST(ReferenceBackendTest, AStepWithoutAKernelIsNotInTheCapsAndRefusedByItsNodesName) {
  reference::KernelTable kernels = reference::Kernels();
  kernels[static_cast<size_t>(StepKind::kSoftmax)] = nullptr;
  const auto backend = MakeReferenceBackend(16, kernels);
  EXPECT_FALSE(backend->Caps().has_step[static_cast<size_t>(StepKind::kSoftmax)]);
  EXPECT_TRUE(backend->Caps().has_step[static_cast<size_t>(StepKind::kElementwise)]);
  const auto program = backend->Compile(ElementwiseAndSoftmax(), *backend->Upload({}, nullptr));
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(program.status().message(), "net.onnx: node 'Softmax_1': reference has no kernel for softmax");
}

}  // namespace
}  // namespace inkread
