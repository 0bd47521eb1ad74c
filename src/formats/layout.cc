#include "formats/layout.h"

#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "formats/code_points.h"

namespace inkread {
namespace {

// A line in the frame of the page when it is turned upright, px.
struct PlacedLine {
  const std::string* text;
  int columns;  // that the text takes
  double left, middle, length, height;
};

int ColumnsOf(const std::string& text) {
  int columns = 0;
  for (const char32_t c : CodePointsOf(text)) columns += utf8proc_charwidth(static_cast<int32_t>(c));
  return columns;
}

std::vector<PlacedLine> PlacedLines(const Reading& reading) {
  const double turn = reading.turned_deg * std::numbers::pi / 180;
  const double cos = std::cos(turn), sin = std::sin(turn);
  std::vector<PlacedLine> lines;
  for (const Line& line : reading.lines) {
    if (line.text.empty()) continue;
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (const Point& p : line.quad) {
      const double x = p.x * cos + p.y * sin, y = p.y * cos - p.x * sin;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
    lines.push_back(
        {&line.text, std::max(1, ColumnsOf(line.text)), left, (top + bottom) / 2, right - left, bottom - top});
  }
  return lines;
}

// The value that a share of the others lie below.
double Quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// From the top down, each from left to right. A line belongs to a row if its middle is no farther from that of the row's
// first line than a third of the lower one's height.
std::vector<std::vector<PlacedLine>> RowsOf(std::vector<PlacedLine> lines) {
  std::stable_sort(lines.begin(), lines.end(),
                   [](const PlacedLine& a, const PlacedLine& b) { return a.middle < b.middle; });
  std::vector<std::vector<PlacedLine>> rows;
  for (const PlacedLine& line : lines) {
    const bool joins =
        !rows.empty() && line.middle - rows.back()[0].middle <= std::min(line.height, rows.back()[0].height) / 3;
    if (!joins) rows.emplace_back();
    rows.back().push_back(line);
  }
  for (std::vector<PlacedLine>& row : rows) {
    std::stable_sort(row.begin(), row.end(), [](const PlacedLine& a, const PlacedLine& b) { return a.left < b.left; });
  }
  return rows;
}

}  // namespace

std::string LayoutText(const Reading& reading) {
  const std::vector<PlacedLine> lines = PlacedLines(reading);
  if (lines.empty()) return "";
  std::vector<double> widths;
  double margin = INFINITY;
  for (const PlacedLine& line : lines) {
    widths.push_back(line.length / line.columns);
    margin = std::min(margin, line.left);
  }
  // Of a narrow line, so that most lines end before the next one of their row begins.
  const double column_px = std::max(1.0, Quantile(widths, 0.2));
  const std::vector<std::vector<PlacedLine>> rows = RowsOf(lines);
  std::vector<double> pitches;
  for (size_t i = 1; i < rows.size(); ++i) pitches.push_back(rows[i][0].middle - rows[i - 1][0].middle);

  constexpr double kPitchesOfGap = 1.4;
  constexpr int kMaxColumns = 1000;  // a line that is read wrong must not fill the memory
  const double gap_px = pitches.empty() ? 0 : kPitchesOfGap * Quantile(pitches, 0.5);
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && pitches[i - 1] > gap_px) text += '\n';
    int column = 0;
    for (const PlacedLine& line : rows[i]) {
      const int wanted = static_cast<int>(std::min<double>(std::round((line.left - margin) / column_px), kMaxColumns));
      const int begin = column == 0 ? wanted : std::max(wanted, column + 1);
      text.append(static_cast<size_t>(begin - column), ' ');
      text += *line.text;
      column = begin + line.columns;
    }
    text += '\n';
  }
  return text;
}

}  // namespace inkread
