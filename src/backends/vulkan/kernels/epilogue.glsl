// The epilogue (schedule/steps/epilogue_params.h) of four channels at a time, for all kernels that have one.

vec4 Sigmoid(vec4 v) { return 1.0 / (1.0 + Exp(-v)); }

vec4 HardSigmoid(vec4 v) { return clamp(fma(vec4(e.alpha), v, vec4(e.beta)), 0.0, 1.0); }

// Absolute error at most 8e-7. gelu(v) = max(v, 0) - g(|v|) with g(a) = a * (1 - Phi(a)), which is below 1.1e-7 from
// 5.5 on; g is a Chebyshev fit of degree 14 on [0, 5.5], in t = a / 2.75 - 1 so that no large terms cancel.
vec4 Gelu(vec4 v) {
  const vec4 t = fma(min(abs(v), 5.5), vec4(2.0 / 5.5), vec4(-1.0));
  precise vec4 g = vec4(0.0361366868);
  g = fma(g, t, vec4(-0.0394180864));
  g = fma(g, t, vec4(-0.154876232));
  g = fma(g, t, vec4(0.235338598));
  g = fma(g, t, vec4(0.185879469));
  g = fma(g, t, vec4(-0.547519565));
  g = fma(g, t, vec4(0.191852495));
  g = fma(g, t, vec4(0.460615009));
  g = fma(g, t, vec4(-0.638624012));
  g = fma(g, t, vec4(0.260225564));
  g = fma(g, t, vec4(0.180235222));
  g = fma(g, t, vec4(-0.30866304));
  g = fma(g, t, vec4(0.191202059));
  g = fma(g, t, vec4(-0.060578458));
  g = fma(g, t, vec4(0.0081948489));
  return max(v, 0.0) - g;
}

vec4 Activate(vec4 v) {
  if (kHasSimpleActivation) {  // the driver then drops the rest
    if (e.activation == INKREAD_ACTIVATION_GELU) return Gelu(v);
    return e.activation == INKREAD_ACTIVATION_RELU ? max(v, 0.0) : v;
  }
  switch (e.activation) {
    case INKREAD_ACTIVATION_RELU:
      return max(v, 0.0);
    case INKREAD_ACTIVATION_GELU:
      return Gelu(v);
    case INKREAD_ACTIVATION_HARD_SIGMOID:
      return HardSigmoid(v);
    case INKREAD_ACTIVATION_HARD_SWISH:
      return fma(v * HardSigmoid(v), vec4(e.scale), vec4(e.offset));
    case INKREAD_ACTIVATION_SIGMOID:
      return Sigmoid(v);
    case INKREAD_ACTIVATION_SWISH:
      return v * Sigmoid(v);
    case INKREAD_ACTIVATION_CLIP:
      return min(max(v, e.alpha), e.beta);
    case INKREAD_ACTIVATION_AFFINE:
      return fma(v, vec4(e.scale), vec4(e.offset));
    default:
      return v;
  }
}

// Applies gate and residual to activated results and stores them: of the first `count` channels from `column` on in
// image `image`, pixel `pixel` (counted over all images).
void StoreActivated(vec4 activated, uint count, uint image, uint pixel, uint column, uint num_columns, uint y_ld) {
  const bool is_aligned = kResultsAreAligned && count >= 4;
  precise vec4 v = activated;
  if (e.has_gate != 0) v *= ValuesAt(o.gate + image * num_columns + column, count, is_aligned);
  if (e.has_residual != 0) v += ValuesAt(o.residual + pixel * e.residual_ld + column, count, is_aligned);
  Store(o.y + pixel * y_ld + column, v, count);
}

#ifndef MATRIX_KERNEL
// Results of the kVectorWidth channels from `column` on, from their sums.
void StoreResults(vec4 sums, uint image, uint pixel, uint column, uint num_columns, uint y_ld) {
  precise vec4 v = sums;
  if (e.has_bias != 0) v += WeightsAt(o.bias + column);
  StoreActivated(Activate(v), kVectorWidth, image, pixel, column, num_columns, y_ld);
}
#endif
