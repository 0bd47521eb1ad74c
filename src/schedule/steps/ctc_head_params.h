// ctc_head: the recogniser's last layer with its argmax and probability in one pass; the row of classes is never stored
// whole in the arena. No epilogue.
//
//   reads   0 x     [1, 1, rows, ic]  rows x_ld floats apart
//   weights 0 w     [ceil(classes / panel), ic, panel], missing columns 0;
//                   as BF16 (weights_form.h) INKREAD_BF16_ROWS(1, ic) for ic
//           1 bias  [ceil(classes / panel) * panel]
//   writes  0 y     [1, 1, rows, 2]   dense 32-bit words: the class as int, then its probability as float
// Maths     l = x w + bias;  k = argmax l, the first on ties;  p = 1 / sum_j exp(l_j - l_k), j ascending in a fixed
// grouping.
//           Where k = 0 (blank) p is not wanted and 0 is stored.
// Source    MatMul-Add-Softmax, decoded as pipeline 6.5 and 6.7 say
#ifndef INKREAD_SCHEDULE_STEPS_CTC_HEAD_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_CTC_HEAD_PARAMS_H_

struct CtcHeadParams {
  uint rows;
  uint ic;
  uint classes;
  uint x_ld;
  uint panel;
  uint weights_form;
};

#endif  // INKREAD_SCHEDULE_STEPS_CTC_HEAD_PARAMS_H_
