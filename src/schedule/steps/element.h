// What an element of a tensor is. A device names in DeviceCaps what it keeps values in between steps.
//
// The schedule's input and output are F32 (or 32-bit words), so are packed weights but for their forms
// (weights_form.h), the `partial` of global_pool and the results of ctc_head. All other tensors of a schedule have one
// element, the device's: where it is not F32 a copy brings the input into the arena and the result out of it, and only
// copies see two kinds; and softmax, where the device says that it may write F32 straight to the output.
//
// U8 is what an image is made of: only the input and the crops of a schedule that turns images into a network's
// input (image_resize, image_warp) have it.
//
// Kernels compute in f32 and round once, to nearest, the even one of two, when they store. An f16 that would pass
// 65504 becomes infinity.
#ifndef INKREAD_SCHEDULE_STEPS_ELEMENT_H_
#define INKREAD_SCHEDULE_STEPS_ELEMENT_H_

#define INKREAD_ELEMENT_F32 0
#define INKREAD_ELEMENT_F16 1
#define INKREAD_ELEMENT_BF16 2
#define INKREAD_ELEMENT_U8 3
#define INKREAD_NUM_ELEMENTS 4

#endif  // INKREAD_SCHEDULE_STEPS_ELEMENT_H_
