#include "ocr/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "ocr/code_point.h"
#include "ocr/line_ink.h"

namespace inkread {
namespace {

// Measured on the data set, small: the centre of a character's ink is uniformly spread over the columns of its step
// and, on the mean, at this share of them. docs/performance.md, Words.
constexpr double kCentreInStep = 0.3;

// How far the border of two neighbours may be from the middle of their centres: a share of the distance of those and
// one of a step. A wide letter beside a narrow one moves it; an inner gap of a character must not be taken for it.
constexpr double kBorderShare = 0.3, kBorderShareAtSpace = 0.45, kBorderSteps = 0.25;
// What a column of distance from the middle costs, in pixels of ink.
constexpr double kDistanceCost = 0.2, kDistanceCostAtSpace = 0.075;

// In heights of the line: no character reaches farther from its centre, so what does is a bullet or an icon.
constexpr double kReach = 0.6;
// Where nothing is taken for ink: half the width of a character, in heights, and the rows that a detector leaves above
// and below text, as shares of the height.
constexpr double kHalfWidth = 0.25, kAbove = 0.17, kBelow = 0.13;

struct Character {
  const std::string* text = nullptr;
  float score = 0;
  double centre = 0;  // column of the ink
  bool begins_word = false;
  bool after_space = false;
};

// Columns [x0, x1) and rows [y0, y1) of a LineInk.
struct Box {
  int x0 = 0, x1 = 0, y0 = 0, y1 = 0;
};

struct Part {
  Box box;
  std::string text;
  double score = 0;
};

bool IsSpace(char32_t c) { return c == 0x20 || c == 0x09 || c == 0xA0 || (c >= 0x2000 && c <= 0x200B) || c == 0x3000; }

// Columns of the ink that belong to one of `num_steps` steps.
double StepColumns(size_t num_steps, RecWidth width, int ink_width) {
  // A network makes a step of a whole number of columns of its input. Some at the end may belong to none.
  const double input_columns = std::round(static_cast<double>(width.total) / static_cast<double>(num_steps));
  return input_columns * ink_width / width.used;
}

std::vector<Character> VisibleCharacters(std::span<const CtcCharacter> read, const Dictionary& dictionary,
                                         double step_columns, int ink_width) {
  std::vector<Character> characters;
  bool after_space = true, after_own = false;
  for (const CtcCharacter& c : read) {
    INKREAD_CHECK(c.index >= 0 && c.index < dictionary.num_classes());
    const std::string& text = dictionary.text(c.index);
    std::string_view rest = text;
    const char32_t code_point = NextCodePoint(rest);
    if (IsSpace(code_point)) {
      after_space = true;
      continue;
    }
    const bool is_own = IsWordOfItsOwn(code_point);
    const double step = (c.first_step + c.last_step) * 0.5 + kCentreInStep;
    const double centre = std::min(step * step_columns, static_cast<double>(ink_width));
    characters.push_back({&text, c.probability, centre, after_space || after_own || is_own, after_space});
    after_space = false;
    after_own = is_own;
  }
  return characters;
}

std::vector<int> InkInColumns(const LineInk& ink) {
  std::vector<int> counts(static_cast<size_t>(ink.width));
  for (int y = 0; y < ink.height; ++y) {
    for (int x = 0; x < ink.width; ++x) counts[static_cast<size_t>(x)] += ink.row(y)[x];
  }
  return counts;
}

// The column at which each character begins; each has at least one, unless there are more of them than columns.
std::vector<int> FirstColumns(const std::vector<Character>& characters, double step_columns,
                              const std::vector<int>& ink_in_columns) {
  const int width = static_cast<int>(ink_in_columns.size());
  std::vector<int> firsts = {0};
  for (size_t i = 1; i < characters.size(); ++i) {
    const double left = characters[i - 1].centre, right = characters[i].centre, middle = (left + right) / 2;
    const bool at_space = characters[i].after_space;
    const double reach = (right - left) * (at_space ? kBorderShareAtSpace : kBorderShare) + kBorderSteps * step_columns;
    const double cost_of_distance = at_space ? kDistanceCostAtSpace : kDistanceCost;
    const int num_left = static_cast<int>(characters.size() - i);
    const int low = std::max(static_cast<int>(middle - reach), firsts.back() + 1);
    const int high = std::min(static_cast<int>(middle + reach), width - num_left);
    int best = std::min(low, std::max(width - num_left, firsts.back()));
    double best_cost = -1;
    for (int x = low; x <= high; ++x) {
      const double cost = ink_in_columns[static_cast<size_t>(x)] + cost_of_distance * std::abs(x + 0.5 - middle);
      if (best_cost >= 0 && cost >= best_cost) continue;
      best = x;
      best_cost = cost;
    }
    firsts.push_back(best);
  }
  return firsts;
}

// Shrinks the box, which has some columns, to its ink. Returns false where it has none.
bool ShrinkToInk(const LineInk& ink, const std::vector<int>& ink_in_columns, Box& box) {
  while (box.x0 < box.x1 && ink_in_columns[static_cast<size_t>(box.x0)] == 0) ++box.x0;
  while (box.x0 < box.x1 && ink_in_columns[static_cast<size_t>(box.x1 - 1)] == 0) --box.x1;
  if (box.x0 == box.x1) return false;
  const auto has_ink = [&](int y) {
    return std::memchr(ink.row(y) + box.x0, 1, static_cast<size_t>(box.x1 - box.x0)) != nullptr;
  };
  while (!has_ink(box.y0)) ++box.y0;
  while (!has_ink(box.y1 - 1)) --box.y1;
  return true;
}

std::vector<Part> PlaceCharacters(const std::vector<Character>& characters, double step_columns, const LineInk& ink) {
  const std::vector<int> ink_in_columns = InkInColumns(ink);
  Box line{0, ink.width, 0, ink.height};
  if (!ShrinkToInk(ink, ink_in_columns, line)) {
    line.y0 = static_cast<int>(kAbove * ink.height);
    line.y1 = ink.height - static_cast<int>(kBelow * ink.height);
  }
  std::vector<int> borders = FirstColumns(characters, step_columns, ink_in_columns);
  borders.push_back(ink.width);
  std::vector<Part> parts;
  for (size_t i = 0; i < characters.size(); ++i) {
    const double centre = characters[i].centre;
    // Of the character's columns, those not farther from its centre than `reach`; all of them where there are none.
    const auto within = [&](double reach) {
      const Box box{std::max(borders[i], static_cast<int>(centre - reach)),
                    std::min(borders[i + 1], static_cast<int>(std::ceil(centre + reach))), 0, ink.height};
      return box.x0 < box.x1 ? box : Box{borders[i], borders[i + 1], 0, ink.height};
    };
    Box box = within(kReach * ink.height);
    if (!ShrinkToInk(ink, ink_in_columns, box)) {
      box = within(kHalfWidth * ink.height);
      box.y0 = line.y0;
      box.y1 = line.y1;
    }
    parts.push_back({box, *characters[i].text, static_cast<double>(characters[i].score)});
  }
  return parts;
}

std::vector<Part> JoinWords(const std::vector<Part>& parts, const std::vector<Character>& characters) {
  std::vector<Part> words;
  std::vector<int> num_characters;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (characters[i].begins_word) {
      words.push_back(parts[i]);
      num_characters.push_back(1);
      continue;
    }
    Part& word = words.back();
    word.text += parts[i].text;
    word.score += parts[i].score;
    word.box.x1 = parts[i].box.x1;
    word.box.y0 = std::min(word.box.y0, parts[i].box.y0);
    word.box.y1 = std::max(word.box.y1, parts[i].box.y1);
    ++num_characters.back();
  }
  for (size_t i = 0; i < words.size(); ++i) words[i].score /= num_characters[i];
  return words;
}

// From boxes of a line's ink to quads of its image.
class QuadMaker {
 public:
  QuadMaker(const LineShape& line, const LineInk& ink, const ImageView& image)
      : level_(LayLevel(line)),
        width_(ink.width),
        height_(ink.height),
        turns_(static_cast<size_t>(line.quarter_turns())),
        image_width_(image.width_px),
        image_height_(image.height_px) {}

  Quad operator()(const Box& box) const {
    const std::array<std::pair<int, int>, 4> corners = {
        {{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}}};
    Quad quad;
    for (size_t i = 0; i < 4; ++i) {
      const PointD p =
          level_.At(static_cast<double>(corners[i].first) / width_, static_cast<double>(corners[i].second) / height_);
      quad[(turns_ + i) % 4] = {std::clamp(static_cast<int>(std::lround(p.x)), 0, image_width_),
                                std::clamp(static_cast<int>(std::lround(p.y)), 0, image_height_)};
    }
    return quad;
  }

  bool is_tilted() const { return level_.along.x != 0 && level_.along.y != 0; }

  // Whether a part of the line is beyond the image.
  bool sticks_out() const {
    for (const double u : {0.0, 1.0}) {
      for (const double v : {0.0, 1.0}) {
        const PointD p = level_.At(u, v);
        if (p.x < 0 || p.y < 0 || p.x > image_width_ || p.y > image_height_) return true;
      }
    }
    return false;
  }

  // Columns within which two boxes may overlap once their corners are rounded, which moves a corner by 0.71 px at most.
  double columns_to_check() const { return 1.5 * width_ / std::hypot(level_.along.x, level_.along.y); }

 private:
  const LevelLine level_;
  const int width_, height_;
  const size_t turns_;
  const int image_width_, image_height_;
};

// Whether two convex quads have more in common than points of their edges.
bool Overlap(const Quad& a, const Quad& b) {
  for (const auto& [one, other] : {std::pair{&a, &b}, {&b, &a}}) {
    for (size_t i = 0; i < 4; ++i) {
      const Point p = (*one)[i], q = (*one)[(i + 1) % 4];
      const bool is_apart = std::all_of(other->begin(), other->end(), [&](const Point& r) {
        return int64_t{q.x - p.x} * (r.y - p.y) - int64_t{q.y - p.y} * (r.x - p.x) <= 0;
      });
      if (is_apart) return false;
    }
  }
  return true;
}

void GiveCommonRows(Box& a, Box& b) {
  a.y0 = b.y0 = std::min(a.y0, b.y0);
  a.y1 = b.y1 = std::max(a.y1, b.y1);
}

// Rounding and the border of the image may make neighbours on a tilted line overlap a little. With common rows they do
// not: corners are rounded and clamped by coordinate, which keeps the order of points along either axis, and so every
// column of the line stays on its side of the next one.
void KeepApart(const QuadMaker& quad_of, std::vector<Part>& parts) {
  if (!quad_of.is_tilted()) return;
  if (quad_of.sticks_out()) {
    Box all = parts.empty() ? Box() : parts[0].box;
    for (Part& part : parts) GiveCommonRows(all, part.box);
    for (Part& part : parts) GiveCommonRows(all, part.box);
    return;
  }
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = 0; i < parts.size(); ++i) {
      Box& a = parts[i].box;
      for (size_t k = i + 1; k < parts.size() && parts[k].box.x0 - a.x1 < quad_of.columns_to_check(); ++k) {
        Box& b = parts[k].box;
        if ((a.y0 == b.y0 && a.y1 == b.y1) || !Overlap(quad_of(a), quad_of(b))) continue;
        GiveCommonRows(a, b);
        has_changed = true;
      }
    }
  }
}

std::vector<Word> WordsOf(std::vector<Part> parts, const QuadMaker& quad_of) {
  KeepApart(quad_of, parts);
  std::vector<Word> words;
  for (Part& part : parts) words.push_back({quad_of(part.box), std::move(part.text), static_cast<float>(part.score)});
  return words;
}

}  // namespace

bool IsWordOfItsOwn(char32_t c) {
  if (c >= 0x2E80 && c < 0xA000) return c < 0x3130 || c > 0x318F;  // all but the letters of Hangul
  if (c >= 0xFF00 && c < 0xFFA0) {
    const bool is_digit = c >= 0xFF10 && c <= 0xFF19;
    const bool is_latin = (c >= 0xFF21 && c <= 0xFF3A) || (c >= 0xFF41 && c <= 0xFF5A);
    return !is_digit && !is_latin;
  }
  return (c >= 0xF900 && c < 0xFB00) || (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFFE0 && c < 0xFFF0) ||
         (c >= 0x1AFF0 && c < 0x1B170) || (c >= 0x20000 && c < 0x40000);
}

LineParts FindWords(std::span<const CtcStep> steps, const Dictionary& dictionary, RecWidth width, const LineShape& line,
                    const ImageView& image) {
  const std::vector<CtcCharacter> read = CtcCharacters(steps);
  if (read.empty()) return {};
  const LineInk ink = FindInk(image, line);
  const double step_columns = StepColumns(steps.size(), width, ink.width);
  const std::vector<Character> characters = VisibleCharacters(read, dictionary, step_columns, ink.width);
  const std::vector<Part> chars = PlaceCharacters(characters, step_columns, ink);
  const QuadMaker quad_of(line, ink, image);
  return {WordsOf(JoinWords(chars, characters), quad_of), WordsOf(chars, quad_of)};
}

void BeginQuadsAt(LineParts& parts, size_t corner) {
  for (std::vector<Word>* words : {&parts.words, &parts.chars}) {
    for (Word& word : *words)
      std::rotate(word.quad.begin(), word.quad.begin() + static_cast<ptrdiff_t>(corner % 4), word.quad.end());
  }
}

}  // namespace inkread
