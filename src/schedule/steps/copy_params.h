// copy: elements moved between two strided layouts of up to five dimensions, for the views that no kernel reads as they
// are. No epilogue.
//
//   reads   0 x   starts at the operand's offset; element (i0..i4) at sum of i * x_stride
//   writes  0 y   likewise by y_stride
// Requires  y does not overlap x; missing dimensions are 1 and lead
// Source    ONNX Transpose, Slice, Concat
#ifndef INKREAD_SCHEDULE_STEPS_COPY_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_COPY_PARAMS_H_

struct CopyParams {
  uint dims[5];
  uint x_stride[5];
  uint y_stride[5];
};

#endif  // INKREAD_SCHEDULE_STEPS_COPY_PARAMS_H_
