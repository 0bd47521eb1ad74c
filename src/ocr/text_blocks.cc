#include "ocr/text_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace inkread {
namespace {

// In heights of the lines concerned.
constexpr double kSameBaseline = 0.25;  // between the middles of two lines of one row
constexpr double kSurelySame = 0.2;     // the same, for counts: there it must not be by chance
constexpr double kMargin = 0.15;        // of a box around the letters of its line
constexpr double kFlush = 0.5;          // between the left ends of lines of one column
constexpr double kPieceGap = 0.4;       // between pieces of one line; a gutter is wider
constexpr double kStackGap = 2.0;       // between lines of one stack; a blank line is more
constexpr double kHeadingGap = 1.2;     // between a heading and the prose below it
constexpr double kProseWidth = 7;       // narrower columns are those of tables
constexpr double kWideProseWidth = 9;   // of prose with two lines only
constexpr double kTightGap = 0.85;      // between those

constexpr double kLikeHeight = 1.6;   // greatest ratio of the heights of lines in one stack
constexpr double kTwoAlike = 1.3;     // the same, of prose with two lines only
constexpr double kEvenPitch = 1.3;    // greatest ratio of the distance of two lines in a stack to the median
constexpr double kFullLine = 0.75;    // a line of prose that is not the last of a paragraph: of the widest
constexpr double kSharedRows = 0.75;  // of the lines of a stack that could be in rows with those beside them
constexpr double kAlongProse = 0.6;   // of the height of prose: labels and numbers go along more of it than a caption

// Between a headline and its prose.
constexpr int kMostBetween = 2;          // stacks
constexpr size_t kMostLinesBetween = 2;  // of each

using Lists = std::vector<std::vector<int>>;

bool OnOneBaseline(const LayoutBox& a, const LayoutBox& b, double tolerance = kSameBaseline) {
  return std::abs(a.mid_y() - b.mid_y()) <= tolerance * std::max(a.height(), b.height());
}

// The lower one of two.
double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// For each box the boxes that are seen from it upwards: in some range of x within both, wider than `least` heights of
// the lower one, no other box is in between. Goes through the boxes from the top down and keeps, for each x, the lowest
// box so far.
Lists Visible(std::span<const LayoutBox> boxes, double least) {
  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    const LayoutBox &a = boxes[static_cast<size_t>(i)], &b = boxes[static_cast<size_t>(j)];
    return std::tuple(a.mid_y(), a.left, i) < std::tuple(b.mid_y(), b.left, j);
  });
  Lists seen(boxes.size());
  std::map<double, int> lowest = {{-std::numeric_limits<double>::infinity(), -1}};  // start of an interval -> its box
  for (const int i : order) {
    const LayoutBox& box = boxes[static_cast<size_t>(i)];
    if (!(box.left < box.right)) continue;
    std::vector<int>& found = seen[static_cast<size_t>(i)];
    const auto first = std::prev(lowest.upper_bound(box.left));
    auto last = first;
    int behind = -1;
    while (last != lowest.end() && last->first < box.right) {
      behind = last->second;
      const double start = std::max(last->first, box.left);
      ++last;
      const double end = last == lowest.end() ? box.right : std::min(last->first, box.right);
      if (behind >= 0 && end - start > least * box.height()) found.push_back(behind);
    }
    if (last == lowest.end() || last->first > box.right) lowest.emplace_hint(last, box.right, behind);
    lowest.erase(first->first < box.left ? std::next(first) : first, lowest.find(box.right));
    lowest[box.left] = i;
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  return seen;
}

// What is seen from each line upwards, past the ends of lines that are hardly shorter.
Lists VisibleAbove(std::span<const LayoutBox> boxes) { return Visible(boxes, kMargin); }

// What is seen from each line to the left, apart from the margins above and below it: successive lines may touch.
Lists VisibleOnTheLeft(std::span<const LayoutBox> boxes) {
  std::vector<LayoutBox> turned;
  for (const LayoutBox& box : boxes) {
    const double inset = kMargin * box.height();
    turned.push_back({box.top + inset, box.left, box.bottom - inset, box.right});
  }
  return Visible(turned, 0);
}

Lists Inverse(const Lists& lists) {
  Lists inverse(lists.size());
  for (size_t i = 0; i < lists.size(); ++i)
    for (const int j : lists[i]) inverse[static_cast<size_t>(j)].push_back(static_cast<int>(i));
  return inverse;
}

// Links each box to its nearest neighbour on the right, where that has no nearer one on the left.
//
// may_link  of (left box, right box)
// Returns   the boxes in rows, each from the left; a box without links is a row of its own
template <typename MayLink>
Lists LinkRows(std::span<const LayoutBox> boxes, const Lists& on_the_left, MayLink may_link) {
  std::vector<int> next(boxes.size(), -1), previous(boxes.size(), -1);
  for (size_t b = 0; b < boxes.size(); ++b) {
    int& nearest = previous[b];
    for (const int a : on_the_left[b]) {
      // A box within another one is noise.
      const LayoutBox& left = boxes[static_cast<size_t>(a)];
      if (boxes[b].left < left.mid_x() || boxes[b].right < left.right || !may_link(a, static_cast<int>(b))) continue;
      if (nearest < 0 || boxes[static_cast<size_t>(a)].right > boxes[static_cast<size_t>(nearest)].right) nearest = a;
    }
    if (nearest < 0) continue;
    int& other = next[static_cast<size_t>(nearest)];
    if (other < 0 || boxes[b].left < boxes[static_cast<size_t>(other)].left) other = static_cast<int>(b);
  }
  Lists rows;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const bool is_first = previous[i] < 0 || next[static_cast<size_t>(previous[i])] != static_cast<int>(i);
    if (!is_first) continue;
    rows.emplace_back();
    for (int j = static_cast<int>(i); j >= 0; j = next[static_cast<size_t>(j)]) rows.back().push_back(j);
  }
  return rows;
}

// Several lines below each other, the topmost first.
struct Stack {
  std::vector<int> lines;
  LayoutBox box;
  bool is_prose = false;
};

class Page {
 public:
  Page(std::span<const LayoutBox> boxes, bool has_rows)
      : boxes_(boxes),
        has_rows_(has_rows),
        above_(VisibleAbove(boxes)),
        below_(Inverse(above_)),
        on_the_left_(VisibleOnTheLeft(boxes)),
        on_the_right_(Inverse(on_the_left_)),
        stack_of_(boxes.size(), -1) {}

  // The lines in blocks: stacks without rows, rows, and the lines that are left.
  Lists Blocks() {
    MakeStacks();
    FindNeighbours();
    DismissProseInRows();
    const Lists rows = LinkRows(boxes_, on_the_left_, [&](int a, int b) { return AreOfOneRow(a, b); });
    std::vector<bool> has_rows(stacks_.size());
    for (const std::vector<int>& row : rows)
      if (row.size() > 1)
        for (const int line : row) has_rows[Index(stack_of_[Index(line)])] = true;
    Lists blocks;
    for (size_t s = 0; s < stacks_.size(); ++s)
      if (!has_rows[s]) blocks.push_back(stacks_[s].lines);
    for (const std::vector<int>& row : rows)
      if (has_rows[Index(stack_of_[Index(row[0])])]) blocks.push_back(row);
    return blocks;
  }

 private:
  enum Side { kLeft, kRight };

  static size_t Index(int i) { return static_cast<size_t>(i); }
  const LayoutBox& BoxOf(int line) const { return boxes_[Index(line)]; }
  const Stack& StackOf(int line) const { return stacks_[Index(stack_of_[Index(line)])]; }

  // The line that this one follows closely downwards; -1 if none.
  int LineAbove(int line) const {
    const std::vector<int>& above = above_[Index(line)];
    if (above.empty()) return -1;
    const int nearest = *std::max_element(above.begin(), above.end(), [&](int a, int b) {
      return std::tuple(BoxOf(a).bottom, a) < std::tuple(BoxOf(b).bottom, b);
    });
    const LayoutBox &a = BoxOf(nearest), &b = BoxOf(line);
    const double low = std::min(a.height(), b.height()), high = std::max(a.height(), b.height());
    const double shared = std::min(a.right, b.right) - std::max(a.left, b.left);
    const bool follows = high <= kLikeHeight * low && b.top - a.bottom <= kStackGap * low &&
                         shared >= std::min(a.width(), b.width()) / 2;
    return follows ? nearest : -1;
  }

  // Lines that follow each other, from the top. Where several follow one, the highest does.
  Lists Chains() const {
    std::vector<int> above(boxes_.size()), below(boxes_.size(), -1);
    for (size_t i = 0; i < boxes_.size(); ++i) {
      above[i] = LineAbove(static_cast<int>(i));
      if (above[i] < 0) continue;
      int& follower = below[Index(above[i])];
      if (follower < 0 || BoxOf(follower).top > boxes_[i].top) follower = static_cast<int>(i);
    }
    Lists chains;
    for (size_t i = 0; i < boxes_.size(); ++i) {
      if (above[i] >= 0 && below[Index(above[i])] == static_cast<int>(i)) continue;
      chains.emplace_back();
      for (int line = static_cast<int>(i); line >= 0; line = below[Index(line)]) chains.back().push_back(line);
    }
    return chains;
  }

  // Whether another line than `line` is beside it within the width of the stack, or beside the stack within its width.
  bool IsDisturbed(int stack, int line) const {
    const LayoutBox& box = stacks_[Index(stack)].box;
    const double slack = BoxOf(line).height() / 4;
    for (const int other : on_the_left_[Index(line)])
      if (BoxOf(other).right > box.left + slack) return true;
    for (const int other : on_the_right_[Index(line)])
      if (BoxOf(other).left < box.right - slack) return true;
    for (const int other : above_[Index(line)])
      if (stack_of_[Index(other)] != stack && BoxOf(other).mid_y() > box.top) return true;
    return false;
  }

  // Chains, cut where the distance of two lines is clearly greater than elsewhere in the chain, or where another line
  // is in the way.
  void MakeStacks() {
    for (const std::vector<int>& chain : Chains()) {
      std::vector<double> pitches;
      for (size_t i = 1; i < chain.size(); ++i)
        pitches.push_back(BoxOf(chain[i]).mid_y() - BoxOf(chain[i - 1]).mid_y());
      const double limit = pitches.empty() ? 0 : kEvenPitch * Median(pitches);
      int stack = -1;
      for (size_t i = 0; i < chain.size(); ++i) {
        const int line = chain[i];
        if (i == 0 || pitches[i - 1] > limit || IsDisturbed(stack, line)) {
          stack = static_cast<int>(stacks_.size());
          stacks_.push_back({{}, BoxOf(line), false});
        }
        stack_of_[Index(line)] = stack;
        stacks_.back().lines.push_back(line);
        stacks_.back().box.Cover(BoxOf(line));
      }
    }
    FindProse();
  }

  // Marks the stacks that are prose. Short lines over prose are a heading, which is a stack of its own.
  void FindProse() {
    const size_t num_stacks = stacks_.size();
    for (size_t s = 0; s < num_stacks; ++s) {
      Stack& stack = stacks_[s];
      double widest = 0;
      for (const int line : stack.lines) widest = std::max(widest, BoxOf(line).width());
      const auto first = std::find_if(stack.lines.begin(), stack.lines.end(),
                                      [&](int line) { return BoxOf(line).width() >= kFullLine * widest; });
      Stack prose = StackOfLines({first, stack.lines.end()});
      prose.is_prose = LooksLikeProse(prose, widest);
      if (!prose.is_prose) continue;
      if (first == stack.lines.begin()) {
        stack.is_prose = true;
        continue;
      }
      for (const int line : prose.lines) stack_of_[Index(line)] = static_cast<int>(stacks_.size());
      stack = StackOfLines({stack.lines.begin(), first});
      stacks_.push_back(std::move(prose));
    }
  }

  Stack StackOfLines(std::vector<int> lines) const {
    Stack stack = {std::move(lines), {}, false};
    stack.box = BoxOf(stack.lines[0]);
    for (const int line : stack.lines) stack.box.Cover(BoxOf(line));
    return stack;
  }

  bool LooksLikeProse(const Stack& stack, double widest) const {
    if (stack.lines.size() < 2) return false;
    std::vector<double> heights;
    size_t num_full = 0;
    for (const int line : stack.lines) {
      heights.push_back(BoxOf(line).height());
      if (BoxOf(line).width() >= kFullLine * widest) ++num_full;
    }
    double least = kProseWidth;
    if (stack.lines.size() == 2) {
      const double low = std::min(heights[0], heights[1]), high = std::max(heights[0], heights[1]);
      if (high > kTwoAlike * low || BoxOf(stack.lines[1]).top - BoxOf(stack.lines[0]).bottom > kTightGap * low)
        return false;
      least = kWideProseWidth;
    }
    return widest >= least * Median(std::move(heights)) && 2 * num_full >= stack.lines.size();
  }

  // Which stacks see each other from side to side, and the neighbours that lines of them have on their baselines.
  void FindNeighbours() {
    for (Lists& lists : beside_) lists.resize(stacks_.size());
    for (Lists& lists : partners_) lists.resize(boxes_.size());
    for (size_t b = 0; b < boxes_.size(); ++b) {
      for (const int a : on_the_left_[b]) {
        const int left = stack_of_[Index(a)], right = stack_of_[b];
        if (left == right) continue;
        beside_[kRight][Index(left)].push_back(static_cast<int>(b));
        beside_[kLeft][Index(right)].push_back(a);
        if (!OnOneBaseline(BoxOf(a), boxes_[b], kSurelySame)) continue;
        partners_[kRight][Index(a)].push_back(static_cast<int>(b));
        partners_[kLeft][b].push_back(a);
      }
    }
  }

  // Whether the line has a partner on that side that may be in a row with it.
  bool HasPartner(Side side, int line) const {
    const std::vector<int>& partners = partners_[side][Index(line)];
    return std::any_of(partners.begin(), partners.end(), [&](int partner) { return !StackOf(partner).is_prose; });
  }

  // How a stack and the lines on one side of it agree.
  struct Agreement {
    size_t num_beside = 0, num_prose_beside = 0;  // lines on that side
    size_t num_pairs = 0;                         // lines of the stack that have a partner there
    double share = 0;                             // pairs, of the lines of the stack that have a neighbour there
    double height = 0;                            // px, of the part of the stack that lines are beside
  };

  Agreement AgreementOn(Side side, int s) const {
    const Stack& stack = stacks_[Index(s)];
    Agreement agreement;
    double top = stack.box.bottom, bottom = stack.box.top;
    for (const int line : beside_[side][Index(s)]) {
      ++agreement.num_beside;
      if (StackOf(line).is_prose) ++agreement.num_prose_beside;
      top = std::min(top, BoxOf(line).top);
      bottom = std::max(bottom, BoxOf(line).bottom);
    }
    size_t num_facing = 0;
    for (const int line : stack.lines) {
      const std::vector<int>& neighbours = side == kLeft ? on_the_left_[Index(line)] : on_the_right_[Index(line)];
      if (!neighbours.empty()) ++num_facing;
      if (HasPartner(side, line)) ++agreement.num_pairs;
    }
    if (num_facing > 0) agreement.share = static_cast<double>(agreement.num_pairs) / static_cast<double>(num_facing);
    agreement.height = std::max(0.0, bottom - top);
    return agreement;
  }

  bool IsProseInRows(Side side, int s) const {
    const Agreement agreement = AgreementOn(side, s);
    return agreement.num_pairs >= 2 && agreement.share >= kSharedRows &&
           2 * agreement.num_prose_beside < agreement.num_beside &&
           agreement.height >= kAlongProse * stacks_[Index(s)].box.height();
  }

  // Whether two cells of a table are beside the line on that side.
  bool HasTwoPartners(Side side, int line) const {
    const std::vector<int>& partners = partners_[side][Index(line)];
    return std::any_of(partners.begin(), partners.end(),
                       [&](int partner) { return !StackOf(partner).is_prose && HasPartner(side, partner); });
  }

  // Whether the stack is a cell of a table, whose text goes on in a second line: it is between two other cells, or at
  // an end of their row.
  bool IsWrappedCell(int s) const {
    const std::vector<int>& lines = stacks_[Index(s)].lines;
    if (lines.size() != 2) return false;
    if (HasPartner(kLeft, lines[0]) && HasPartner(kRight, lines[0])) return true;
    return (HasTwoPartners(kLeft, lines[0]) && beside_[kRight][Index(s)].empty()) ||
           (HasTwoPartners(kRight, lines[0]) && beside_[kLeft][Index(s)].empty());
  }

  void DismissProseInRows() {
    std::vector<int> open(stacks_.size());
    std::iota(open.begin(), open.end(), 0);
    while (!open.empty()) {
      const int s = open.back();
      open.pop_back();
      Stack& stack = stacks_[Index(s)];
      if (!stack.is_prose || !(IsWrappedCell(s) || IsProseInRows(kLeft, s) || IsProseInRows(kRight, s))) continue;
      stack.is_prose = false;
      for (const Lists& lists : beside_)
        for (const int line : lists[Index(s)]) open.push_back(stack_of_[Index(line)]);
    }
    for (const Side side : {kLeft, kRight})
      for (size_t s = 0; s < stacks_.size(); ++s)
        agrees_[side].push_back(AgreementOn(side, static_cast<int>(s)).share >= kSharedRows);
  }

  // The prose above or below a stack, if nothing else is there and the stack is within its width; -1 if there is none.
  //
  // seen  what is seen from the first or the last line of the stack in that direction
  int ProseAlong(const Stack& stack, const std::vector<int>& seen) const {
    int prose = -1;
    for (const int line : seen) {
      if (!StackOf(line).is_prose || (prose >= 0 && prose != stack_of_[Index(line)])) return -1;
      prose = stack_of_[Index(line)];
    }
    if (prose < 0) return -1;
    const LayoutBox& column = stacks_[Index(prose)].box;
    const double slack = BoxOf(stack.lines[0]).height();
    return stack.box.left >= column.left - slack && stack.box.right <= column.right + slack ? prose : -1;
  }

  // The prose of which the stack is a heading; -1 if there is none. Up to two short stacks may be in between, such as
  // the rest of a headline and the names of its authors.
  int ProseUnderHeading(const Stack& heading) const {
    const Stack* last = &heading;
    for (int num_between = 0; num_between <= kMostBetween; ++num_between) {
      const std::vector<int>& below = below_[Index(last->lines.back())];
      if (below.empty()) return -1;
      const Stack& next = StackOf(
          *std::min_element(below.begin(), below.end(), [&](int a, int b) { return BoxOf(a).top < BoxOf(b).top; }));
      if (next.box.top - last->box.bottom > kHeadingGap * BoxOf(last->lines.back()).height()) return -1;
      const int prose = ProseAlong(*last, below);
      if (prose >= 0) return ProseAlong(heading, {stacks_[Index(prose)].lines[0]});
      const bool is_alone = std::all_of(below.begin(), below.end(), [&](int line) {
        return &StackOf(line) == &next || BoxOf(line).top >= next.box.bottom;
      });
      if (!is_alone || next.is_prose || next.lines.size() > kMostLinesBetween) return -1;
      last = &next;
    }
    return -1;
  }

  // Whether two stacks are a heading or a caption each, in two columns of prose.
  bool AreInColumns(const Stack& a, const Stack& b) const {
    const auto are_two = [](int prose_a, int prose_b) { return prose_a >= 0 && prose_b >= 0 && prose_a != prose_b; };
    return are_two(ProseUnderHeading(a), ProseUnderHeading(b)) ||
           (are_two(ProseAlong(a, below_[Index(a.lines.back())]), ProseAlong(b, below_[Index(b.lines.back())])) &&
            are_two(ProseAlong(a, above_[Index(a.lines[0])]), ProseAlong(b, above_[Index(b.lines[0])])));
  }

  bool AreOfOneRow(int a, int b) const {
    const int left = stack_of_[Index(a)], right = stack_of_[Index(b)];
    return has_rows_ && left != right && OnOneBaseline(BoxOf(a), BoxOf(b)) && !StackOf(a).is_prose &&
           !StackOf(b).is_prose && agrees_[kRight][Index(left)] && agrees_[kLeft][Index(right)] &&
           !AreInColumns(StackOf(a), StackOf(b));
  }

  const std::span<const LayoutBox> boxes_;
  const bool has_rows_;
  const Lists above_, below_, on_the_left_, on_the_right_;
  std::vector<Stack> stacks_;
  std::vector<int> stack_of_;    // of each line
  Lists beside_[2];              // of each side and stack: lines of other stacks that are seen there
  Lists partners_[2];            // of each side and line: those of beside_ that are on its baseline
  std::vector<bool> agrees_[2];  // of each side and stack
};

// The lines of which several boxes are pieces. A box that begins where the one above or below it does is no piece, but
// in a column beside a narrow gutter.
Lists JoinPieces(std::span<const LayoutBox> boxes) {
  const Lists above = VisibleAbove(boxes), below = Inverse(above);
  const auto begins_like = [&](const LayoutBox& box, const std::vector<int>& others) {
    return std::any_of(others.begin(), others.end(), [&](int other) {
      return std::abs(boxes[static_cast<size_t>(other)].left - box.left) <= kFlush * box.height();
    });
  };
  return LinkRows(boxes, VisibleOnTheLeft(boxes), [&](int i, int j) {
    const LayoutBox &a = boxes[static_cast<size_t>(i)], &b = boxes[static_cast<size_t>(j)];
    const double low = std::min(a.height(), b.height());
    return OnOneBaseline(a, b) && b.left - a.right <= kPieceGap * low && std::max(a.height(), b.height()) <= 2 * low &&
           !begins_like(b, above[static_cast<size_t>(j)]) && !begins_like(b, below[static_cast<size_t>(j)]);
  });
}

}  // namespace

void LayoutBox::Cover(const LayoutBox& other) {
  left = std::min(left, other.left);
  top = std::min(top, other.top);
  right = std::max(right, other.right);
  bottom = std::max(bottom, other.bottom);
}

std::vector<TextBlock> MakeTextBlocks(std::span<const LayoutBox> lines, bool has_rows) {
  const Lists pieces = JoinPieces(lines);
  std::vector<LayoutBox> whole;
  for (const std::vector<int>& line : pieces) {
    whole.push_back(lines[static_cast<size_t>(line[0])]);
    for (const int piece : line) whole.back().Cover(lines[static_cast<size_t>(piece)]);
  }
  std::vector<TextBlock> blocks;
  for (const std::vector<int>& members : Page(whole, has_rows).Blocks()) {
    TextBlock& block = blocks.emplace_back();
    block.box = whole[static_cast<size_t>(members[0])];
    std::vector<double> heights;
    for (const int member : members) {
      const auto m = static_cast<size_t>(member);
      block.lines.insert(block.lines.end(), pieces[m].begin(), pieces[m].end());
      block.box.Cover(whole[m]);
      heights.push_back(whole[m].height());
    }
    block.line_height = Median(std::move(heights));
  }
  return blocks;
}

std::vector<std::vector<int>> NeighboursOnTheLeft(std::span<const LayoutBox> lines) { return VisibleOnTheLeft(lines); }

double RowAlignment(std::span<const LayoutBox> lines) {
  const Lists on_the_left = VisibleOnTheLeft(lines);
  std::vector<double> best(lines.size(), -1);
  for (size_t b = 0; b < lines.size(); ++b) {
    for (const int i : on_the_left[b]) {
      const auto a = static_cast<size_t>(i);
      const double distance = std::abs(lines[a].mid_y() - lines[b].mid_y());
      const double alignment = 1 - 2 * distance / std::max({lines[a].height(), lines[b].height(), 1.0});
      best[a] = std::max({best[a], alignment, 0.0});
      best[b] = std::max({best[b], alignment, 0.0});
    }
  }
  double sum = 0;
  size_t count = 0;
  for (const double alignment : best) {
    if (alignment < 0) continue;
    sum += alignment;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace inkread
