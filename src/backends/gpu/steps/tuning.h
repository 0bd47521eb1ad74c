// How a backend's kernels are written and what they are tuned to, one struct a kind.
#ifndef INKREAD_BACKENDS_GPU_STEPS_TUNING_H_
#define INKREAD_BACKENDS_GPU_STEPS_TUNING_H_

#include <cstdint>
#include <vector>

#include "backends/gpu/gpu_traits.h"
#include "backends/gpu/steps/variant.h"

namespace inkread::gpu {

// A tile of results that one workgroup of a matrix kernel makes. Every tile of a device gives the same bits.
struct MatrixTile {
  uint32_t rows = 0, columns = 0;
  MatrixVariant variant;  // its threads and what makes up the tile; the rest is chosen for each step
};

// conv, conv_transpose and ctc_head.
struct MatrixTuning {
  std::vector<MatrixTile> tiles;      // of conv and conv_transpose
  uint32_t load_cost = 8;             // products in the time of loading one value, to compare tiles
  bool specialises_operands = false;  // kernels differ by alignment, pointwise windows and simple activations
  // A kernel loads its matrices from device memory instead of staging them if the product's rows are x's pixels, there
  // are at least this many of them and the depth is a multiple of it. 0: it always stages.
  uint32_t direct_block = 0;
};

struct CtcHeadTuning {
  MatrixTile tile;
  uint32_t chunk = 512;  // classes that a workgroup takes, a multiple of the tile's columns
};

// A thread makes `run` results along a row. With min_run > 0 a run is halved down to that while there are too few
// workgroups to keep the device busy, and kernels are specialised on window, stride and run. With 0 it never changes.
struct DepthwiseConvTuning {
  uint32_t run = 1, min_run = 0;
};

struct GlobalPoolTuning {
  // In both phases a workgroup takes one row, or one image, and a block of channels, cut into slices. Otherwise a
  // thread sums alone.
  bool in_slices = false;
};

struct SqueezeExciteTuning {
  uint32_t columns = 0;  // results that a workgroup makes, a layer a phase; 0: one workgroup an image makes both layers
  uint32_t max_single_workgroup_weights = 0;  // steps of c * mid up to this run one workgroup an image in any case
  bool uses_vectors = false;                  // kernels are specialised on the vector width
};

struct LayerNormTuning {
  uint32_t rows = 1;  // that a workgroup takes; with 1 its threads take single channels
};

struct AttentionTuning {
  uint32_t queries = 1;  // of one head and image that a workgroup takes
};

struct CopyTuning {
  uint32_t vector_width = 1;  // elements that a thread takes where both sides are dense
};

struct KernelTuning {
  MatrixTuning matrix;
  CtcHeadTuning ctc_head;
  DepthwiseConvTuning depthwise_conv;
  GlobalPoolTuning global_pool;
  SqueezeExciteTuning squeeze_excite;
  LayerNormTuning layer_norm;
  AttentionTuning attention;
  CopyTuning copy;
};

// What a schedule's dispatches are laid out for.
struct GpuTarget {
  GpuTraits traits;
  KernelTuning tuning;
};

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_STEPS_TUNING_H_
