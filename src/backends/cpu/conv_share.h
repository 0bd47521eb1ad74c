// Decisions that the f32 and the bf16 kernels of conv share.
#ifndef INKREAD_BACKENDS_CPU_CONV_SHARE_H_
#define INKREAD_BACKENDS_CPU_CONV_SHARE_H_

#include <algorithm>
#include <cstddef>

#include "backends/cpu/parallel.h"
#include "schedule/step.h"

namespace inkread::cpu {

// The same convolution, which is pointwise, with the first `rows` rows of each image as one row.
inline ConvParams AsOneRow(ConvParams p, size_t rows) {
  p.iw = p.ow = static_cast<uint>(rows * p.ow);
  p.ih = p.oh = 1;
  return p;
}

// Whether pixels of results are so far apart that it pays to prefetch their lines before they are written, as in the
// last layer of a recogniser.
inline bool LiePagesApart(size_t pixel_bytes) { return pixel_bytes >= 4096; }

// How blocks of pixels times panels of weights are shared out: into groups of each.
struct ConvShare {
  size_t block_groups, panel_groups;
};
inline ConvShare ShareConv(const ThreadPool& pool, size_t blocks, size_t panels, size_t total_work) {
  const size_t threads = ThreadsFor(pool, total_work);
  const size_t tasks_wanted = threads == 1 ? 1 : std::clamp<size_t>(total_work / kMinTaskWork, 1, threads * 4);
  // If there are few blocks, panels are shared out too.
  const size_t panel_groups = std::min(panels, std::max<size_t>(1, tasks_wanted / blocks));
  // If there are only a few more blocks than that, each is a task: with groups of one and of two a thread would wait.
  const bool is_few = tasks_wanted > 1 && blocks <= 4 * tasks_wanted && total_work / blocks >= kMinTaskWork;
  return {is_few ? blocks : std::min(blocks, std::max<size_t>(1, tasks_wanted / panel_groups)), panel_groups};
}

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_CONV_SHARE_H_
