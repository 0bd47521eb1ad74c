// ctc_head: the recogniser's last layer with its argmax and probability in one pass; the logits are never stored. No
// epilogue.
//
//   reads   0 x     [1, 1, rows, ic]  rows x_ld elements apart
//   weights 0 w     [ceil(classes / panel), ic, panel], missing columns 0;
//                   in BF16 (weights_form.h) INKREAD_BF16_ROWS(1, ic) in place of ic
//           1 bias  [ceil(classes / panel) * panel]
//   writes  0 y     [1, 1, rows, 3]   dense 32-bit words: the class as int, its probability p as float, and how
//                                     probable the last class is compared with it, r, as float
// Maths     l = x w + bias;  k = argmax l, the first on ties;  p = 1 / sum_j exp(l_j - l_k), j ascending in a fixed
//           grouping. Where k = 0 (blank) p is not needed and 0 is stored.  r = exp(l_(classes - 1) - l_k)
// Source    MatMul-Add-Softmax and the CTC decoder behind it, which needs only the best class. The last class of the
//           PP-OCR recognisers is the space, which they sometimes miss by little
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
