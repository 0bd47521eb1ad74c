// conv_transpose: transposed convolution whose stride is its window, so that no two results overlap (2x2 upsampling).
//
//   reads   0 x         [n, ih, iw, ic]            pixels x_ld elements apart
//           1 gate      [n, 1, 1, oc]              epilogue
//           2 residual  [n, ih * kh, iw * kw, oc]  epilogue
//   weights 0 w         [ceil(kh * kw * oc / panel), ic, panel]: column (ky * kw + kx) * oc + o;
//                       in BF16 (weights_form.h) INKREAD_BF16_ROWS(1, ic) in place of ic
//           1 bias      [ceil(kh * kw * oc / panel) * panel], repeated for each (ky, kx)
//   writes  0 y         [n, ih * kh, iw * kw, oc]  pixels y_ld elements apart
// Maths     y[b, iy * kh + ky, ix * kw + kx, o] = epilogue(sum over i of x[b, iy, ix, i] * w[i, (ky, kx, o)])
// Requires  y does not overlap x
// Source    ONNX ConvTranspose-11 with strides = kernel_shape and no padding
#ifndef INKREAD_SCHEDULE_STEPS_CONV_TRANSPOSE_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_CONV_TRANSPOSE_PARAMS_H_

struct ConvTransposeParams {
  uint n;
  uint ih;
  uint iw;
  uint ic;
  uint oc;
  uint kh;
  uint kw;
  uint x_ld;
  uint y_ld;
  uint panel;
  uint weights_form;
};

#endif  // INKREAD_SCHEDULE_STEPS_CONV_TRANSPOSE_PARAMS_H_
