// The epilogue (schedule/steps/epilogue_params.h), which all kernels with one share.

float Sigmoid(float v) { return 1.0 / (1.0 + Exp(-v)); }

float HardSigmoid(float v) { return clamp(fma(e.alpha, v, e.beta), 0.0, 1.0); }

// Absolute error at most 8e-7. gelu(v) = max(v, 0) - g(|v|) with g(a) = a * (1 - Phi(a)), which is below 1.1e-7 from
// 5.5 on; g is a Chebyshev fit of degree 14 on [0, 5.5], in t = a / 2.75 - 1 so that no large terms cancel.
float Gelu(float v) {
  const float t = fma(min(abs(v), 5.5), 2.0 / 5.5, -1.0);
  precise float g = 0.0361366868;
  g = fma(g, t, -0.0394180864);
  g = fma(g, t, -0.154876232);
  g = fma(g, t, 0.235338598);
  g = fma(g, t, 0.185879469);
  g = fma(g, t, -0.547519565);
  g = fma(g, t, 0.191852495);
  g = fma(g, t, 0.460615009);
  g = fma(g, t, -0.638624012);
  g = fma(g, t, 0.260225564);
  g = fma(g, t, 0.180235222);
  g = fma(g, t, -0.30866304);
  g = fma(g, t, 0.191202059);
  g = fma(g, t, -0.060578458);
  g = fma(g, t, 0.0081948489);
  return max(v, 0.0) - g;
}

float Activate(float v) {
  switch (e.activation) {
    case INKREAD_ACTIVATION_RELU:
      return max(v, 0.0);
    case INKREAD_ACTIVATION_GELU:
      return Gelu(v);
    case INKREAD_ACTIVATION_HARD_SIGMOID:
      return HardSigmoid(v);
    case INKREAD_ACTIVATION_HARD_SWISH:
      return v * HardSigmoid(v);
    case INKREAD_ACTIVATION_SIGMOID:
      return Sigmoid(v);
    case INKREAD_ACTIVATION_SWISH:
      return v * Sigmoid(v);
    case INKREAD_ACTIVATION_CLIP:
      return min(max(v, e.alpha), e.beta);
    default:
      return v;
  }
}

// The result of channel `column` in image `image`, pixel `pixel` (counted over all images), stored.
void StoreResult(float sum, uint image, uint pixel, uint column, uint num_columns, uint y_ld) {
  precise float v = sum;
  if (e.has_bias != 0) v += weights[o.bias + column];
  v = Activate(v);
  if (e.has_gate != 0) v *= work[o.gate + image * num_columns + column];
  if (e.has_residual != 0) v += work[o.residual + pixel * e.residual_ld + column];
  work_out[o.y + pixel * y_ld + column] = v;
}
