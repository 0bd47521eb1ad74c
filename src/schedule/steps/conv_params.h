// conv: convolution, NHWC, one group. MatMul by constant weights is this step with a 1x1 window.
//
//   reads   0 x         [n, ih, iw, ic]  pixels x_ld elements apart
//           1 gate      [n, 1, 1, oc]    epilogue
//           2 residual  [n, oh, ow, oc]  epilogue; may be y itself
//   weights 0 w         [ceil(oc / panel), kh, kw, ic, panel]: the columns of a panel side by side, missing ones 0;
//                       in BF16 (weights_form.h) [ceil(oc / panel), kh, INKREAD_BF16_ROWS(kw, ic), panel]
//           1 bias      [ceil(oc / panel) * panel]
//   writes  0 y         [n, oh, ow, oc]  pixels y_ld elements apart
// Maths     y[b, oy, ox, o] = epilogue(sum over ky, kx, i, in this order, of
//           x[b, oy * stride_h + ky - pad_top, ox * stride_w + kx - pad_left, i] * w[ky, kx, i, o]); outside x is 0.
//           A device may keep partial sums, each in this order, as long as only shapes and distances decide how many
// Requires  x_ld >= ic, y_ld >= oc; y does not overlap x
// Source    ONNX Conv-11, MatMul-9
#ifndef INKREAD_SCHEDULE_STEPS_CONV_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_CONV_PARAMS_H_

struct ConvParams {
  uint n;
  uint ih;
  uint iw;
  uint ic;
  uint oh;
  uint ow;
  uint oc;
  uint kh;
  uint kw;
  uint stride_h;
  uint stride_w;
  uint pad_top;
  uint pad_left;
  uint x_ld;
  uint y_ld;
  uint panel;
  uint weights_form;
};

#endif  // INKREAD_SCHEDULE_STEPS_CONV_PARAMS_H_
