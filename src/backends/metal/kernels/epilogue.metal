// The epilogue (schedule/steps/epilogue_params.h), which all kernels with one share.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_EPILOGUE_METAL_
#define INKREAD_BACKENDS_METAL_KERNELS_EPILOGUE_METAL_

#include "backends/metal/kernels/step.metal"

inline float Sigmoid(float v) { return 1.0f / (1.0f + Exp(-v)); }

inline float HardSigmoid(float v, float alpha, float beta) { return clamp(fma(alpha, v, beta), 0.0f, 1.0f); }

// Absolute error at most 8e-7. gelu(v) = max(v, 0) - g(|v|) with g(a) = a * (1 - Phi(a)), which is below 1.1e-7 from
// 5.5 on; g is a Chebyshev fit of degree 14 on [0, 5.5], in t = a / 2.75 - 1 so that no large terms cancel.
inline float Gelu(float v) {
  const float t = fma(min(fabs(v), 5.5f), 2.0f / 5.5f, -1.0f);
  float g = 0.0361366868f;
  g = fma(g, t, -0.0394180864f);
  g = fma(g, t, -0.154876232f);
  g = fma(g, t, 0.235338598f);
  g = fma(g, t, 0.185879469f);
  g = fma(g, t, -0.547519565f);
  g = fma(g, t, 0.191852495f);
  g = fma(g, t, 0.460615009f);
  g = fma(g, t, -0.638624012f);
  g = fma(g, t, 0.260225564f);
  g = fma(g, t, 0.180235222f);
  g = fma(g, t, -0.30866304f);
  g = fma(g, t, 0.191202059f);
  g = fma(g, t, -0.060578458f);
  g = fma(g, t, 0.0081948489f);
  return max(v, 0.0f) - g;
}

inline float Activate(float v, constant EpilogueParams& e) {
  switch (e.activation) {
    case INKREAD_ACTIVATION_RELU:
      return max(v, 0.0f);
    case INKREAD_ACTIVATION_GELU:
      return Gelu(v);
    case INKREAD_ACTIVATION_HARD_SIGMOID:
      return HardSigmoid(v, e.alpha, e.beta);
    case INKREAD_ACTIVATION_HARD_SWISH:
      return fma(v * HardSigmoid(v, e.alpha, e.beta), e.scale, e.offset);
    case INKREAD_ACTIVATION_SIGMOID:
      return Sigmoid(v);
    case INKREAD_ACTIVATION_SWISH:
      return v * Sigmoid(v);
    case INKREAD_ACTIVATION_CLIP:
      return min(max(v, e.alpha), e.beta);
    case INKREAD_ACTIVATION_AFFINE:
      return fma(v, e.scale, e.offset);
    default:
      return v;
  }
}

// What is stored of a sum: channel `column` of `num_columns` in image `image`, pixel `pixel` (counted over all images).
inline float Finish(float sum, Memory m, constant EpilogueParams& e, constant EpilogueOperands& o, uint image,
                    uint pixel, uint column, uint num_columns) {
  float v = sum;
  if (e.has_bias != 0) v += m.weights[o.bias + column];
  v = Activate(v, e);
  if (e.has_gate != 0) v *= Load(m, o.gate + image * num_columns + column);
  if (e.has_residual != 0) v += Load(m, o.residual + pixel * e.residual_ld + column);
  return v;
}

// The same of kVectorWidth channels from `column` on.
inline float4 FinishSome(float4 sums, Memory m, constant EpilogueParams& e, constant EpilogueOperands& o, uint image,
                         uint pixel, uint column, uint num_columns) {
  float4 v = sums;
  if (e.has_bias != 0) v += WeightsSome(m, o.bias + column);
  v = float4(Activate(v.x, e), Activate(v.y, e), Activate(v.z, e), Activate(v.w, e));
  if (e.has_gate != 0) v *= LoadSome(m, o.gate + image * num_columns + column);
  if (e.has_residual != 0) v += LoadSome(m, o.residual + pixel * e.residual_ld + column);
  return v;
}

#endif  // INKREAD_BACKENDS_METAL_KERNELS_EPILOGUE_METAL_
