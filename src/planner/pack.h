// Weights in the layouts of the step contracts (schedule/steps/*_params.h), all in one block.
#ifndef INKREAD_PLANNER_PACK_H_
#define INKREAD_PLANNER_PACK_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "graph/graph.h"
#include "schedule/step.h"

namespace inkread {

// The layout of matrices for a device; the fields are those of DeviceCaps.
struct PanelForm {
  uint32_t panel = 16;
  uint32_t weights_form = INKREAD_WEIGHTS_F32;
};

// One tensor of the block.
struct PackJob {
  enum class Layout {
    kPlain,                    // copied, padded with zeros to `padded` words
    kPanelsFromConv,           // [oc, ic, kh, kw] -> [ceil(oc / panel), kh, kw, ic, panel], or as `form` says
    kPanelsFromMatMul,         // [ic, oc]         -> [ceil(oc / panel), ic, panel], or as `form` says
    kPanelsFromTransposed,     // [ic, oc, kh, kw] -> [ceil(kh * kw * oc / panel), ic, panel], or as `form` says
    kTapsFromDepthwise,        // [c, 1, kh, kw]   -> [kh, kw, c]
    kTransposedFromPointwise,  // [oc, ic, 1, 1] -> [ic, oc]
    kRepeated,                 // [oc] repeated `repeat` times, padded
    kOnes,                     // 1.0, `padded` times; no source
  };
  Layout layout = Layout::kPlain;
  const Tensor* source = nullptr;
  PanelForm form{};
  uint32_t repeat = 1;
  uint64_t padded = 0;  // words at the destination
  uint64_t offset_bytes = 0;
};

// Assigns offsets, and keeps the jobs until the block is made.
class WeightPacker {
 public:
  // Each returns the offset of its tensor in the block, in bytes, a multiple of 64.
  uint64_t AddPlain(const Tensor& t, uint64_t padded_to = 0);
  uint64_t AddOnes(uint64_t count);
  uint64_t AddZeros(uint64_t count);
  uint64_t AddConv(const Tensor& t, const PanelForm& form);
  uint64_t AddMatMul(const Tensor& t, const PanelForm& form);
  uint64_t AddConvTranspose(const Tensor& t, const PanelForm& form);
  uint64_t AddDepthwise(const Tensor& t);
  uint64_t AddPointwiseTransposed(const Tensor& t);
  uint64_t AddRepeated(const Tensor& t, uint32_t repeat, uint32_t panel);
  // AddRepeated, or as many zeros where there is no bias. num_channels: the length of a bias.
  uint64_t AddBias(const Tensor* bias, uint64_t num_channels, uint32_t repeat, uint32_t panel);

  uint64_t size_bytes() const { return size_bytes_; }
  // The block, with `slack_bytes` of zeros behind it.
  Result<AlignedBuffer> Pack(uint64_t slack_bytes) const;

 private:
  uint64_t Add(PackJob job);
  // window  kh, kw, ic
  uint64_t AddPanels(PackJob::Layout layout, const Tensor& t, const PanelForm& form, uint64_t columns,
                     std::array<uint64_t, 3> window);
  std::vector<PackJob> jobs_;
  uint64_t size_bytes_ = 0;
};

}  // namespace inkread

#endif  // INKREAD_PLANNER_PACK_H_
