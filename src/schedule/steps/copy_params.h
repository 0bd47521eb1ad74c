// copy: moves elements between two strided layouts of up to five dimensions, for views that no kernel can read. No
// epilogue.
//
//   reads   0 x  begins at the operand's offset; element (i0, ..., i4) is at the sum of i * x_stride, in elements
//   writes  0 y  likewise with y_stride
// Requires  y does not overlap x; missing dimensions are 1 and come first
// Source    ONNX Transpose, Slice, Concat
#ifndef INKREAD_SCHEDULE_STEPS_COPY_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_COPY_PARAMS_H_

struct CopyParams {
  uint dims[5];
  uint x_stride[5];
  uint y_stride[5];
};

#endif  // INKREAD_SCHEDULE_STEPS_COPY_PARAMS_H_
