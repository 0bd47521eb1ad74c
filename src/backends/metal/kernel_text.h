// The kernels as the one text that a Metal library is made from; the build makes it of kernels/.
#ifndef INKREAD_BACKENDS_METAL_KERNEL_TEXT_H_
#define INKREAD_BACKENDS_METAL_KERNEL_TEXT_H_

namespace inkread::metal {

extern const char* const kKernelText;

}  // namespace inkread::metal

#endif  // INKREAD_BACKENDS_METAL_KERNEL_TEXT_H_
