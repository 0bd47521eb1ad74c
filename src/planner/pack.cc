#include "planner/pack.h"

#include <algorithm>
#include <cstring>

#include "base/round.h"

namespace inkread {
namespace {

// Column `column` of row `row` of a matrix with `rows` rows goes to its place in panels.
inline uint64_t PanelIndex(uint64_t row, uint64_t column, uint64_t rows, uint32_t panel) {
  return (column / panel * rows + row) * panel + column % panel;
}

void Fill(const PackJob& job, float* out) {
  std::memset(out, 0, job.padded * sizeof(float));
  if (job.layout == PackJob::Layout::kOnes) {
    std::fill_n(out, job.padded, 1.0f);
    return;
  }
  if (job.source == nullptr) return;
  const std::span<const float> in = job.source->floats;
  const Dims& d = job.source->dims;
  switch (job.layout) {
    case PackJob::Layout::kPlain:
      std::copy(in.begin(), in.end(), out);
      break;
    case PackJob::Layout::kRepeated:
      for (uint32_t r = 0; r < job.repeat; ++r) std::copy(in.begin(), in.end(), out + r * in.size());
      break;
    case PackJob::Layout::kPanelsFromConv: {
      const uint64_t oc = d[0], ic = d[1], taps = d[2] * d[3];
      for (uint64_t o = 0; o < oc; ++o)
        for (uint64_t i = 0; i < ic; ++i)
          for (uint64_t t = 0; t < taps; ++t)
            out[PanelIndex(t * ic + i, o, taps * ic, job.panel)] = in[(o * ic + i) * taps + t];
      break;
    }
    case PackJob::Layout::kPanelsFromMatMul: {
      const uint64_t ic = d[0], oc = d[1];
      for (uint64_t i = 0; i < ic; ++i)
        for (uint64_t o = 0; o < oc; o += job.panel)
          std::copy_n(&in[i * oc + o], std::min<uint64_t>(job.panel, oc - o), &out[PanelIndex(i, o, ic, job.panel)]);
      break;
    }
    case PackJob::Layout::kPanelsFromTransposed: {
      const uint64_t ic = d[0], oc = d[1], taps = d[2] * d[3];
      for (uint64_t i = 0; i < ic; ++i)
        for (uint64_t o = 0; o < oc; ++o)
          for (uint64_t t = 0; t < taps; ++t)
            out[PanelIndex(i, t * oc + o, ic, job.panel)] = in[(i * oc + o) * taps + t];
      break;
    }
    case PackJob::Layout::kTapsFromDepthwise: {
      const uint64_t c = d[0], taps = d[2] * d[3];
      for (uint64_t i = 0; i < c; ++i)
        for (uint64_t t = 0; t < taps; ++t) out[t * c + i] = in[i * taps + t];
      break;
    }
    case PackJob::Layout::kTransposedFromPointwise: {
      const uint64_t oc = d[0], ic = d[1];
      for (uint64_t o = 0; o < oc; ++o)
        for (uint64_t i = 0; i < ic; ++i) out[i * oc + o] = in[o * ic + i];
      break;
    }
    case PackJob::Layout::kOnes:
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

uint64_t WeightPacker::AddPlain(const Tensor& t, uint64_t padded_to) {
  return Add({PackJob::Layout::kPlain, &t, 1, 1, std::max<uint64_t>(padded_to, t.num_elements())});
}
uint64_t WeightPacker::AddOnes(uint64_t count) { return Add({PackJob::Layout::kOnes, nullptr, 1, 1, count}); }
uint64_t WeightPacker::AddZeros(uint64_t count) { return Add({PackJob::Layout::kPlain, nullptr, 1, 1, count}); }
uint64_t WeightPacker::AddConv(const Tensor& t, uint32_t panel) {
  const uint64_t rows = t.dims[1] * t.dims[2] * t.dims[3];
  return Add({PackJob::Layout::kPanelsFromConv, &t, panel, 1, RoundUp(t.dims[0], panel) * rows});
}
uint64_t WeightPacker::AddMatMul(const Tensor& t, uint32_t panel) {
  return Add({PackJob::Layout::kPanelsFromMatMul, &t, panel, 1, RoundUp(t.dims[1], panel) * t.dims[0]});
}
uint64_t WeightPacker::AddConvTranspose(const Tensor& t, uint32_t panel) {
  const uint64_t columns = t.dims[1] * t.dims[2] * t.dims[3];
  return Add({PackJob::Layout::kPanelsFromTransposed, &t, panel, 1, RoundUp(columns, panel) * t.dims[0]});
}
uint64_t WeightPacker::AddDepthwise(const Tensor& t) {
  return Add({PackJob::Layout::kTapsFromDepthwise, &t, 1, 1, static_cast<uint64_t>(t.num_elements())});
}
uint64_t WeightPacker::AddPointwiseTransposed(const Tensor& t) {
  return Add({PackJob::Layout::kTransposedFromPointwise, &t, 1, 1, static_cast<uint64_t>(t.num_elements())});
}
uint64_t WeightPacker::AddRepeated(const Tensor& t, uint32_t repeat, uint32_t panel) {
  return Add({PackJob::Layout::kRepeated, &t, 1, repeat, RoundUp(t.num_elements() * repeat, panel)});
}

Result<AlignedBuffer> WeightPacker::Pack(uint64_t slack_bytes) const {
  AlignedBuffer block;
  INKREAD_RETURN_IF_ERROR(block.Reserve(size_bytes_ + slack_bytes));
  for (const PackJob& job : jobs_) Fill(job, reinterpret_cast<float*>(block.data() + job.offset_bytes));
  std::memset(block.data() + size_bytes_, 0, block.size_bytes() - size_bytes_);
  return block;
}

}  // namespace inkread
