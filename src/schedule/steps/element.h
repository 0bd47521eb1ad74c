// The elements that tensors are made of. A device names in DeviceCaps the one that it keeps values in between steps.
//
// These are always F32 or 32-bit words: the schedule's input and output, packed weights (their forms: weights_form.h),
// the partial sums of global_pool and the results of ctc_head. All other tensors of a schedule have one element, the
// device's. Where that is not F32, a copy brings the input into the arena and another the result out of it. Only copies
// have operands of two elements, and softmax on devices that let it write F32 straight to the output.
//
// U8 is a byte of an image's pixels. Only the input and the crops of schedules that turn images into a network's input
// (image_resize, image_warp) have it.
//
// Kernels compute in f32 and round once, to nearest, ties to even, when they store. In f16 a value that rounds to more
// than 65504 becomes infinity.
#ifndef INKREAD_SCHEDULE_STEPS_ELEMENT_H_
#define INKREAD_SCHEDULE_STEPS_ELEMENT_H_

#define INKREAD_ELEMENT_F32 0
#define INKREAD_ELEMENT_F16 1
#define INKREAD_ELEMENT_BF16 2
#define INKREAD_ELEMENT_U8 3
#define INKREAD_NUM_ELEMENTS 4

#endif  // INKREAD_SCHEDULE_STEPS_ELEMENT_H_
