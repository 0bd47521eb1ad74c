// attention: softmax(scale * q k^T) v for each head. No epilogue.
//
//   reads   0 q  [n, 1, t, heads * d]  pixels q_ld floats apart, the heads of a pixel side by side
//           1 k  the same, k_ld        2 v  the same, v_ld        (all three often lie in one [n, 1, t, 3 * heads * d])
//   writes  0 y  [n, 1, t, heads * d]  pixels y_ld floats apart
// Maths     per head and query: s_j = scale * (q . k_j); e_j = exp(s_j - max s); y = (sum e_j v_j) / (sum e_j); j
// ascending Requires  d <= 128; y overlaps none of q, k, v Source    MatMul-Softmax-MatMul between views of one
// projection
#ifndef INKREAD_SCHEDULE_STEPS_ATTENTION_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_ATTENTION_PARAMS_H_

struct AttentionParams {
  uint n;
  uint t;
  uint heads;
  uint d;
  uint q_ld;
  uint k_ld;
  uint v_ld;
  uint y_ld;
  float scale;
};

#endif  // INKREAD_SCHEDULE_STEPS_ATTENTION_PARAMS_H_
