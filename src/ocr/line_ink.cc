#include "ocr/line_ink.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace inkread {
namespace {

// With fewer rows words are placed less well; with more the search takes longer and gains nothing (docs/performance.md,
// Words).
constexpr int kMinRows = 16, kMaxRows = 48;
constexpr int kMaxColumns = 1 << 16;  // of a line that is a thousand times as long as high, fewer than its share

constexpr int kMaxDifference = 3 * 255;  // of two colours: the sum over their channels
constexpr int kMinContrast = 48;         // between strokes and background; with less, noise is taken for ink

// Strokes are thinner where they end and grey at their edges, so less than half of the contrast is enough.
constexpr double kInkShare = 0.25;

constexpr double kRuledColumn = 0.95, kRuledRow = 0.8;  // share of ink from which a column or a row is a ruled line
constexpr double kReachesIn = 0.25;                     // share of the height

// Background and contrast need no more cells than this or a few times as many, so those of a long line are taken from
// some of its rows and columns.
constexpr int kSampledCells = 600;

// Cells of a row, one after another: their columns and the channels of their pixels.
struct Cells {
  int first_column = 0;
  std::array<std::vector<uint8_t>, 3> channels;
  size_t size() const { return channels[0].size(); }
};

// Takes rows of a line's grid from the image, each cell from the nearest pixel. Positions are counted in 2^-16 px.
class Grid {
 public:
  Grid(const ImageView& image, const LevelLine& level, int width, int height)
      : image_(image),
        level_(level),
        width_(width),
        height_(height),
        step_x_(Fixed(level.along.x / width)),
        step_y_(Fixed(level.along.y / width)) {}

  int width() const { return width_; }
  int height() const { return height_; }

  // Every `stride`th cell of a row that is inside the image; a straight line has them side by side.
  void TakeRow(int row, int stride, Cells& cells) const {
    const PointD start = level_.At(0.5 / width_, (row + 0.5) / height_);
    int64_t x = Fixed(start.x), y = Fixed(start.y);
    int first = 0, end = width_;
    while (first < end && !IsInside(x + step_x_ * first, y + step_y_ * first)) ++first;
    while (first < end && !IsInside(x + step_x_ * (end - 1), y + step_y_ * (end - 1))) --end;
    x += step_x_ * first;
    y += step_y_ * first;
    cells.first_column = first;
    const size_t count = static_cast<size_t>((end - first + stride - 1) / stride);
    for (std::vector<uint8_t>& channel : cells.channels) channel.resize(count);
    const int bytes = BytesPerPixel(image_.format), second = bytes == 1 ? 0 : 1, third = bytes == 1 ? 0 : 2;
    const auto [out0, out1, out2] =
        std::array{cells.channels[0].data(), cells.channels[1].data(), cells.channels[2].data()};
    const int64_t step_x = step_x_ * stride, step_y = step_y_ * stride;
    for (size_t i = 0; i < count; ++i, x += step_x, y += step_y) {
      const uint8_t* p = image_.pixels + (y >> 16) * image_.stride_bytes + (x >> 16) * bytes;
      out0[i] = p[0];
      out1[i] = p[second];
      out2[i] = p[third];
    }
  }

 private:
  static int64_t Fixed(double px) { return static_cast<int64_t>(std::floor(px * 65536)); }

  bool IsInside(int64_t x, int64_t y) const {
    return x >= 0 && y >= 0 && x >> 16 < image_.width_px && y >> 16 < image_.height_px;
  }

  const ImageView image_;
  const LevelLine level_;
  const int width_, height_;
  const int64_t step_x_, step_y_;
};

using Colour = std::array<uint8_t, 3>;

// Of each cell's colour from `background`.
void DifferencesFrom(const Colour& background, const Cells& cells, std::vector<uint16_t>& differences) {
  const size_t count = cells.size();
  differences.resize(count);
  uint16_t* out = differences.data();
  std::fill_n(out, count, uint16_t{0});
  for (size_t c = 0; c < 3; ++c) {  // a channel after the other, which compilers turn into vectors
    const uint8_t* in = cells.channels[c].data();
    const uint8_t of_background = background[c];
    for (size_t i = 0; i < count; ++i)
      out[i] = static_cast<uint16_t>(out[i] + (std::max(in[i], of_background) - std::min(in[i], of_background)));
  }
}

// What the line is written on and how much a pixel of ink differs from that at least.
struct Contrast {
  Colour background{};
  int threshold = 0;
};

// The median of each channel.
Colour BackgroundOf(const Cells& cells) {
  Colour background{};
  for (size_t c = 0; c < 3; ++c) {
    std::array<uint32_t, 256> counts{};
    for (const uint8_t value : cells.channels[c]) ++counts[value];
    size_t below = 0;
    int value = 0;
    while (value < 255 && (below += counts[static_cast<size_t>(value)]) * 2 <= cells.size()) ++value;
    background[c] = static_cast<uint8_t>(value);
  }
  return background;
}

// The difference from the background from which a pixel is ink; more than any difference where there is no contrast.
int InkThreshold(const std::vector<uint16_t>& differences) {
  std::array<int64_t, kMaxDifference + 1> counts{};
  int64_t sum = 0;
  for (const uint16_t difference : differences) {
    ++counts[difference];
    sum += difference;
  }
  // Otsu's threshold: where the means of both sides are farthest apart, weighted by their sizes.
  const int64_t total = static_cast<int64_t>(differences.size());
  int64_t below = 0, sum_below = 0;
  double best = 0, mean_of_strokes = 0;
  for (int i = 0; i < kMaxDifference; ++i) {
    const int64_t count = counts[static_cast<size_t>(i)];
    below += count;
    sum_below += i * count;
    if (count == 0 || below == total) continue;
    const double num_below = static_cast<double>(below), num_above = static_cast<double>(total - below);
    const double mean_above = static_cast<double>(sum - sum_below) / num_above;
    const double apart = mean_above - static_cast<double>(sum_below) / num_below;
    const double weighted = num_below * num_above * apart * apart;
    if (weighted <= best) continue;
    best = weighted;
    mean_of_strokes = mean_above;
  }
  if (mean_of_strokes < kMinContrast) return kMaxDifference + 1;
  return static_cast<int>(kInkShare * mean_of_strokes) + 1;
}

Contrast ContrastOf(const Grid& grid) {
  int stride = 1;
  while (int64_t{grid.width()} * grid.height() > int64_t{kSampledCells} * (stride + 1) * (stride + 1)) ++stride;
  Cells row, sampled;
  for (int y = stride / 2; y < grid.height(); y += stride) {
    grid.TakeRow(y, stride, row);
    for (size_t c = 0; c < 3; ++c)
      sampled.channels[c].insert(sampled.channels[c].end(), row.channels[c].begin(), row.channels[c].end());
  }
  const Colour background = BackgroundOf(sampled);
  std::vector<uint16_t> differences;
  DifferencesFrom(background, sampled, differences);
  return {background, InkThreshold(differences)};
}

// Ruled lines of tables and forms, and underlines; unless there is nothing else, as in a line that is a dash.
void ClearRuledLines(LineInk& ink) {
  static_assert(kMaxRows < 256, "a column's ink is counted in 8 bits");
  std::vector<uint8_t> in_column(static_cast<size_t>(ink.width));
  std::vector<int> ruled_rows, ruled_columns;
  for (int y = 0; y < ink.height; ++y) {
    const uint8_t* row = ink.row(y);
    if (std::accumulate(row, row + ink.width, 0) >= kRuledRow * ink.width) {
      ruled_rows.push_back(y);
      continue;
    }
    std::transform(row, row + ink.width, in_column.begin(), in_column.begin(),
                   [](uint8_t is_ink, uint8_t count) { return static_cast<uint8_t>(count + is_ink); });
  }
  const double ruled_from = kRuledColumn * (ink.height - static_cast<int>(ruled_rows.size()));
  for (int x = 0; x < ink.width; ++x) {
    if (in_column[static_cast<size_t>(x)] >= ruled_from) ruled_columns.push_back(x);
  }
  if (ruled_rows.empty() && ruled_columns.empty()) return;
  LineInk without = ink;
  for (const int y : ruled_rows) std::fill_n(without.row(y), ink.width, uint8_t{0});
  for (const int x : ruled_columns) {
    for (int y = 0; y < ink.height; ++y) without.row(y)[x] = 0;
  }
  if (std::find(without.is_ink.begin(), without.is_ink.end(), 1) != without.is_ink.end()) ink = std::move(without);
}

// What begins at the top or the bottom of a column and ends soon is of a neighbouring line, such as a descender.
void ClearNeighbours(LineInk& ink) {
  const int reach = static_cast<int>(std::ceil(kReachesIn * ink.height));
  std::vector<uint8_t> goes_on(static_cast<size_t>(ink.width));  // whether all of the column so far is to be cleared
  for (const bool from_top : {true, false}) {
    const auto row_at = [&](int depth) { return ink.row(from_top ? depth : ink.height - 1 - depth); };
    // Row by row, which compilers turn into vectors. First which columns are ink as deep as `reach`: they stay.
    std::fill(goes_on.begin(), goes_on.end(), uint8_t{1});
    for (int depth = 0; depth < reach; ++depth)
      std::transform(goes_on.begin(), goes_on.end(), row_at(depth), goes_on.begin(), std::bit_and<uint8_t>());
    for (uint8_t& value : goes_on) value ^= 1;
    for (int depth = 0; depth < reach; ++depth) {
      uint8_t* row = row_at(depth);
      for (size_t x = 0; x < goes_on.size(); ++x) {
        goes_on[x] &= row[x];
        row[x] ^= goes_on[x];
      }
    }
  }
}

}  // namespace

LevelLine LayLevel(const LineShape& line) {
  const QuadF& corners = line.crop.corners;
  // A quarter turn counter-clockwise brings the next corner to the top left.
  const auto corner = [&](int i) {
    const PointF& p = corners[static_cast<size_t>((line.quarter_turns() + i) % 4)];
    return PointD{static_cast<double>(p.x), static_cast<double>(p.y)};
  };
  const PointD begin = corner(0), end = corner(1), bottom = corner(3);
  LevelLine level{begin, {end.x - begin.x, end.y - begin.y}, {}};
  const double width = std::hypot(level.along.x, level.along.y);
  const double height = std::hypot(bottom.x - begin.x, bottom.y - begin.y);
  level.down = {-level.along.y * (height / width), level.along.x * (height / width)};
  return level;
}

LineInk FindInk(const ImageView& image, const LineShape& line) {
  const int height = std::clamp(line.height(), kMinRows, kMaxRows);
  const double columns = std::round(static_cast<double>(line.width()) * height / line.height());
  const int width = static_cast<int>(std::clamp<double>(columns, 1, kMaxColumns));
  const Grid grid(image, LayLevel(line), width, height);
  const Contrast contrast = ContrastOf(grid);
  LineInk ink{width, height, std::vector<uint8_t>(static_cast<size_t>(width) * static_cast<size_t>(height))};
  if (contrast.threshold > kMaxDifference) return ink;
  Cells cells;
  std::vector<uint16_t> differences;
  for (int y = 0; y < height; ++y) {
    grid.TakeRow(y, 1, cells);
    DifferencesFrom(contrast.background, cells, differences);
    std::transform(differences.begin(), differences.end(), ink.row(y) + cells.first_column,
                   [&](uint16_t difference) { return static_cast<uint8_t>(difference >= contrast.threshold); });
  }
  ClearNeighbours(ink);
  ClearRuledLines(ink);
  return ink;
}

}  // namespace inkread
