// Drafts put together by hand, for the tests of the passes.
#ifndef INKREAD_PLANNER_DRAFT_TEST_DRAFT_H_
#define INKREAD_PLANNER_DRAFT_TEST_DRAFT_H_

#include <string>
#include <utility>
#include <vector>

#include "planner/draft/draft.h"

namespace inkread {

class TestDraft {
 public:
  static constexpr Shape kShape = {1, 4, 4, 8};  // of buffers where no other is given: 512 bytes in f32
  static constexpr uint64_t kBytes = 512;

  int Buffer(const Shape& shape = kShape, Space space = Space::kArena) {
    draft_.buffers.push_back({space, shape});
    return static_cast<int>(draft_.buffers.size()) - 1;
  }
  int Input() {
    draft_.schedule.input = kShape;
    return Buffer(kShape, Space::kInput);
  }
  int Output() {
    draft_.schedule.output = kShape;
    return Buffer(kShape, Space::kOutput);
  }
  // The whole of a buffer, and some of its channels.
  Pixels Whole(int buffer) const { return Slice(buffer, 0, draft_.buffers[buffer].shape.c); }
  Pixels Slice(int buffer, uint32_t first, uint32_t channels) const {
    Shape shape = draft_.buffers[buffer].shape;
    const uint32_t ld = shape.c;
    shape.c = channels;
    return {buffer, first, shape, ld};
  }

  // y = relu(x), y = x + residual
  DraftStep& Relu(const Pixels& x, const Pixels& y) {
    DraftStep& s = Add("relu", x, y);
    s.step.params = ElementwiseParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, x.ld, y.ld};
    s.step.epilogue.activation = INKREAD_ACTIVATION_RELU;
    s.SetFacts();
    return s;
  }
  DraftStep& Relu(int x, int y) { return Relu(Whole(x), Whole(y)); }
  DraftStep& Sum(int x, int residual, int y) {
    DraftStep& s = Relu(x, y);
    s.step.epilogue = {};
    AddResidual(s, residual);
    s.SetFacts();
    return s;
  }
  // A window of 3 x 3 over x; the kinds with a residual differ in whether they may write over it.
  DraftStep& Conv(int x, int y, int residual = -1) {
    DraftStep& s = Add("conv", Whole(x), Whole(y));
    const Shape& d = kShape;
    s.step.params = ConvParams{d.n, d.h, d.w, d.c, d.h, d.w, d.c, 3, 3, 1, 1, 1, 1, d.c, d.c, 8, INKREAD_WEIGHTS_F32};
    s.Weights(0, 0, uint64_t{9} * d.c * d.c);
    AddResidual(s, residual);
    s.SetFacts();
    return s;
  }
  DraftStep& Depthwise(int x, int y, int residual = -1) {
    DraftStep& s = Add("depthwise", Whole(x), Whole(y));
    const Shape& d = kShape;
    s.step.params = DepthwiseConvParams{d.n, d.h, d.w, d.c, d.h, d.w, 3, 3, 1, 1, 1, 1, d.c, d.c};
    s.Weights(0, 0, uint64_t{9} * d.c);
    AddResidual(s, residual);
    s.SetFacts();
    return s;
  }
  DraftStep& Softmax(int x, int y) {
    DraftStep& s = Add("softmax", Whole(x), Whole(y));
    const auto rows = static_cast<uint32_t>(kShape.num_pixels());
    s.step.params = SoftmaxParams{rows, kShape.c, kShape.c, kShape.c};
    s.SetFacts();
    return s;
  }

  DraftSchedule& draft() { return draft_; }
  const Step& step(size_t i) const { return draft_.steps[i].step; }

  // "conv relu": the steps in order.
  std::string Order() const {
    std::string text;
    for (const DraftStep& s : draft_.steps) text += (text.empty() ? "" : " ") + s.step.node;
    return text;
  }
  std::vector<uint32_t> Levels() const {
    std::vector<uint32_t> levels;
    for (const DraftStep& s : draft_.steps) levels.push_back(s.step.level);
    return levels;
  }

 private:
  DraftStep& Add(const char* node, const Pixels& x, const Pixels& y) {
    DraftStep& s = draft_.steps.emplace_back();
    s.step.node = node;
    s.Read(0, x);
    s.Write(0, y);
    return s;
  }
  void AddResidual(DraftStep& s, int residual) const {
    if (residual < 0) return;
    s.step.epilogue.has_residual = 1;
    s.step.epilogue.residual_ld = draft_.buffers[residual].shape.c;
    s.Read(2, Whole(residual));
  }

  DraftSchedule draft_;
};

}  // namespace inkread

#endif  // INKREAD_PLANNER_DRAFT_TEST_DRAFT_H_
