#include "planner/pack.h"

#include <algorithm>
#include <cstring>

#include "base/bf16.h"
#include "base/f16.h"
#include "base/round.h"

namespace inkread {
namespace {

// Puts weights into panels. The place of a weight is the sum of what its column, its tap (ky * kw + kx) and its channel
// add. Places count weights, or words of two weights in BF16.
class PanelWriter {
 public:
  PanelWriter(const PanelForm& form, uint64_t kh, uint64_t kw, uint64_t ic, float* out)
      : form_(form.weights_form),
        panel_(form.panel),
        kh_(kh),
        kw_(kw),
        tap_rows_(form_ == INKREAD_WEIGHTS_BF16 ? (ic + 1) / 2 : ic),
        window_rows_(form_ == INKREAD_WEIGHTS_BF16 ? INKREAD_BF16_ROWS(kw, ic) : kw * ic),
        out_(out) {}

  uint64_t Column(uint64_t column) const { return column / panel_ * panel_ * kh_ * window_rows_ + column % panel_; }
  uint64_t Tap(uint64_t tap) const { return (tap / kw_ * window_rows_ + tap % kw_ * tap_rows_) * panel_; }
  // at  Column() + Tap()
  void Put(uint64_t at, uint64_t i, float value) const {
    if (form_ == INKREAD_WEIGHTS_BF16) {
      Put16((at + i / 2 * panel_) * 2 + i % 2, ToBf16(value));
    } else if (form_ == INKREAD_WEIGHTS_F16) {
      Put16(at + i * panel_, ToF16(value));
    } else {
      out_[at + i * panel_] = value;
    }
  }

 private:
  void Put16(uint64_t at, uint16_t value) const {
    std::memcpy(reinterpret_cast<char*>(out_) + at * sizeof(value), &value, sizeof(value));
  }

  const uint32_t form_;
  const uint64_t panel_, kh_, kw_, tap_rows_, window_rows_;
  float* const out_;
};

void FillFromConv(const PackJob& job, float* out) {
  const std::span<const float> in = job.source->floats;
  const Dims& d = job.source->dims;
  const uint64_t oc = d[0], ic = d[1], taps = d[2] * d[3];
  const PanelWriter writer(job.form, d[2], d[3], ic, out);
  for (uint64_t o = 0; o < oc; ++o)
    for (uint64_t t = 0; t < taps; ++t) {
      const uint64_t at = writer.Column(o) + writer.Tap(t);
      for (uint64_t i = 0; i < ic; ++i) writer.Put(at, i, in[(o * ic + i) * taps + t]);
    }
}

void FillFromMatMul(const PackJob& job, float* out) {
  const std::span<const float> in = job.source->floats;
  const uint64_t ic = job.source->dims[0], oc = job.source->dims[1];
  const PanelWriter writer(job.form, 1, 1, ic, out);
  for (uint64_t first = 0; first < oc; first += job.form.panel)
    for (uint64_t i = 0; i < ic; ++i)
      for (uint64_t o = first; o < std::min<uint64_t>(first + job.form.panel, oc); ++o)
        writer.Put(writer.Column(first) + o - first, i, in[i * oc + o]);
}

void FillFromTransposed(const PackJob& job, float* out) {
  const std::span<const float> in = job.source->floats;
  const Dims& d = job.source->dims;
  const uint64_t ic = d[0], oc = d[1], taps = d[2] * d[3];
  const PanelWriter writer(job.form, 1, 1, ic, out);
  for (uint64_t o = 0; o < oc; ++o)
    for (uint64_t t = 0; t < taps; ++t) {
      const uint64_t at = writer.Column(t * oc + o);
      for (uint64_t i = 0; i < ic; ++i) writer.Put(at, i, in[(i * oc + o) * taps + t]);
    }
}

// [rows, columns] -> [columns, rows]
void FillTransposed(std::span<const float> in, uint64_t rows, uint64_t columns, float* out) {
  for (uint64_t r = 0; r < rows; ++r)
    for (uint64_t c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
}

void Fill(const PackJob& job, float* out) {
  using Layout = PackJob::Layout;
  std::memset(out, 0, job.padded * sizeof(float));
  if (job.layout == Layout::kOnes) {
    std::fill_n(out, job.padded, 1.0f);
    return;
  }
  if (job.source == nullptr) return;
  const std::span<const float> in = job.source->floats;
  const Dims& d = job.source->dims;
  switch (job.layout) {
    case Layout::kPlain:
      std::copy(in.begin(), in.end(), out);
      break;
    case Layout::kRepeated:
      for (uint32_t r = 0; r < job.repeat; ++r) std::copy(in.begin(), in.end(), out + r * in.size());
      break;
    case Layout::kPanelsFromConv:
      FillFromConv(job, out);
      break;
    case Layout::kPanelsFromMatMul:
      FillFromMatMul(job, out);
      break;
    case Layout::kPanelsFromTransposed:
      FillFromTransposed(job, out);
      break;
    case Layout::kTapsFromDepthwise:
      FillTransposed(in, d[0], d[2] * d[3], out);
      break;
    case Layout::kTransposedFromPointwise:
      FillTransposed(in, d[0], d[1], out);
      break;
    case Layout::kOnes:
      break;
  }
}

}  // namespace

uint64_t WeightPacker::Add(PackJob job) {
  job.offset_bytes = size_bytes_;
  size_bytes_ = RoundUp(size_bytes_ + job.padded * sizeof(float), AlignedBuffer::kAlignment);
  jobs_.push_back(job);
  return job.offset_bytes;
}

uint64_t WeightPacker::AddPanels(PackJob::Layout layout, const Tensor& t, const PanelForm& form, uint64_t columns,
                                 std::array<uint64_t, 3> window) {
  const uint64_t words =
      PackedWeightWords(form.weights_form, RoundUp(columns, form.panel), window[0], window[1], window[2]);
  return Add({.layout = layout, .source = &t, .form = form, .padded = words});
}

uint64_t WeightPacker::AddPlain(const Tensor& t, uint64_t padded_to) {
  return Add({.source = &t, .padded = std::max<uint64_t>(padded_to, t.num_elements())});
}
uint64_t WeightPacker::AddOnes(uint64_t count) { return Add({.layout = PackJob::Layout::kOnes, .padded = count}); }
uint64_t WeightPacker::AddZeros(uint64_t count) { return Add({.padded = count}); }
uint64_t WeightPacker::AddConv(const Tensor& t, const PanelForm& form) {
  const auto size = [&t](int i) { return static_cast<uint64_t>(t.dims[i]); };
  return AddPanels(PackJob::Layout::kPanelsFromConv, t, form, size(0), {size(2), size(3), size(1)});
}
uint64_t WeightPacker::AddMatMul(const Tensor& t, const PanelForm& form) {
  const auto size = [&t](int i) { return static_cast<uint64_t>(t.dims[i]); };
  return AddPanels(PackJob::Layout::kPanelsFromMatMul, t, form, size(1), {1, 1, size(0)});
}
uint64_t WeightPacker::AddConvTranspose(const Tensor& t, const PanelForm& form) {
  const auto size = [&t](int i) { return static_cast<uint64_t>(t.dims[i]); };
  return AddPanels(PackJob::Layout::kPanelsFromTransposed, t, form, size(1) * size(2) * size(3), {1, 1, size(0)});
}
uint64_t WeightPacker::AddDepthwise(const Tensor& t) {
  return Add(
      {.layout = PackJob::Layout::kTapsFromDepthwise, .source = &t, .padded = static_cast<uint64_t>(t.num_elements())});
}
uint64_t WeightPacker::AddPointwiseTransposed(const Tensor& t) {
  return Add({.layout = PackJob::Layout::kTransposedFromPointwise,
              .source = &t,
              .padded = static_cast<uint64_t>(t.num_elements())});
}
uint64_t WeightPacker::AddRepeated(const Tensor& t, uint32_t repeat, uint32_t panel) {
  return Add({.layout = PackJob::Layout::kRepeated,
              .source = &t,
              .repeat = repeat,
              .padded = RoundUp(t.num_elements() * repeat, panel)});
}
uint64_t WeightPacker::AddBias(const Tensor* bias, uint64_t num_channels, uint32_t repeat, uint32_t panel) {
  return bias != nullptr ? AddRepeated(*bias, repeat, panel) : AddZeros(RoundUp(num_channels * repeat, panel));
}

Result<AlignedBuffer> WeightPacker::Pack(uint64_t slack_bytes) const {
  AlignedBuffer block;
  INKREAD_RETURN_IF_ERROR(block.Reserve(size_bytes_ + slack_bytes));
  for (const PackJob& job : jobs_) Fill(job, reinterpret_cast<float*>(block.data() + job.offset_bytes));
  std::memset(block.data() + size_bytes_, 0, block.size_bytes() - size_bytes_);
  return block;
}

}  // namespace inkread
