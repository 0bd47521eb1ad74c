// What kernels are compiled for, beside their kind: Vulkan's specialisation constants and Metal's function constants.
// Read by C++, GLSL and MSL. All constants are 32-bit unsigned integers.
//
// A constant has the same id in every kernel. A kernel declares those that it uses, by the id's name; a backend gives
// each kernel those of its kind's list (ConstantsOf in variant.h).
#ifndef INKREAD_BACKENDS_GPU_STEPS_KERNEL_CONSTANTS_H_
#define INKREAD_BACKENDS_GPU_STEPS_KERNEL_CONSTANTS_H_

// Of every kernel.
#define INKREAD_CONSTANT_VALUES_ARE_F16 0  // 1: the step's values are f16; 0: f32, or it reads 8-bit pixels

// Of several kinds.
#define INKREAD_CONSTANT_VECTOR_WIDTH 1  // channels, or elements, that a thread takes at a time: 1 or 4
#define INKREAD_CONSTANT_PHASE 2         // of kinds whose kernel runs twice: 0, then 1

// Of a matrix product's tile. 0 where the backend's kernel does not use it.
#define INKREAD_CONSTANT_THREADS 3           // threads of a workgroup
#define INKREAD_CONSTANT_THREAD_ROWS 4       // results that a thread makes, one below another ...
#define INKREAD_CONSTANT_THREAD_COLUMNS 5    // ... and side by side
#define INKREAD_CONSTANT_MATRIX_ROWS 6       // 16 x 16 matrices that a subgroup makes, one below another ...
#define INKREAD_CONSTANT_MATRIX_COLUMNS 7    // ... and side by side
#define INKREAD_CONSTANT_SUBGROUP_ROWS 8     // subgroups of a workgroup, one below another ...
#define INKREAD_CONSTANT_SUBGROUP_COLUMNS 9  // ... and side by side
#define INKREAD_CONSTANT_SUBGROUP_SIZE 10    // threads of a subgroup
// Of a matrix product's operands: 1 or 0. Always 0 where the backend does not specialise on it.
#define INKREAD_CONSTANT_X_ALIGNED_8 11        // x's channels, pixel distance and offset are multiples of 8 elements
#define INKREAD_CONSTANT_WEIGHTS_ALIGNED_8 12  // the weights' offset is a multiple of 8 elements
#define INKREAD_CONSTANT_Y_ALIGNED_4 13        // y, bias, gate and residual are aligned to 4 elements
#define INKREAD_CONSTANT_IS_POINTWISE 14       // conv: result pixel m depends on pixel m of x alone
#define INKREAD_CONSTANT_SIMPLE_ACTIVATION 15  // the activation is none, ReLU or GELU
#define INKREAD_CONSTANT_LOADS_DIRECTLY 16     // matrices are loaded from device memory, not staged
#define INKREAD_CONSTANT_CHUNK 17              // ctc_head: classes that a workgroup takes

// depthwise_conv. All 0 where the backend's kernel reads them from the params or has them fixed.
#define INKREAD_CONSTANT_KW 18        // the params' kw
#define INKREAD_CONSTANT_STRIDE_W 19  // the params' stride_w
#define INKREAD_CONSTANT_RUN 20       // results along a row that a thread makes

// global_pool
#define INKREAD_CONSTANT_THREADS_ACROSS 21  // threads side by side, of 4 channels each; 0: a thread has a whole sum

// squeeze_excite
#define INKREAD_CONSTANT_COLUMNS 22  // results that a workgroup makes; 0: all of an image, of both layers

// copy
#define INKREAD_CONSTANT_X_IS_F32 23  // 1: x is f32; 0: f16
#define INKREAD_CONSTANT_Y_IS_F32 24

// image_resize and image_warp
#define INKREAD_CONSTANT_X_IS_IMAGE 25  // 1: x is the job's image; 0: a crop in the run's block

#define INKREAD_NUM_CONSTANTS 26

// A list a kind: CONSTANT(field of the C++ struct, id). The kinds that have none are softmax and attention.
#define INKREAD_VECTOR_VARIANT(CONSTANT) CONSTANT(vector_width, INKREAD_CONSTANT_VECTOR_WIDTH)

#define INKREAD_MATRIX_VARIANT(CONSTANT)                          \
  CONSTANT(threads, INKREAD_CONSTANT_THREADS)                     \
  CONSTANT(thread_rows, INKREAD_CONSTANT_THREAD_ROWS)             \
  CONSTANT(thread_columns, INKREAD_CONSTANT_THREAD_COLUMNS)       \
  CONSTANT(matrix_rows, INKREAD_CONSTANT_MATRIX_ROWS)             \
  CONSTANT(matrix_columns, INKREAD_CONSTANT_MATRIX_COLUMNS)       \
  CONSTANT(subgroup_rows, INKREAD_CONSTANT_SUBGROUP_ROWS)         \
  CONSTANT(subgroup_columns, INKREAD_CONSTANT_SUBGROUP_COLUMNS)   \
  CONSTANT(subgroup_size, INKREAD_CONSTANT_SUBGROUP_SIZE)         \
  CONSTANT(x_aligned_8, INKREAD_CONSTANT_X_ALIGNED_8)             \
  CONSTANT(weights_aligned_8, INKREAD_CONSTANT_WEIGHTS_ALIGNED_8) \
  CONSTANT(y_aligned_4, INKREAD_CONSTANT_Y_ALIGNED_4)             \
  CONSTANT(is_pointwise, INKREAD_CONSTANT_IS_POINTWISE)           \
  CONSTANT(simple_activation, INKREAD_CONSTANT_SIMPLE_ACTIVATION) \
  CONSTANT(loads_directly, INKREAD_CONSTANT_LOADS_DIRECTLY)

#define INKREAD_CTC_HEAD_VARIANT(CONSTANT) \
  INKREAD_MATRIX_VARIANT(CONSTANT)         \
  CONSTANT(phase, INKREAD_CONSTANT_PHASE)  \
  CONSTANT(chunk, INKREAD_CONSTANT_CHUNK)

#define INKREAD_DEPTHWISE_CONV_VARIANT(CONSTANT)        \
  CONSTANT(vector_width, INKREAD_CONSTANT_VECTOR_WIDTH) \
  CONSTANT(kw, INKREAD_CONSTANT_KW)                     \
  CONSTANT(stride_w, INKREAD_CONSTANT_STRIDE_W)         \
  CONSTANT(run, INKREAD_CONSTANT_RUN)

#define INKREAD_GLOBAL_POOL_VARIANT(CONSTANT)           \
  CONSTANT(vector_width, INKREAD_CONSTANT_VECTOR_WIDTH) \
  CONSTANT(phase, INKREAD_CONSTANT_PHASE)               \
  CONSTANT(threads_across, INKREAD_CONSTANT_THREADS_ACROSS)

#define INKREAD_SQUEEZE_EXCITE_VARIANT(CONSTANT)        \
  CONSTANT(vector_width, INKREAD_CONSTANT_VECTOR_WIDTH) \
  CONSTANT(phase, INKREAD_CONSTANT_PHASE)               \
  CONSTANT(columns, INKREAD_CONSTANT_COLUMNS)

#define INKREAD_COPY_VARIANT(CONSTANT)                  \
  CONSTANT(vector_width, INKREAD_CONSTANT_VECTOR_WIDTH) \
  CONSTANT(x_is_f32, INKREAD_CONSTANT_X_IS_F32)         \
  CONSTANT(y_is_f32, INKREAD_CONSTANT_Y_IS_F32)

#define INKREAD_IMAGE_VARIANT(CONSTANT) CONSTANT(x_is_image, INKREAD_CONSTANT_X_IS_IMAGE)

#endif  // INKREAD_BACKENDS_GPU_STEPS_KERNEL_CONSTANTS_H_
