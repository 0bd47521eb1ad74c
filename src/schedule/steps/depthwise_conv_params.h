// depthwise_conv: each channel convolved with its own window, NHWC.
//
//   reads   0 x         [n, ih, iw, c]  pixels x_ld elements apart
//           1 gate      [n, 1, 1, c]    epilogue
//           2 residual  [n, oh, ow, c]  epilogue
//   weights 0 w         [kh, kw, c]
//           1 bias      [c]
//   writes  0 y         [n, oh, ow, c]  pixels y_ld elements apart
// Maths     the sum runs over ky, kx in this order; outside x is 0
// Requires  y does not overlap x
// Source    ONNX Conv-11 with group = channels = outputs
#ifndef INKREAD_SCHEDULE_STEPS_DEPTHWISE_CONV_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_DEPTHWISE_CONV_PARAMS_H_

struct DepthwiseConvParams {
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
  uint x_ld;
  uint y_ld;
};

#endif  // INKREAD_SCHEDULE_STEPS_DEPTHWISE_CONV_PARAMS_H_
