#include "ocr/reading_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "ocr/page_frame.h"
#include "ocr/text_blocks.h"

namespace inkread {
namespace {

// Between the parts of a column, in line heights. A line alone that is further away, or in another place, is a footer.
constexpr double kParagraphGap = 2.5, kLineGap = 2.0, kIndent = 2.5;
constexpr double kInset = 0.25;   // boxes of lines that do not touch may overlap by this much of a line height
constexpr int kMaxDepth = 64;     // of cuts within cuts
constexpr int kMaxTopmost = 256;  // blocks taken where there is nothing to cut; costs n log n each

struct Block {
  TextBlock text;
  LayoutBox box;  // of the text without its margins
  bool is_sideways = false;
};

using Part = std::vector<int>;  // indices of blocks

// A range of x that blocks cover without a gutter.
struct Column {
  double left = 0, right = 0;
  double bottom = 0;       // of its lowest block
  double line_height = 0;  // of that block
};

class Cutter {
 public:
  Cutter(std::span<const Block> blocks, bool gutters_first) : blocks_(blocks), gutters_first_(gutters_first) {}

  // The blocks in the order in which they are read.
  Part Order() {
    Part all(blocks_.size());
    std::iota(all.begin(), all.end(), 0);
    Cut(std::move(all), 0);
    return std::move(order_);
  }

 private:
  const Block& At(int i) const { return blocks_[static_cast<size_t>(i)]; }

  void SortByTop(Part& part) const {
    std::sort(part.begin(), part.end(), [&](int i, int j) {
      const LayoutBox &a = At(i).box, &b = At(j).box;
      return std::tuple(a.top, a.left, i) < std::tuple(b.top, b.left, j);
    });
  }

  void Cut(Part part, int depth) {
    SortByTop(part);
    while (part.size() > 1 && depth < kMaxDepth) {
      std::vector<Part> parts;
      if (gutters_first_) parts = AtGutters(part);
      if (parts.size() < 2) parts = WithoutSidewaysMargins(part);
      if (parts.size() < 2) parts = InGroups(part);
      if (parts.size() < 2) parts = AtGutters(part);
      if (parts.size() > 1) {
        for (Part& smaller : parts) Cut(std::move(smaller), depth + 1);
        return;
      }
      if (++num_topmost_ > kMaxTopmost) break;
      const auto first = part.begin() + FirstOf(part);
      order_.push_back(*first);
      part.erase(first);
    }
    order_.insert(order_.end(), part.begin(), part.end());
  }

  // The block that is read first where nothing can be cut: the topmost one, or one on the left of all that are higher.
  ptrdiff_t FirstOf(const Part& part) const {
    ptrdiff_t first = 0;
    double left = At(part[0]).box.left;
    for (size_t i = 1; i < part.size(); ++i) {
      const Block& block = At(part[i]);
      if (block.box.right <= left + block.text.line_height / 2) first = static_cast<ptrdiff_t>(i);
      left = std::min(left, block.box.left);
    }
    return first;
  }

  // The columns of a part, from the left.
  std::vector<Column> ColumnsOf(const Part& part) const {
    std::vector<Column> columns;
    for (const int i : part)
      columns.push_back({At(i).box.left, At(i).box.right, At(i).text.box.bottom, At(i).text.line_height});
    return Merged(std::move(columns));
  }

  static std::vector<Column> Merged(std::vector<Column> columns) {
    std::sort(columns.begin(), columns.end(), [](const Column& a, const Column& b) {
      return std::tuple(a.left, a.right, a.bottom, a.line_height) <
             std::tuple(b.left, b.right, b.bottom, b.line_height);
    });
    std::vector<Column> merged;
    for (const Column& column : columns) {
      if (merged.empty() || column.left >= merged.back().right) {
        merged.push_back(column);
        continue;
      }
      Column& last = merged.back();
      last.right = std::max(last.right, column.right);
      if (column.bottom > last.bottom)
        std::tie(last.bottom, last.line_height) = std::pair(column.bottom, column.line_height);
    }
    return merged;
  }

  // The part cut at all gutters, from the left.
  std::vector<Part> AtGutters(const Part& part) const {
    const std::vector<Column> columns = ColumnsOf(part);
    std::vector<Part> parts(columns.size());
    for (const int i : part) {
      const auto column = std::upper_bound(columns.begin(), columns.end(), At(i).box.left,
                                           [](double x, const Column& c) { return x < c.left; });
      parts[static_cast<size_t>(column - columns.begin()) - 1].push_back(i);
    }
    return parts;
  }

  // The part without the sideways blocks beyond its outer gutters: those on the left, the rest, those on the right.
  std::vector<Part> WithoutSidewaysMargins(const Part& part) const {
    const auto is_sideways = [&](int i) { return At(i).is_sideways; };
    if (std::none_of(part.begin(), part.end(), is_sideways)) return {};
    std::vector<Part> columns = AtGutters(part);
    const auto is_margin = [&](const Part& p) { return std::all_of(p.begin(), p.end(), is_sideways); };
    const auto first = std::find_if_not(columns.begin(), columns.end(), is_margin);
    if (first == columns.end()) return {};
    const auto last = std::find_if_not(columns.rbegin(), columns.rend(), is_margin).base();
    std::vector<Part> parts(std::make_move_iterator(columns.begin()), std::make_move_iterator(first));
    parts.emplace_back();
    for (auto column = first; column != last; ++column)
      parts.back().insert(parts.back().end(), column->begin(), column->end());
    parts.insert(parts.end(), std::make_move_iterator(last), std::make_move_iterator(columns.end()));
    return parts;
  }

  // The part cut where a level gap goes across all of it, from the top.
  std::vector<Part> InBands(const Part& part) const {
    std::vector<Part> bands;
    double bottom = 0;
    for (const int i : part) {
      if (bands.empty() || At(i).box.top >= bottom) {
        bands.emplace_back();
        bottom = At(i).box.bottom;
      }
      bands.back().push_back(i);
      bottom = std::max(bottom, At(i).box.bottom);
    }
    return bands;
  }

  // Whether one of the blocks continues one of the columns.
  bool Continues(const Part& band, const std::vector<Column>& columns) const {
    return std::any_of(band.begin(), band.end(), [&](int i) {
      const TextBlock& text = At(i).text;
      const auto column = std::upper_bound(columns.begin(), columns.end(), At(i).box.left,
                                           [](double x, const Column& c) { return x < c.right; });
      if (column == columns.end() || column->left >= At(i).box.right) return false;
      const Column& above = *column;
      const double line_height = std::min(above.line_height, text.line_height), gap = text.box.top - above.bottom;
      if (text.box.height() > 1.5 * text.line_height) return gap <= kParagraphGap * line_height;
      return gap <= kLineGap * line_height && text.box.left - above.left <= kIndent * line_height;
    });
  }

  // The part in bands, of which successive ones are put together where the same gutters go through them.
  std::vector<Part> InGroups(const Part& part) const {
    std::vector<Part> bands = InBands(part);
    std::vector<Part> groups;
    std::vector<Column> columns;  // of the last group
    for (const Part& band : bands) {
      std::vector<Column> own = ColumnsOf(band);
      if (!groups.empty() && Continues(band, columns)) {
        std::vector<Column> both = columns;
        both.insert(both.end(), own.begin(), own.end());
        both = Merged(std::move(both));
        if (both.size() >= std::min<size_t>(2, std::max(columns.size(), own.size()))) {
          groups.back().insert(groups.back().end(), band.begin(), band.end());
          columns = std::move(both);
          continue;
        }
      }
      groups.push_back(band);
      columns = std::move(own);
    }
    return groups.size() == 1 && columns.size() == 1 ? bands : groups;
  }

  const std::span<const Block> blocks_;
  const bool gutters_first_;
  Part order_;
  int num_topmost_ = 0;
};

// The blocks of the lines that run in the page's direction, or of the others, in the page's frame.
void AddBlocks(const PageFrame& frame, bool sideways, std::vector<Block>& blocks) {
  std::vector<int> indices;
  std::vector<LayoutBox> boxes;
  for (size_t i = 0; i < frame.lines.size(); ++i) {
    if (frame.lines[i].is_sideways != sideways) continue;
    indices.push_back(static_cast<int>(i));
    const LayoutBox& box = frame.lines[i].box;
    boxes.push_back(sideways ? ToSidewaysFrame(box, frame.is_vertical) : box);
  }
  for (TextBlock& text : MakeTextBlocks(boxes, frame.is_vertical == sideways)) {
    for (int& line : text.lines) line = indices[static_cast<size_t>(line)];
    if (sideways) text.box = FromSidewaysFrame(text.box, frame.is_vertical);
    Block block = {std::move(text), {}, sideways};
    block.box = block.text.box;
    const double inset_y = kInset * std::min(block.text.line_height, block.box.height());
    const double inset_x = kInset / 2 * std::min(block.text.line_height, block.box.width());
    block.box = {block.box.left + inset_x, block.box.top + inset_y, block.box.right - inset_x,
                 block.box.bottom - inset_y};
    blocks.push_back(std::move(block));
  }
}

}  // namespace

std::vector<int> ReadingOrder(std::span<const Quad> quads, const PageAxis& axis) {
  // Sums and ties depend on the order of the lines, so it is always the same.
  std::vector<int> sorted(quads.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto key = [&](int i) {
    const auto& [a, b, c, d] = quads[static_cast<size_t>(i)];
    return std::array{a.y, a.x, b.y, b.x, c.y, c.x, d.y, d.x, i};
  };
  std::sort(sorted.begin(), sorted.end(), [&](int i, int j) { return key(i) < key(j); });
  std::vector<Quad> lines;
  for (const int i : sorted) lines.push_back(quads[static_cast<size_t>(i)]);

  const PageFrame frame = FindPageFrame(lines, axis);
  std::vector<Block> blocks;
  AddBlocks(frame, false, blocks);
  AddBlocks(frame, true, blocks);
  std::vector<int> order;
  for (const int block : Cutter(blocks, frame.is_vertical).Order())
    for (const int line : blocks[static_cast<size_t>(block)].text.lines)
      order.push_back(sorted[static_cast<size_t>(line)]);
  return order;
}

}  // namespace inkread
