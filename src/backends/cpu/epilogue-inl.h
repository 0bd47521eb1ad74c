// The epilogue (epilogue_params.h) applied to rows of sums that a kernel has just made and are still in the cache.
#include "backends/cpu/vector-inl.h"

#if defined(INKREAD_BACKENDS_CPU_EPILOGUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef INKREAD_BACKENDS_CPU_EPILOGUE_INL_H_
#undef INKREAD_BACKENDS_CPU_EPILOGUE_INL_H_
#else
#define INKREAD_BACKENDS_CPU_EPILOGUE_INL_H_
#endif

#include "schedule/host_memory.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// A block of rows of one image: sums in, results out, each part null where the step has none of it.
struct EpilogueBlock {
  const float* sums;
  size_t sums_ld;
  float* y;  // may be sums, or residual
  size_t y_ld;
  size_t rows;
  size_t columns;
  const float* bias;
  const float* gate;
  const float* residual;
  size_t residual_ld;
};

// One vector of columns, or `part` lanes of it.
template <int kActivation, bool kIsWhole>
HWY_INLINE void ApplyToColumns(const EpilogueBlock& b, const EpilogueParams& e, size_t c, size_t part) {
  if constexpr (kIsWhole) part = kLanes;
  const V alpha = hn::Set(kD, e.alpha), beta = hn::Set(kD, e.beta);
  const V bias = b.bias ? LoadPart(b.bias + c, part) : hn::Zero(kD);
  const V gate = b.gate ? LoadPart(b.gate + c, part) : hn::Zero(kD);
  const float* sums = b.sums + c;
  const float* residual = b.residual ? b.residual + c : nullptr;
  float* y = b.y + c;
  // Copies, since for all the compiler knows a store to y may change the block.
  const bool has_bias = b.bias != nullptr, has_gate = b.gate != nullptr;
  const size_t sums_ld = b.sums_ld, residual_ld = b.residual_ld, y_ld = b.y_ld;
  for (size_t rows = b.rows; rows != 0; --rows) {
    V v = LoadPart(sums, part);
    if (has_bias) v = hn::Add(v, bias);
    v = Activate<kActivation>(v, alpha, beta);
    if (has_gate) v = hn::Mul(v, gate);
    if (residual != nullptr) {
      v = hn::Add(v, LoadPart(residual, part));
      residual += residual_ld;
    }
    StorePart(v, y, part);
    sums += sums_ld;
    y += y_ld;
  }
}

template <int kActivation>
HWY_NOINLINE void ApplyActivationAnd(const EpilogueBlock& b, const EpilogueParams& e) {
  size_t c = 0;
  for (; c + kLanes <= b.columns; c += kLanes) ApplyToColumns<kActivation, true>(b, e, c, kLanes);
  if (c < b.columns) ApplyToColumns<kActivation, false>(b, e, c, b.columns - c);
}

HWY_INLINE void ApplyEpilogue(const EpilogueBlock& block, const EpilogueParams& e) {
  using Apply = void (*)(const EpilogueBlock&, const EpilogueParams&);
  static constexpr Apply kApply[INKREAD_NUM_ACTIVATIONS] = {
      ApplyActivationAnd<INKREAD_ACTIVATION_NONE>,       ApplyActivationAnd<INKREAD_ACTIVATION_RELU>,
      ApplyActivationAnd<INKREAD_ACTIVATION_GELU>,       ApplyActivationAnd<INKREAD_ACTIVATION_HARD_SIGMOID>,
      ApplyActivationAnd<INKREAD_ACTIVATION_HARD_SWISH>, ApplyActivationAnd<INKREAD_ACTIVATION_SIGMOID>,
      ApplyActivationAnd<INKREAD_ACTIVATION_SWISH>,      ApplyActivationAnd<INKREAD_ACTIVATION_CLIP>,
  };
  kApply[e.activation](block, e);
}

// The step's epilogue operands for `columns` channels from `column` on, and rows from `pixel` (counted over all images)
// of `image`; the caller adds sums, y and the sizes.
HWY_INLINE EpilogueBlock EpilogueAt(const EpilogueParams& e, const HostOperands& o, size_t image, size_t pixel,
                                    size_t column, size_t num_columns) {
  EpilogueBlock b{};
  if (e.has_bias) b.bias = o.weights[1] + column;
  if (e.has_gate) b.gate = o.reads[1] + image * num_columns + column;
  if (e.has_residual) {
    b.residual = o.reads[2] + pixel * e.residual_ld + column;
    b.residual_ld = e.residual_ld;
  }
  return b;
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
