// How the weights of conv, conv_transpose and ctc_head are stored and multiplied. Their params hold the form. A device
// names the one that it needs in DeviceCaps.
//
//   F32   A word is one weight. Products and sums are f32.
//   F16   The layout of F32 with weights of 16 bits, rounded to nearest, ties to even. x is rounded likewise, a product
//         of two f16 is exact in f32, and sums are f32.
//   BF16  A word is two weights in bf16, rounded to nearest, ties to even: an even channel in its lower half, the next
//         channel in its upper half. A row of the window, kw * ic weights a column, is INKREAD_BF16_ROWS(kw, ic) rows
//         of words: word kx * ceil(ic / 2) + i / 2 has channels i and i + 1 of column kx. The last upper half of an odd
//         ic and all words behind are 0. x is rounded likewise, a product of two bf16 is exact in f32, and sums are
//         f32.
//
// The order of a sum of 16-bit products is the device's, but fixed. Bias and epilogue are f32 in all forms.
#ifndef INKREAD_SCHEDULE_STEPS_WEIGHTS_FORM_H_
#define INKREAD_SCHEDULE_STEPS_WEIGHTS_FORM_H_

#define INKREAD_WEIGHTS_F32 0
#define INKREAD_WEIGHTS_BF16 1
#define INKREAD_WEIGHTS_F16 2
#define INKREAD_NUM_WEIGHTS_FORMS 3

// Rounded up to whole groups of the 32 values that a matrix unit takes at a time.
#define INKREAD_BF16_ROWS(kw, ic) (((kw) * (((ic) + 1) / 2) + 15) / 16 * 16)

#endif  // INKREAD_SCHEDULE_STEPS_WEIGHTS_FORM_H_
