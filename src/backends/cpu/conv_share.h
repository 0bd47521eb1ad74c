// What the f32 and the bf16 kernels of conv decide alike.
#ifndef INKREAD_BACKENDS_CPU_CONV_SHARE_H_
#define INKREAD_BACKENDS_CPU_CONV_SHARE_H_

#include <algorithm>
#include <cstddef>

#include "backends/cpu/parallel.h"
#include "schedule/step.h"

namespace inkread::cpu {

// The same convolution, where it is pointwise, with the first `rows` rows of each image as one.
inline ConvParams AsOneRow(ConvParams p, size_t rows) {
  p.iw = p.ow = static_cast<uint>(rows * p.ow);
  p.ih = p.oh = 1;
  return p;
}

// Whether pixels of results lie so far apart, as those of a recogniser's last layer do, that it pays to fetch their
// lines before they are written.
inline bool LiePagesApart(size_t pixel_bytes) { return pixel_bytes >= 4096; }

// How `blocks` of pixels times `panels` of weights are shared out: groups of each.
struct ConvShare {
  size_t block_groups, panel_groups;
};
inline ConvShare ShareConv(const ThreadPool& pool, size_t blocks, size_t panels, size_t total_work) {
  const size_t threads = static_cast<size_t>(pool.num_threads());
  const size_t tasks_wanted = threads == 1 ? 1 : std::clamp<size_t>(total_work / kMinTaskWork, 1, threads * 4);
  // Few blocks: panels are shared out too.
  const size_t panel_groups = std::min(panels, std::max<size_t>(1, tasks_wanted / blocks));
  // Few more blocks than that: each is a task, since groups of one and of two would keep one thread waiting.
  const bool is_few = tasks_wanted > 1 && blocks <= 4 * tasks_wanted && total_work / blocks >= kMinTaskWork;
  return {is_few ? blocks : std::min(blocks, std::max<size_t>(1, tasks_wanted / panel_groups)), panel_groups};
}

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_CONV_SHARE_H_
