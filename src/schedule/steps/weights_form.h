// The forms that a device can want the weights of conv, conv_transpose and ctc_head in: how they lie, and how they are
// multiplied. The form is a field of each of their params; a device names its own in DeviceCaps.
//
//   F32   A word is a weight. Products and sums are f32.
//   F16   As F32, but that a weight is 16 bits, rounded to nearest, the even one of two. x is rounded as the weights
//         are, a product of two f16 is exact in f32, and sums are f32.
//   BF16  A word is two weights in bf16, of an even channel in its lower half and of the next one in its upper half,
//         rounded to nearest, to the even one of two. A row of the window, kw * ic weights a column, is
//         INKREAD_BF16_ROWS(kw, ic) rows of words: word kx * ceil(ic / 2) + i / 2 has channels i and i + 1 of column
//         kx; an odd ic's last upper half and all words behind are 0. x is rounded as the weights are, a product of
//         two bf16 is exact in f32, and sums are f32.
//
// The order of a sum of 16-bit products is the device's, but fixed. What else a step computes, bias and epilogue, is
// f32 in all forms.
#ifndef INKREAD_SCHEDULE_STEPS_WEIGHTS_FORM_H_
#define INKREAD_SCHEDULE_STEPS_WEIGHTS_FORM_H_

#define INKREAD_WEIGHTS_F32 0
#define INKREAD_WEIGHTS_BF16 1
#define INKREAD_WEIGHTS_F16 2
#define INKREAD_NUM_WEIGHTS_FORMS 3

// A whole number of the 32 values that a matrix unit takes at a time.
#define INKREAD_BF16_ROWS(kw, ic) (((kw) * (((ic) + 1) / 2) + 15) / 16 * 16)

#endif  // INKREAD_SCHEDULE_STEPS_WEIGHTS_FORM_H_
