// global_pool: the mean of each channel over the whole image. No epilogue.
//
//   reads   0 x        [n, h, w, c]  pixels x_ld elements apart
//   writes  0 y        [n, 1, 1, c]  dense
//           1 partial  [n, h, 1, c]  F32, dense; the sum of each row, for kernels that work in two phases
// Maths     each row is summed on its own, then the row sums, then divided by h * w: the result does not depend on how
//           rows are spread over threads. The order of both sums is the kernel's, but fixed
// Source    ONNX GlobalAveragePool-1, ReduceMean-11 over [2, 3]
#ifndef INKREAD_SCHEDULE_STEPS_GLOBAL_POOL_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_GLOBAL_POOL_PARAMS_H_

struct GlobalPoolParams {
  uint n;
  uint h;
  uint w;
  uint c;
  uint x_ld;
};

#endif  // INKREAD_SCHEDULE_STEPS_GLOBAL_POOL_PARAMS_H_
