// What the kernels and their host must agree on; read by C++ and MSL.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_SIZES_H_
#define INKREAD_BACKENDS_METAL_KERNELS_SIZES_H_

#define INKREAD_THREADGROUP_SIZE 256  // threads of a threadgroup, but for kernels that multiply matrices
#define INKREAD_SIMD_WIDTH 32
#define INKREAD_PANEL 16                 // columns that packed weights lay side by side
#define INKREAD_BLOCK 8                  // rows and columns of a matrix
#define INKREAD_SIDE 32                  // rows and columns that a simdgroup of a matrix kernel makes
#define INKREAD_MAX_SIMDGROUP_ROWS 4     // simdgroups of a tile, one below another ...
#define INKREAD_MAX_SIMDGROUP_COLUMNS 2  // ... and side by side ...
#define INKREAD_MAX_SIMDGROUPS 4         // ... and together
#define INKREAD_RUN 4                    // results of depthwise_conv along a row that a thread makes
#define INKREAD_QUERIES 8                // queries of one head that a threadgroup of attention takes: a simdgroup each
#define INKREAD_COLUMNS 32               // results of squeeze_excite that a threadgroup makes
#define INKREAD_THREADGROUP_BYTES 23040  // of threadgroup memory that a kernel uses, at most

// Indices of a kernel's buffers, which the kernels spell as numbers. The run's block and the weights are bound once for
// each way of looking at them.
#define INKREAD_BUFFER_ARGUMENTS 0    // params, epilogue, offsets: backends/gpu/dispatch.h
#define INKREAD_BUFFER_F16 1          // the run's block
#define INKREAD_BUFFER_F32 2          // the run's block
#define INKREAD_BUFFER_U32 3          // the run's block
#define INKREAD_BUFFER_WEIGHTS 4      // the weights
#define INKREAD_BUFFER_F16_WEIGHTS 5  // the weights
#define INKREAD_BUFFER_PIXELS 6       // of kinds that read an image: that, or the run's block where a crop lies in it

#endif  // INKREAD_BACKENDS_METAL_KERNELS_SIZES_H_
