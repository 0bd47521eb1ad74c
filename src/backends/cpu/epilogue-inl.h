// Applies the epilogue (epilogue_params.h) to rows of sums that a kernel has just computed and that are still in the
// cache.
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

// A block of rows of one image: sums in, results out. Parts that the step does not have are null. Sums are S, values in
// the arena T.
template <typename S, typename T>
struct EpilogueBlockOf {
  const S* sums;
  size_t sums_ld;
  T* y;  // may be sums, or residual
  size_t y_ld;
  size_t rows;
  size_t columns;
  const float* bias;
  const T* gate;
  const T* residual;
  size_t residual_ld;
};
using EpilogueBlock = EpilogueBlockOf<float, float>;

// kVectors vectors of columns from c on. If that is one and kIsWhole is false, `part` lanes of it.
template <int kActivation, size_t kVectors, bool kIsWhole, typename S, typename T>
HWY_INLINE void ApplyToColumns(const EpilogueBlockOf<S, T>& b, const EpilogueParams& e, size_t c, size_t part) {
  static_assert(kVectors == 1 || (kVectors == 2 && kIsWhole));
  const auto load = [part](const auto* p, size_t vector) HWY_ATTR {
    if constexpr (kIsWhole) return LoadWhole(p + vector * kLanes);
    return LoadPart(p, part);
  };
  const ActivationNumbers numbers{hn::Set(kD, e.alpha), hn::Set(kD, e.beta), hn::Set(kD, e.scale),
                                  hn::Set(kD, e.offset)};
  V bias[kVectors], gate[kVectors];
  for (size_t i = 0; i < kVectors; ++i) {
    bias[i] = b.bias ? load(b.bias + c, i) : hn::Zero(kD);
    gate[i] = b.gate ? load(b.gate + c, i) : hn::Zero(kD);
  }
  const S* sums = b.sums + c;
  const T* residual = b.residual ? b.residual + c : nullptr;
  T* y = b.y + c;
  // Copies, since the compiler must assume that a store to y changes the block.
  const bool has_bias = b.bias != nullptr, has_gate = b.gate != nullptr;
  const size_t sums_ld = b.sums_ld, residual_ld = b.residual_ld, y_ld = b.y_ld;
  for (size_t rows = b.rows; rows != 0; --rows) {
    V v[kVectors];
    for (size_t i = 0; i < kVectors; ++i) v[i] = load(sums, i);
    for (size_t i = 0; has_bias && i < kVectors; ++i) v[i] = hn::Add(v[i], bias[i]);
    for (size_t i = 0; i < kVectors; ++i) v[i] = Activate<kActivation>(v[i], numbers);
    for (size_t i = 0; has_gate && i < kVectors; ++i) v[i] = hn::Mul(v[i], gate[i]);
    if (residual != nullptr) {
      for (size_t i = 0; i < kVectors; ++i) v[i] = hn::Add(v[i], load(residual, i));
      residual += residual_ld;
    }
    if constexpr (kVectors == 2) {
      StoreTwo(v[0], v[1], y);
    } else {
      StorePart(v[0], y, kIsWhole ? kLanes : part);
    }
    sums += sums_ld;
    y += y_ld;
  }
}

template <int kActivation, typename S, typename T>
HWY_NOINLINE void ApplyActivationAnd(const EpilogueBlockOf<S, T>& b, const EpilogueParams& e) {
  size_t c = 0;
  for (; c + 2 * kLanes <= b.columns; c += 2 * kLanes) ApplyToColumns<kActivation, 2, true>(b, e, c, kLanes);
  for (; c + kLanes <= b.columns; c += kLanes) ApplyToColumns<kActivation, 1, true>(b, e, c, kLanes);
  if (c < b.columns) ApplyToColumns<kActivation, 1, false>(b, e, c, b.columns - c);
}

template <typename S, typename T>
HWY_INLINE void ApplyEpilogue(const EpilogueBlockOf<S, T>& block, const EpilogueParams& e) {
  using Apply = void (*)(const EpilogueBlockOf<S, T>&, const EpilogueParams&);
  static constexpr Apply kApply[INKREAD_NUM_ACTIVATIONS] = {
      ApplyActivationAnd<INKREAD_ACTIVATION_NONE>,       ApplyActivationAnd<INKREAD_ACTIVATION_RELU>,
      ApplyActivationAnd<INKREAD_ACTIVATION_GELU>,       ApplyActivationAnd<INKREAD_ACTIVATION_HARD_SIGMOID>,
      ApplyActivationAnd<INKREAD_ACTIVATION_HARD_SWISH>, ApplyActivationAnd<INKREAD_ACTIVATION_SIGMOID>,
      ApplyActivationAnd<INKREAD_ACTIVATION_SWISH>,      ApplyActivationAnd<INKREAD_ACTIVATION_CLIP>,
      ApplyActivationAnd<INKREAD_ACTIVATION_AFFINE>,
  };
  kApply[e.activation](block, e);
}

// The step's epilogue operands for channels from `column` on and rows from `pixel` of `image` on, pixels being counted
// over all images. The caller adds sums, y and the sizes.
template <typename S = float, typename T = float>
HWY_INLINE EpilogueBlockOf<S, T> EpilogueAt(const EpilogueParams& e, const HostOperands& o, size_t image, size_t pixel,
                                            size_t column, size_t num_columns) {
  EpilogueBlockOf<S, T> b{};
  if (e.has_bias) b.bias = Values<float>(o.weights[1]) + column;
  if (e.has_gate) b.gate = Values<T>(o.reads[1]) + image * num_columns + column;
  if (e.has_residual) {
    b.residual = Values<T>(o.reads[2]) + pixel * e.residual_ld + column;
    b.residual_ld = e.residual_ld;
  }
  return b;
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
