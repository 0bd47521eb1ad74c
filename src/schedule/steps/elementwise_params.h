// elementwise: the epilogue alone, applied to a tensor: an activation, a sum of two tensors, a gate, or several of
// these.
//
//   reads   0 x         [n, h, w, c]  pixels x_ld elements apart; may be y itself
//           1 gate      [n, 1, 1, c]  epilogue
//           2 residual  [n, h, w, c]  epilogue; may be y itself
//   weights 1 bias      [c]           epilogue (slot 0 is unused)
//   writes  0 y         [n, h, w, c]  pixels y_ld elements apart
// Requires  y is x, or is residual, or overlaps neither
// Source    ONNX Add, Mul and the activations
#ifndef INKREAD_SCHEDULE_STEPS_ELEMENTWISE_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_ELEMENTWISE_PARAMS_H_

struct ElementwiseParams {
  uint n;
  uint h;
  uint w;
  uint c;
  uint x_ld;
  uint y_ld;
};

#endif  // INKREAD_SCHEDULE_STEPS_ELEMENTWISE_PARAMS_H_
