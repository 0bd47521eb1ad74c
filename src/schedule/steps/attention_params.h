// attention: softmax(scale * q k^T) v for each head. No epilogue.
//
//   reads   0 q  [n, 1, t, heads * d]  pixels q_ld elements apart, the heads of a pixel side by side
//           1 k  [n, 1, t, heads * d]  pixels k_ld elements apart
//           2 v  [n, 1, t, heads * d]  pixels v_ld elements apart; q, k and v may lie in one [n, 1, t, 3 * heads * d]
//   writes  0 y  [n, 1, t, heads * d]  pixels y_ld elements apart
// Maths     for each head and query, j ascending:
//           s_j = scale * (q . k_j);  e_j = exp(s_j - max s);  y = (sum e_j v_j) / (sum e_j)
// Requires  1 <= d <= 128; y overlaps none of q, k, v
// Source    MatMul-Softmax-MatMul between views of one projection
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
