// resize: each pixel repeated scale_h x scale_w times.
//
//   reads   0 x         [n, ih, iw, c]                      pixels x_ld elements apart
//           1 gate      [n, 1, 1, c]                        epilogue
//           2 residual  [n, ih * scale_h, iw * scale_w, c]  epilogue; may be y itself
//   weights 1 bias      [c]                                 epilogue (slot 0 is unused)
//   writes  0 y         [n, ih * scale_h, iw * scale_w, c]  pixels y_ld elements apart
// Requires  y does not overlap x
// Source    ONNX Resize-11, nearest, asymmetric, floor, whole scales
#ifndef INKREAD_SCHEDULE_STEPS_RESIZE_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_RESIZE_PARAMS_H_

struct ResizeParams {
  uint n;
  uint ih;
  uint iw;
  uint c;
  uint scale_h;
  uint scale_w;
  uint x_ld;
  uint y_ld;
};

#endif  // INKREAD_SCHEDULE_STEPS_RESIZE_PARAMS_H_
