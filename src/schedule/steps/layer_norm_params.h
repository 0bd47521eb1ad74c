// layer_norm: each row brought to mean 0 and variance 1, then scaled and shifted. No epilogue.
//
//   reads   0 x      [1, 1, rows, c]  rows x_ld elements apart; may be y itself
//   weights 0 scale  [c]
//           1 shift  [c]
//   writes  0 y      [1, 1, rows, c]  rows y_ld elements apart
// Maths     y = (x - mean) / sqrt(mean((x - mean)^2) + epsilon) * scale + shift
// Source    the ReduceMean-Sub-Pow-ReduceMean-Add-Sqrt-Div-Mul-Add spelling; ONNX LayerNormalization-17
#ifndef INKREAD_SCHEDULE_STEPS_LAYER_NORM_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_LAYER_NORM_PARAMS_H_

struct LayerNormParams {
  uint rows;
  uint c;
  uint x_ld;
  uint y_ld;
  float epsilon;
};

#endif  // INKREAD_SCHEDULE_STEPS_LAYER_NORM_PARAMS_H_
