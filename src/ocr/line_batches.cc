#include "ocr/line_batches.h"

#include <algorithm>
#include <numeric>

namespace inkread {
namespace {

// A batch of more lines reads the weights less often, but too few batches leave threads idle. Long lines read the
// weights seldom anyway, and a batch of several would take much memory.
constexpr size_t kMaxLines = 4;
constexpr size_t kMaxColumns = 1600;

constexpr size_t kMaxWaveFloats = size_t{8} << 20;

}  // namespace

std::vector<LineBatch> MakeBatches(std::span<const int> widths, int num_threads) {
  std::vector<size_t> order(widths.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return widths[a] > widths[b]; });
  // Of equal cost, since a batch takes as long as it has columns.
  const size_t all_columns = std::accumulate(widths.begin(), widths.end(), size_t{0});
  const size_t max_columns = std::min(kMaxColumns, all_columns / (2 * static_cast<size_t>(num_threads)));
  std::vector<LineBatch> batches;
  for (size_t i : order) {
    const int width = widths[i];
    if (batches.empty() || batches.back().width != width || batches.back().lines.size() == kMaxLines ||
        batches.back().columns() + width > max_columns)
      batches.push_back({width, {}});
    batches.back().lines.push_back(i);
  }
  // The batches handed out last are the shortest, so no thread is left alone with a long one at the end.
  std::stable_sort(batches.begin(), batches.end(),
                   [](const LineBatch& a, const LineBatch& b) { return a.columns() > b.columns(); });
  return batches;
}

std::vector<LineBatch> MakeSingleBatches(size_t num_lines, int width) {
  std::vector<LineBatch> batches;
  for (size_t i = 0; i < num_lines; ++i) batches.push_back({width, {i}});
  return batches;
}

std::vector<std::span<const LineBatch>> MakeWaves(std::span<const LineBatch> batches, int height,
                                                  bool prefers_batched_runs) {
  std::vector<std::span<const LineBatch>> waves;
  size_t wave_floats = 0;
  for (size_t i = 0; i < batches.size(); ++i) {
    const size_t floats = size_t{3} * static_cast<size_t>(height) * batches[i].columns();
    if (waves.empty() || !prefers_batched_runs || wave_floats + floats > kMaxWaveFloats) {
      waves.push_back(batches.subspan(i, 0));
      wave_floats = 0;
    }
    waves.back() = {waves.back().data(), waves.back().size() + 1};
    wave_floats += floats;
  }
  return waves;
}

}  // namespace inkread
