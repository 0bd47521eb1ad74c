// A schedule as what a GPU is told: for each step its kernels with their variant, the number of groups, and words of
// parameters. Plain data, no device: what any GPU backend would otherwise write for itself.
//
// A run's input, arena and scratch lie in one block of memory; its output is a place of its own, which may be a part of
// another run's input. The weights and an image are memory of their own.
#ifndef INKREAD_BACKENDS_GPU_DISPATCH_H_
#define INKREAD_BACKENDS_GPU_DISPATCH_H_

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "schedule/schedule.h"

namespace inkread::gpu {

// A tile of results that one group of a matrix kernel (conv, conv_transpose, ctc_head) makes. Every tile of a device
// gives the same bits.
struct MatrixTile {
  uint32_t rows = 0, columns = 0;
  std::array<uint32_t, 5> constants{};  // constants 0, 1, 4, 5 and 6 of the kernel's variant
  uint32_t threads = 0;                 // of its group; 0: GpuTraits::group_size
};

// What the kernels of a backend are like.
struct GpuTraits {
  uint32_t group_size = 256;  // threads of a group, also where each makes one result
  std::vector<MatrixTile> tiles;
  MatrixTile ctc_tile;
  uint32_t ctc_chunk = 512;                     // classes that a group of ctc_head takes, a whole number of tiles
  uint32_t load_cost = 8;                       // products in the time of loading one value, where a tile is chosen
  uint32_t busy_groups = 128;                   // fewer groups leave a part of the device idle
  uint32_t weights_form = INKREAD_WEIGHTS_F32;  // the only one that the kernels read
  uint32_t width = 1;                           // channels that a thread takes at a time where all operands allow it
  uint32_t depthwise_run = 1;                   // results of depthwise_conv along a row that a thread makes ...
  uint32_t depthwise_min_run = 0;  // ... or fewer, but so many, where groups would be few; 0: always the same
  uint32_t copy_width = 1;         // elements that a thread of copy takes where both sides are dense
  uint32_t norm_rows = 1;          // rows that a group of layer_norm takes
  bool pool_in_slices =
      false;  // global_pool: in both phases a group takes one row, or image, and some channels by four
  bool tells_alignment = false;  // matrix kernels: constant 7 is told, 0 otherwise
  uint32_t queries = 1;          // of one head and image that a group of attention takes
  uint32_t excite_alone = 0;     // squeeze_excite with so many weights or fewer has one group an image in any case
  uint32_t excite_columns = 0;   // results of squeeze_excite that a group makes, a layer a phase; 0: one group an image
};

// One compiled kernel: specialisation constants of Vulkan, function constants of Metal, by their numbers.
//   0, 1  matrix kernels: MatrixTile::constants; image_resize and image_warp: 0 is 1 where x is the image and 0
//         where it lies in the run's block; others: 0 has the channels that a thread takes at a time
//   2     the phase, of kinds that have two
//   3     ctc_head: GpuTraits::ctc_chunk
//   4..6  matrix kernels: MatrixTile::constants; depthwise_conv: kw, stride_w and the results along a row that a thread
//         makes, where GpuTraits::depthwise_min_run is not 0; global_pool in slices: 4 has the threads side by side;
//         squeeze_excite: 4 has the columns of a group, 0 where it has all, 5 the channels of a thread at a time
//   7     matrix kernels: bit 0: x lies in eights (its channels, distances and place), bit 1: so do the weights, bit 2:
//         y and what the epilogue reads lie in fours, bit 3: conv: result m is made of pixel m of x alone,
//         bit 4: the epilogue's activation is none, ReLU or GELU
struct KernelVariant {
  StepKind kind{};
  std::array<uint32_t, 8> constants{};
  uint32_t element = INKREAD_ELEMENT_F32;    // of read 0 (schedule/steps/element.h)
  uint32_t y_element = INKREAD_ELEMENT_F32;  // of write 0: another one only where copy changes it, and f32 of ctc_head
  auto operator<=>(const KernelVariant&) const = default;
};

// Where a run's parts lie within its block, in bytes. An image that is the input is not among them.
struct BlockLayout {
  uint64_t input = 0, arena = 0, scratch = 0;
  uint64_t size_bytes = 0;
};

// Where a run's block and its output begin in the memory that both lie in, in bytes, multiples of 4.
struct Place {
  uint64_t block = 0, output = 0;
};

inline constexpr uint32_t kMaxWords = 32;  // the 128 bytes of push constants that every Vulkan device promises

// The words, in this order: the step's params; its epilogue, where its kind has one (HasEpilogue); where its operands
// begin, in their own elements from the start of their block (a matrix's weights in those of their form), 0 for those
// that are not there: reads 0 to 2, weights 0 and 1, writes 0; and for kinds without an epilogue weights 2 and 3, then
// writes 1 or scratch of the kernel's own. Those of image_resize and image_warp, whose params leave no room for
// more, are reads 0, weights 0 and writes 0. Bytes (U8) are counted in words of four.
struct Dispatch {
  KernelVariant variant;
  uint64_t groups = 0;   // at least 1
  uint32_t threads = 0;  // of a group
  uint32_t step = 0;     // of the schedule
  uint32_t level = 0;    // the step's
  uint32_t phase = 0;    // within the step; each needs what the one before has written
  std::array<uint32_t, kMaxWords> words{};
  uint32_t num_words = 0;
  // Bit i: words[i] counts from the start of the run's block, or of its output; WordsAt adds their places.
  uint32_t in_block = 0, in_output = 0;
  uint32_t in_halves = 0;  // bit i: words[i] counts elements of two bytes, not of four
};

struct DispatchList {
  BlockLayout layout;
  std::vector<Dispatch> dispatches;  // in the order of their steps, a step's phases in a row
  uint64_t input_bytes = 0;          // in the block: 0 where the input is an image
  uint64_t image_bytes = 0;          // of the image that is the input; 0 where it is none
  uint64_t output_bytes = 0;
  // Where false, what the caller's output holds before the run has to be put into its place: words of it may be left
  // as they are.
  bool writes_whole_output = false;
};

// Errors  kInternal (weights in a form that the kernels do not read), kUnsupported (larger than 32-bit words can count)
Result<DispatchList> DispatchesOf(const Schedule& schedule, const GpuTraits& traits);

// What any schedule that reads an image will want, so that it can be compiled ahead: variant and threads, no work.
std::vector<Dispatch> ImageKernels(const GpuTraits& traits);

// What Compile of any GPU backend begins with: the dispatches, for a device with `weights_bytes` of weights whose
// buffers hold max_buffer_bytes.
//
// who     the device, for messages
// Errors  those of DispatchesOf; kInternal (fewer weights than the schedule expects), kOutOfMemory (a run is too large)
Result<DispatchList> DispatchesFor(const Schedule& schedule, const GpuTraits& traits, uint64_t weights_bytes,
                                   uint64_t max_buffer_bytes, const std::string& who);

// The words of a dispatch of a run that lies there.
std::array<uint32_t, kMaxWords> WordsAt(const Dispatch& dispatch, const Place& place);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_DISPATCH_H_
