// What the kernels and their host must agree on; read by C++ and MSL.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_SIZES_H_
#define INKREAD_BACKENDS_METAL_KERNELS_SIZES_H_

#define INKREAD_GROUP_SIZE 256  // threads of a group, but for kernels that multiply matrices
#define INKREAD_SIMD_WIDTH 32
#define INKREAD_PANEL 16                 // columns that packed weights lay side by side
#define INKREAD_SIDE 32                  // rows and columns that a simdgroup of a matrix kernel makes
#define INKREAD_MAX_DOWN 4               // simdgroups of a tile, one below another ...
#define INKREAD_MAX_ACROSS 2             // ... and side by side ...
#define INKREAD_MAX_SIMDGROUPS 4         // ... and together
#define INKREAD_RUN 4                    // results of depthwise_conv along a row that a thread makes
#define INKREAD_QUERIES 8                // queries of one head that a group of attention takes: a simdgroup each
#define INKREAD_COLUMNS 32               // results of squeeze_excite that a group makes
#define INKREAD_THREADGROUP_BYTES 23040  // that a group shares, at most

// Indices of a kernel's buffers, which the kernels spell as numbers. The run's block and the weights are bound once for
// each way of looking at them.
#define INKREAD_BUFFER_WORDS 0         // params, epilogue, offsets: backends/gpu/dispatch.h
#define INKREAD_BUFFER_HALVES 1        // the run's block
#define INKREAD_BUFFER_FLOATS 2        // the run's block
#define INKREAD_BUFFER_UINTS 3         // the run's block
#define INKREAD_BUFFER_WEIGHTS 4       // the weights
#define INKREAD_BUFFER_HALF_WEIGHTS 5  // the weights
#define INKREAD_BUFFER_PIXELS 6        // of kinds that read an image: that, or the run's block where a crop lies in it

// Indices of function constants (step.metal), first numbers, then flags.
#define INKREAD_CONSTANT_DOWN 0       // matrix kernels: simdgroups of a tile, one below another ...
#define INKREAD_CONSTANT_ACROSS 1     // ... and side by side
#define INKREAD_CONSTANT_PHASE 2      // of kinds that have two
#define INKREAD_CONSTANT_CHUNK 3      // ctc_head: classes that a group takes
#define INKREAD_CONSTANT_WIDTH 4      // channels that a thread takes at a time: 1 or 4
#define INKREAD_CONSTANT_IS_HALF 5    // values and matrices are f16, else f32
#define INKREAD_CONSTANT_DIRECT 6     // matrix kernels: operands are loaded straight from the device's memory
#define INKREAD_CONSTANT_FROM_HALF 7  // copy: x is f16 ...
#define INKREAD_CONSTANT_TO_HALF 8    // ... and y
#define INKREAD_NUM_NUMBERS 5
#define INKREAD_NUM_FLAGS 4

#endif  // INKREAD_BACKENDS_METAL_KERNELS_SIZES_H_
