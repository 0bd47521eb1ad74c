// squeeze_excite: the two small layers that turn channel means into gates. No epilogue.
//
//   reads   0 x   [n, 1, 1, c]  dense
//   weights 0 w1  [c, mid]
//           1 b1  [mid]
//           2 w2  [mid, c]
//           3 b2  [c]
//   writes  0 y   [n, 1, 1, c]  dense
// Maths     m = max(x w1 + b1, 0);  y = clamp(alpha * (m w2 + b2) + beta, 0, 1) + add_one
// Requires  y does not overlap x; mid <= 1024
// Source    two ONNX Conv-11 with Relu and HardSigmoid between; PaddleOCR's SEModule (add_one = 1: x + x * gate)
#ifndef INKREAD_SCHEDULE_STEPS_SQUEEZE_EXCITE_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_SQUEEZE_EXCITE_PARAMS_H_

struct SqueezeExciteParams {
  uint n;
  uint c;
  uint mid;
  float alpha;
  float beta;
  uint add_one;
};

#endif  // INKREAD_SCHEDULE_STEPS_SQUEEZE_EXCITE_PARAMS_H_
