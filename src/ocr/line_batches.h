// Which lines a network reads together: lines of equal width in batches, and batches in waves.
#ifndef INKREAD_OCR_LINE_BATCHES_H_
#define INKREAD_OCR_LINE_BATCHES_H_

#include <cstddef>
#include <span>
#include <vector>

namespace inkread {

// Lines whose inputs have equal width, read by one run of a network. The result of a line does not depend on the
// others: equal widths need no padding, and a kernel computes each element alike in any batch.
struct LineBatch {
  int width = 0;              // px, of each line's input
  std::vector<size_t> lines;  // indices
  size_t columns() const { return lines.size() * static_cast<size_t>(width); }
};

// At most 4 lines and 1600 columns per batch, and of the columns no more than half of what one of the threads would get,
// as long as that is more than a line.
// Batches with more columns come first.
//
// widths  px of each line's input
std::vector<LineBatch> MakeBatches(std::span<const int> widths, int num_threads);

// Each line in a batch of its own.
std::vector<LineBatch> MakeSingleBatches(size_t num_lines, int width);

// Consecutive batches that are handed to a model in one Run. A model that prefers batched runs gets batches of up to 8
// Mi floats of input in total, or one batch with more. Otherwise each batch is a wave: the thread that runs it fills
// its input just before, so that the input is still in that thread's cache and there are no more inputs than threads.
//
// height  px, of each line's input
std::vector<std::span<const LineBatch>> MakeWaves(std::span<const LineBatch> batches, int height,
                                                  bool prefers_batched_runs);

}  // namespace inkread

#endif  // INKREAD_OCR_LINE_BATCHES_H_
