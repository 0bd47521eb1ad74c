// softmax: each row turned into probabilities. No epilogue.
//
//   reads   0 x  [1, 1, rows, c]  rows x_ld elements apart; may be y itself
//   writes  0 y  [1, 1, rows, c]  rows y_ld elements apart; in the output it may be F32 whatever x is
// Maths     e_j = exp(x_j - max x);  y_j = e_j / sum e
// Source    ONNX Softmax over the last axis
#ifndef INKREAD_SCHEDULE_STEPS_SOFTMAX_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_SOFTMAX_PARAMS_H_

struct SoftmaxParams {
  uint rows;
  uint c;
  uint x_ld;
  uint y_ld;
};

#endif  // INKREAD_SCHEDULE_STEPS_SOFTMAX_PARAMS_H_
