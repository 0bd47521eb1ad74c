#include "ocr/line_ink.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace inkread {
namespace {

// With fewer rows words are placed less well; with more the search takes longer and gains nothing (docs/performance.md,
// Words).
constexpr int kMinRows = 16, kMaxRows = 48;

constexpr int kMaxDifference = 3 * 255;  // of two colours: the sum over their channels
constexpr int kMinContrast = 48;         // between strokes and ground; with less, noise is taken for ink

// Strokes are thinner where they end and grey at their edges, so less than half of the contrast is enough.
constexpr double kInkShare = 0.3;

constexpr double kRuleOfRows = 0.95, kRuleOfColumns = 0.8;  // share of a column or a row from which it is a rule
constexpr double kReachesIn = 0.25;                         // share of the height

using Colour = std::array<uint8_t, 3>;

struct Colours {
  int width = 0, height = 0;
  std::vector<Colour> pixels;
  std::vector<uint8_t> is_inside;  // of the image
};

// The nearest pixel of each cell. Positions are counted in 2^-16 px.
Colours ColoursOf(const ImageView& image, const LevelLine& level, int width, int height) {
  constexpr double kOne = 65536;
  Colours colours{width, height, {}, {}};
  const size_t count = static_cast<size_t>(width) * static_cast<size_t>(height);
  colours.pixels.resize(count);
  colours.is_inside.resize(count);
  const int bytes = BytesPerPixel(image.format);
  const int second = bytes == 1 ? 0 : 1, third = bytes == 1 ? 0 : 2;
  const int64_t step_x = std::llround(level.along.x / width * kOne);
  const int64_t step_y = std::llround(level.along.y / width * kOne);
  size_t i = 0;
  for (int row = 0; row < height; ++row) {
    const PointD start = level.At(0.5 / width, (row + 0.5) / height);
    int64_t x = static_cast<int64_t>(std::floor(start.x * kOne));
    int64_t y = static_cast<int64_t>(std::floor(start.y * kOne));
    for (int column = 0; column < width; ++column, ++i, x += step_x, y += step_y) {
      const int64_t px = x >> 16, py = y >> 16;
      const bool is_inside = px >= 0 && px < image.width_px && py >= 0 && py < image.height_px;
      colours.is_inside[i] = is_inside ? 1 : 0;
      if (!is_inside) continue;
      const uint8_t* p = image.row(static_cast<int>(py)) + px * bytes;
      colours.pixels[i] = {p[0], p[second], p[third]};
    }
  }
  return colours;
}

// The median of each channel.
Colour GroundOf(const Colours& colours) {
  std::array<std::array<uint32_t, 256>, 3> counts{};
  uint32_t total = 0;
  for (size_t i = 0; i < colours.pixels.size(); ++i) {
    if (colours.is_inside[i] == 0) continue;
    for (size_t c = 0; c < 3; ++c) ++counts[c][colours.pixels[i][c]];
    ++total;
  }
  Colour ground{};
  for (size_t c = 0; c < 3; ++c) {
    uint32_t below = 0;
    int value = 0;
    while (value < 255 && (below += counts[c][static_cast<size_t>(value)]) * 2 <= total) ++value;
    ground[c] = static_cast<uint8_t>(value);
  }
  return ground;
}

// The difference from the ground from which a pixel is ink; more than any difference where there is no contrast.
int InkThreshold(const std::vector<uint16_t>& differences) {
  std::array<double, kMaxDifference + 1> counts{};
  for (const uint16_t difference : differences) ++counts[difference];
  const double total = static_cast<double>(differences.size());
  double sum = 0;
  for (int i = 0; i <= kMaxDifference; ++i) sum += i * counts[static_cast<size_t>(i)];
  // Otsu's threshold: where the means of both sides are farthest apart, weighted by their sizes.
  double best = 0, below = 0, sum_below = 0, mean_of_strokes = 0;
  for (int i = 0; i < kMaxDifference; ++i) {
    below += counts[static_cast<size_t>(i)];
    sum_below += i * counts[static_cast<size_t>(i)];
    if (below == 0 || below == total) continue;
    const double apart = (sum - sum_below) / (total - below) - sum_below / below;
    const double weighted = below * (total - below) * apart * apart;
    if (weighted <= best) continue;
    best = weighted;
    mean_of_strokes = (sum - sum_below) / (total - below);
  }
  if (mean_of_strokes < kMinContrast) return kMaxDifference + 1;
  return static_cast<int>(kInkShare * mean_of_strokes) + 1;
}

// Rules of tables and forms, and underlines.
void ClearRules(LineInk& ink) {
  std::vector<int> in_column(static_cast<size_t>(ink.width));
  std::vector<uint8_t> is_rule(static_cast<size_t>(ink.height));
  for (int y = 0; y < ink.height; ++y) {
    int in_row = 0;
    for (int x = 0; x < ink.width; ++x) {
      in_row += ink.row(y)[x];
      in_column[static_cast<size_t>(x)] += ink.row(y)[x];
    }
    is_rule[static_cast<size_t>(y)] = in_row >= kRuleOfColumns * ink.width ? 1 : 0;
  }
  for (int y = 0; y < ink.height; ++y) {
    uint8_t* row = ink.is_ink.data() + static_cast<ptrdiff_t>(y) * ink.width;
    for (int x = 0; x < ink.width; ++x) {
      if (is_rule[static_cast<size_t>(y)] != 0 || in_column[static_cast<size_t>(x)] >= kRuleOfRows * ink.height)
        row[x] = 0;
    }
  }
}

// What begins at the top or the bottom of a column and ends soon is of a neighbouring line, such as a descender.
void ClearNeighbours(LineInk& ink) {
  const int reach = static_cast<int>(std::ceil(kReachesIn * ink.height));
  for (const bool from_top : {true, false}) {
    const auto at = [&](int x, int depth) -> uint8_t& {
      const int y = from_top ? depth : ink.height - 1 - depth;
      return ink.is_ink[static_cast<size_t>(y) * static_cast<size_t>(ink.width) + static_cast<size_t>(x)];
    };
    for (int x = 0; x < ink.width; ++x) {
      int depth = 0;
      while (depth < reach && at(x, depth) != 0) ++depth;
      if (depth == reach) continue;
      while (depth > 0) at(x, --depth) = 0;
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
  const int width =
      std::max(1, static_cast<int>(std::lround(static_cast<double>(line.width()) * height / line.height())));
  const Colours colours = ColoursOf(image, LayLevel(line), width, height);
  const Colour ground = GroundOf(colours);
  std::vector<uint16_t> differences(colours.pixels.size());
  for (size_t i = 0; i < differences.size(); ++i) {
    if (colours.is_inside[i] == 0) continue;
    const Colour& p = colours.pixels[i];
    differences[i] =
        static_cast<uint16_t>(std::abs(p[0] - ground[0]) + std::abs(p[1] - ground[1]) + std::abs(p[2] - ground[2]));
  }
  const int threshold = InkThreshold(differences);
  LineInk ink{width, height, std::vector<uint8_t>(differences.size())};
  for (size_t i = 0; i < differences.size(); ++i) ink.is_ink[i] = differences[i] >= threshold ? 1 : 0;
  ClearNeighbours(ink);
  ClearRules(ink);
  return ink;
}

}  // namespace inkread
