// pool: maximum or mean over a window, NHWC. No epilogue.
//
//   reads   0 x  [n, ih, iw, c]  pixels x_ld elements apart
//   writes  0 y  [n, oh, ow, c]  pixels y_ld elements apart
// Maths     cells outside x are left out, and the mean divides by the number of cells inside. With count_padding = 1
//           they take part as zeros, and the mean divides by kh * kw. A window wholly outside x gives 0
// Requires  y does not overlap x
// Source    ONNX MaxPool-12, AveragePool-11
#ifndef INKREAD_SCHEDULE_STEPS_POOL_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_POOL_PARAMS_H_

#define INKREAD_POOL_MAX 0
#define INKREAD_POOL_AVERAGE 1

struct PoolParams {
  uint mode;
  uint n;
  uint ih;
  uint iw;
  uint c;
  uint oh;
  uint ow;
  uint kh;
  uint kw;
  uint stride_h;
  uint stride_w;
  uint pad_top;
  uint pad_left;
  uint count_padding;
  uint x_ld;
  uint y_ld;
};

#endif  // INKREAD_SCHEDULE_STEPS_POOL_PARAMS_H_
