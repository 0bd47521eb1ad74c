// image_resize: an 8-bit image, or a crop of one, resized and normalised: a network's input or a part of it. No
// epilogue.
//
//   reads   0 x  [1, ih, iw, pixel_bytes]  U8, dense; an image (Space::kInput) or a crop that image_warp made
//   writes  0 y  [1, oh, y_w, 3]           F32, dense
// Maths     to the bit: image/resize.h is the same arithmetic on the CPU.
//           x is first turned by `quarter_turns` counter-clockwise: by one, pixel (i, j), column and row, of the turned
//           image is pixel (iw - 1 - j, i) of x. Then it is resized to ow columns and oh rows by the integer arithmetic
//           of image/resize.h. scale_x and scale_y are doubles (double_words.h), 1.0 / (double(n) / source_n) along
//           each axis. Equal sizes copy, and exactly half in both axes takes rounded means of 2 x 2.
//           With u = byte at[c] of a pixel, channel c is ((u * high[c] + u * low) + shift[c]) * gain, each operation
//           rounded to float. Columns from ow to y_w are 0.0
// Requires  y_w >= ow; quarter_turns <= 3
// Source    OpenCV 4.10 resize, INTER_LINEAR; PaddleX 3.7.2's normalisation
#ifndef INKREAD_SCHEDULE_STEPS_IMAGE_RESIZE_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_IMAGE_RESIZE_PARAMS_H_

struct ImageResizeParams {
  uint ih;
  uint iw;
  uint pixel_bytes;  // 1, 3 or 4
  uint at[3];        // bytes of a pixel
  uint quarter_turns;
  uint oh;
  uint ow;
  uint y_w;
  uint scale_x[2];  // low word, high word
  uint scale_y[2];
  float high[3];
  float low;
  float shift[3];
  float gain;
};

#endif  // INKREAD_SCHEDULE_STEPS_IMAGE_RESIZE_PARAMS_H_
