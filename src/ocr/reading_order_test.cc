// Drawn layouts: each is put down in the order in which people read it, then shuffled, turned and jittered.
#include "ocr/reading_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace inkread {
namespace {

std::vector<int> OrderOf(const std::vector<Quad>& quads) { return ReadingOrder(quads, FindPageAxis(quads)); }

constexpr double kSize = 20;  // px, of the type

// A sheet on which lines are put down in reading order. Positions are in type sizes; y is that of a line's middle.
class Sheet {
 public:
  // A level line.
  void Line(double x, double y, double width, double size = 1) {
    // Like the boxes of a detector: higher than the type, and wider than the text.
    const double half = 0.6 * size * kSize;
    Add(x * kSize - 3, y * kSize - half, (x + width) * kSize + 3, y * kSize + half);
  }
  // Lines of these widths below each other; returns the y of the next one.
  double Lines(double x, double y, const std::vector<double>& widths, double pitch = 1.5, double size = 1) {
    for (const double width : widths) {
      Line(x, y, width, size);
      y += pitch;
    }
    return y;
  }
  // Prose: the last line of each paragraph is short.
  double Prose(double x, double y, double width, int num_lines, double pitch = 1.5) {
    for (int i = 0; i < num_lines; ++i, y += pitch) Line(x, y, i % 4 == 3 ? width * 0.4 : width - 0.3 * (i % 3));
    return y;
  }
  // A row of cells, each at its x.
  void Row(double y, const std::vector<std::pair<double, double>>& cells) {
    for (const auto& [x, width] : cells) Line(x, y, width);
  }
  // A line that runs downwards; x is that of its middle.
  void Down(double x, double y, double length, double size = 1) {
    const double half = 0.6 * size * kSize;
    Add(x * kSize - half, y * kSize - 3, x * kSize + half, (y + length) * kSize + 3);
  }

  // The lines in reading order, clockwise turned by some degrees.
  std::vector<Quad> Turned(double degrees) const {
    const double cos = std::cos(degrees * std::numbers::pi / 180), sin = std::sin(degrees * std::numbers::pi / 180);
    std::vector<Quad> quads;
    for (const auto& box : boxes_) {
      Quad& quad = quads.emplace_back();
      const double xs[] = {box[0], box[2], box[2], box[0]}, ys[] = {box[1], box[1], box[3], box[3]};
      for (size_t i = 0; i < 4; ++i) {
        quad[i] = {static_cast<int>(std::lround(1000 + xs[i] * cos - ys[i] * sin)),
                   static_cast<int>(std::lround(1000 + xs[i] * sin + ys[i] * cos))};
      }
    }
    return quads;
  }

 private:
  void Add(double left, double top, double right, double bottom) { boxes_.push_back({left, top, right, bottom}); }

  std::vector<std::array<double, 4>> boxes_;  // left, top, right, bottom in px
};

struct Layout {
  const char* name;
  std::function<void(Sheet&)> draw;
  bool has_tall_lines = false;
};
void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.name; }

const Layout kLayouts[] = {
    {"a headline over two columns on common baselines",
     [](Sheet& s) {
       s.Line(0, 0, 24, 2);
       s.Prose(0, 4, 15, 12);
       s.Prose(17, 4, 15, 11);
     }},
    {"ragged columns of six short lines",
     [](Sheet& s) {
       s.Lines(0, 0, {11.5, 10.5, 10.8, 10.6, 10.9, 10.1}, 1.8);
       s.Lines(17, 0, {11, 11.8, 11.1, 10.2, 9.9, 10.8}, 1.8);
     }},
    {"three columns, a narrow gutter, subheadings and a page number",
     [](Sheet& s) {
       s.Row(-2, {{0, 5}, {36, 5}});
       s.Line(0, 1, 30, 2);
       for (int column = 0; column < 3; ++column) {
         double y = s.Prose(column * 14.6, 4, 13, 5 + column);
         s.Line(column * 14.6, y + 0.4, 9, 1.1);
         s.Prose(column * 14.6, y + 2, 13, 9 - column);
       }
       s.Line(21, 30, 1.5);
     }},
    {"subheadings on one baseline in two columns",
     [](Sheet& s) {
       for (int column = 0; column < 2; ++column) {
         s.Line(column * 17, 0, 7);
         s.Prose(column * 17, 2, 15, 7);
         s.Line(column * 17, 13.5, 8);
         s.Prose(column * 17, 15.5, 15, 6);
       }
     }},
    {"two columns, each with a headline of two lines and the names of its authors",
     [](Sheet& s) {
       s.Line(0, -4, 26, 2);
       for (int column = 0; column < 2; ++column) {
         const double x = column * 18;
         s.Lines(x, 0, {15, 9.0 + column}, 2, 1.5);
         s.Line(x, 3.9, 6 - column, 0.85);
         s.Prose(x, 5.4, 16, 9 + column);
       }
     }},
    {"two columns of two stories with names under each headline",
     [](Sheet& s) {
       for (int column = 0; column < 2; ++column) {
         for (int story = 0; story < 2; ++story) {
           const double x = column * 17, y = story * 16.2;
           s.Line(x, y, 11 - column - story, 1.5);
           s.Line(x, y + 1.9, 5 + column, 0.85);
           s.Prose(x, y + 3.4, 15, 8);
         }
       }
     }},
    {"paragraphs that end on one baseline in two columns of unlike length",
     [](Sheet& s) {
       s.Line(0, 0, 20, 1.8);
       s.Prose(0, 4, 15, 4);
       s.Prose(0, 11, 15, 4);
       s.Prose(0, 18, 15, 3);
       s.Prose(17, 4, 15, 4);
       s.Prose(17, 11, 15, 4);
     }},
    {"two stories, each with a headline over columns",
     [](Sheet& s) {
       for (int story = 0; story < 2; ++story) {
         const double y = story * 24;
         s.Line(0, y, 28, 2);
         s.Prose(0, y + 3, 14, 10);
         s.Prose(16, y + 3, 14, 10);
       }
     }},
    {"a headline over two of three columns",
     [](Sheet& s) {
       s.Line(0, 0, 29, 2.2);
       s.Prose(0, 3.5, 13, 12);
       s.Prose(15, 3.5, 13, 12);
       s.Prose(30.5, 0, 13, 14);
     }},
    {"a caption under a figure in one of two columns",
     [](Sheet& s) {
       s.Prose(0, 0, 15, 7);
       s.Lines(0, 22, {13, 6}, 1.3, 0.85);
       s.Prose(0, 26, 15, 5);
       s.Prose(17, 0, 15, 21);
       s.Line(13, 40, 5);
     }},
    {"captions side by side under their figures",
     [](Sheet& s) {
       s.Line(8, -12, 16, 1.6);
       s.Lines(0, 0, {13, 12.5, 6});
       s.Lines(16, 0, {12.6, 13});
       s.Lines(32, 0, {13, 12.8, 12.7});
     }},
    {"a picture's caption beside prose",
     [](Sheet& s) {
       s.Prose(0, 0, 20, 12);
       s.Lines(23, 12.05, {8, 5}, 1.5, 0.9);
       s.Prose(0, 20, 32, 5);
     }},
    {"a table",
     [](Sheet& s) {
       s.Line(8, -4, 10, 1.3);
       for (int row = 0; row < 6; ++row) s.Row(row * 2.2, {{0, 4 + row % 3}, {10, 2}, {16, 3}, {22, 2.5 + row % 2}});
     }},
    {"a table that is set solid, with texts in one column",
     [](Sheet& s) {
       for (int row = 0; row < 9; ++row) s.Row(row * 1.35, {{0, 2}, {4, 14 - row % 4}, {22, 3}});
     }},
    {"a table with texts that go on in a second line",
     [](Sheet& s) {
       for (int row = 0; row < 5; ++row) {
         s.Row(row * 3.2, {{0, 4}, {6, 12.5}, {21, 3}});
         s.Line(6, row * 3.2 + 1.3, 10);
       }
     }},
    {"a table whose last column has texts of two lines",
     [](Sheet& s) {
       for (int row = 0; row < 5; ++row) {
         s.Row(row * 3.2, {{0, 3.5}, {6, 4}, {12, 13.5}});
         s.Line(12, row * 3.2 + 1.3, 9);
       }
     }},
    {"a table whose first column has texts of one or two lines",
     [](Sheet& s) {
       for (int row = 0; row < 5; ++row) {
         s.Row(row * 3.2, {{0, row == 2 ? 5 : 12.5}, {15, 4}, {21, 3}});
         if (row != 2) s.Line(0, row * 3.2 + 1.3, 11);
       }
     }},
    {"a table with empty cells and centred ones",
     [](Sheet& s) {
       s.Row(0, {{1, 3}, {9, 3}, {17, 3}});
       s.Row(2.2, {{0, 5}, {10, 1}, {17, 3}});
       s.Row(4.4, {{0, 4}, {17.5, 2}});
       s.Row(6.6, {{0, 6}, {9.5, 2}});
       s.Row(8.8, {{0, 5}, {9, 3}, {17, 3}});
     }},
    {"a table between columns",
     [](Sheet& s) {
       s.Prose(0, 0, 15, 8);
       s.Prose(17, 0, 15, 8);
       for (int row = 0; row < 4; ++row) s.Row(15 + row * 2, {{0, 5}, {8, 3}, {14, 3}, {20, 4}, {28, 2}});
       s.Prose(0, 25, 15, 8);
       s.Prose(17, 25, 15, 8);
     }},
    {"a receipt",
     [](Sheet& s) {
       s.Line(5, 0, 10, 1.7);
       s.Line(3, 2.5, 14);
       s.Row(4.5, {{0, 5}, {17, 3}});
       for (int row = 0; row < 6; ++row) s.Row(7 + row * 1.8, {{0, 3 + row * 7 % 5}, {17.2, 2.8}});
       s.Row(19, {{0, 4}, {16, 4}});
       s.Lines(4, 22, {12, 8}, 1.8);
     }},
    {"a form",
     [](Sheet& s) {
       s.Line(8, -3, 8, 1.6);
       for (int row = 0; row < 7; ++row) s.Row(row * 2.4, {{0, 3 + row * 5 % 4}, {9, 4 + row * 7 % 9}});
     }},
    {"a form with two fields in a row and a remark of several lines",
     [](Sheet& s) {
       for (int row = 0; row < 4; ++row) s.Row(row * 2.4, {{0, 4}, {7, 6 - row}, {18, 3}, {25, 4 + row}});
       s.Line(0, 9.6, 3);
       s.Lines(7, 9.6, {24, 23.5, 12});
       s.Row(18, {{0, 5}, {28, 4}});
     }},
    {"a form whose values are long",
     [](Sheet& s) {
       for (int row = 0; row < 6; ++row) s.Row(row * 1.6, {{0, 3 + row % 2}, {7, 16 - row % 3}});
     }},
    {"a list of numbered items of several lines",
     [](Sheet& s) {
       for (int item = 0; item < 4; ++item) {
         const double y = item * 3.2;
         s.Line(0, y, 0.8);
         s.Lines(2, y, {18, 11}, 1.5);
       }
     }},
    {"contents with page numbers",
     [](Sheet& s) {
       for (int row = 0; row < 8; ++row) {
         const double indent = row % 3 ? 2.5 : 0;
         s.Row(row * 1.9, {{indent, 1.2}, {indent + 2.5, 6 + row * 5 % 7}, {27, 1}});
       }
     }},
    {"a letter",
     [](Sheet& s) {
       s.Lines(22, 0, {10, 10, 8});
       s.Lines(0, 6, {8, 10});
       s.Line(26, 10.5, 6);
       s.Line(0, 13, 9);
       s.Prose(0, 16, 32, 5);
       s.Prose(0, 24.5, 32, 7);
       s.Row(42, {{0, 8}, {30, 2}});
     }},
    {"a window with a list beside prose",
     [](Sheet& s) {
       s.Line(0, 0, 12);
       s.Row(3, {{0, 2}, {4, 2}, {8, 2}, {12, 2}});
       s.Lines(0, 6.2, {4, 3, 5, 4, 3.5, 4.2}, 2.1);
       s.Line(15, 6.8, 9, 1.4);
       s.Prose(15, 9.8, 26, 4, 1.6);
       s.Row(17.5, {{17, 2}, {25, 2}});
       s.Row(28, {{0, 4}, {34, 7}});
     }},
    {"messages on the left and on the right",
     [](Sheet& s) {
       s.Lines(0, 0, {12, 6});
       s.Lines(8, 4.5, {12, 11});
       s.Line(12, 9, 8);
       s.Lines(0, 12, {12, 12, 3});
     }},
    {"vertical columns from the right",
     [](Sheet& s) {
       s.Down(20, 0, 6, 1.4);
       for (int column = 0; column < 6; ++column) s.Down(17.5 - 1.9 * column, 0, column == 5 ? 5 : 14);
     },
     true},
    {"three vertical columns, far apart and of unlike height",
     [](Sheet& s) {
       s.Down(20, 0, 12, 1.6);
       s.Down(14, 0.1, 10, 1.3);
       s.Down(8, 0.4, 7);
     },
     true},
    {"two tiers of vertical writing below a headline, with a page number",
     [](Sheet& s) {
       s.Line(4, -4, 10, 1.6);
       for (int tier = 0; tier < 2; ++tier)
         for (int column = 0; column < 7; ++column)
           s.Down(16 - 1.8 * column, tier * 15, column == 6 ? 4 : 13 - column % 2);
       s.Line(8, 32, 2);
     },
     true},
    {"a sideways line along a page",
     [](Sheet& s) {
       s.Down(-4, 3, 12);
       s.Lines(0, 0, {13, 15, 12, 16}, 2.2);
       s.Prose(0, 12, 20, 6);
     },
     true},
    {"a line in two pieces in a column",
     [](Sheet& s) {
       s.Prose(0, 0, 15, 3);
       s.Line(0, 4.5, 6);
       s.Line(6.5, 4.5, 8.5);
       s.Prose(0, 6, 15, 5);
       s.Prose(17, 0, 15, 9);
     }},
};

std::vector<int> Iota(size_t n) {
  std::vector<int> indices(n);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

// Empty if the order is the one in which the lines were put down.
std::string Difference(const std::vector<int>& order) {
  if (order == Iota(order.size())) return "";
  std::string text = "read as";
  for (const int i : order) text += " " + std::to_string(i);
  return text;
}

std::vector<Quad> Drawn(const Layout& layout, double degrees) {
  Sheet sheet;
  layout.draw(sheet);
  return sheet.Turned(degrees);
}

class ReadingOrderTest : public testing::TestWithParam<Layout> {
 protected:
  static std::vector<Quad> Draw(double degrees = 0) { return Drawn(GetParam(), degrees); }
};

TEST_P(ReadingOrderTest, PeopleAgree) { EXPECT_EQ(Difference(OrderOf(Draw())), "") << GetParam().name; }

TEST_P(ReadingOrderTest, ATiltOfFiveDegreesChangesNothing) {
  for (const double degrees : {-5.0, -4.0, -2.5, -1.0, -0.3, 0.3, 1.0, 2.5, 4.0, 5.0})
    EXPECT_EQ(Difference(OrderOf(Draw(degrees))), "") << GetParam().name << ", " << degrees << " degrees";
}

TEST_P(ReadingOrderTest, JitterChangesNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<Quad> quads = Draw(round % 3 - 1.0);
    for (Quad& quad : quads) {
      const int dx = static_cast<int>(random() % 3) - 1, dy = static_cast<int>(random() % 3) - 1;
      for (Point& corner : quad) corner = {corner.x + dx, corner.y + dy};
    }
    EXPECT_EQ(Difference(OrderOf(quads)), "") << GetParam().name << ", round " << round;
  }
}

TEST_P(ReadingOrderTest, APhotographFromAnAngleChangesNothing) {
  if (GetParam().has_tall_lines) return;  // vertical pages are not straightened
  for (const double across : {-0.06, 0.06}) {
    for (const double down : {-0.06, 0.06}) {
      std::vector<Quad> quads = Draw();
      for (Quad& quad : quads) {
        for (Point& corner : quad) {
          const double x = corner.x - 1300, y = corner.y - 1300, w = 1 + (across * x + down * y) / 600;
          corner = {static_cast<int>(std::lround(x / w)), static_cast<int>(std::lround(y / w))};
        }
      }
      EXPECT_EQ(Difference(OrderOf(quads)), "") << GetParam().name << ", " << across << ", " << down;
    }
  }
}

TEST_P(ReadingOrderTest, TheOrderOfTheInputDoesNotMatter) {
  std::mt19937 random(2);
  const std::vector<Quad> quads = Draw(1.3);
  const std::vector<int> expected = OrderOf(quads);
  std::vector<int> shuffled = Iota(quads.size());
  for (int round = 0; round < 10; ++round) {
    for (size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[random() % i]);
    std::vector<Quad> input;
    for (const int i : shuffled) input.push_back(quads[static_cast<size_t>(i)]);
    std::vector<int> order = OrderOf(input);
    for (int& i : order) i = shuffled[static_cast<size_t>(i)];
    EXPECT_EQ(order, expected) << GetParam().name;
  }
}

TEST_P(ReadingOrderTest, TheFirstCornerDoesNotMatter) {
  std::vector<Quad> quads = Draw(2);
  for (size_t i = 0; i < quads.size(); ++i)
    std::rotate(quads[i].begin(), quads[i].begin() + static_cast<ptrdiff_t>(i % 4), quads[i].end());
  EXPECT_EQ(Difference(OrderOf(quads)), "") << GetParam().name;
}

TEST_P(ReadingOrderTest, TheScaleDoesNotMatter) {
  for (const int scale : {2, 7}) {
    std::vector<Quad> quads = Draw(-2);
    for (Quad& quad : quads)
      for (Point& corner : quad) corner = {corner.x * scale, corner.y * scale};
    EXPECT_EQ(Difference(OrderOf(quads)), "") << GetParam().name;
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, ReadingOrderTest, testing::ValuesIn(kLayouts),
                         [](const auto& layout) { return std::to_string(layout.index); });

TEST(ReadingOrderMixTest, OneLayoutBelowAnotherIsReadAfterIt) {
  for (const Layout& first : kLayouts) {
    for (const Layout& second : kLayouts) {
      // A page is vertical or not, and what is sideways is beside all of it.
      if (first.has_tall_lines || second.has_tall_lines) continue;
      std::vector<Quad> quads = Drawn(first, 0), more = Drawn(second, 0);
      int bottom = 0, top = 1 << 30;
      for (const Quad& quad : quads) bottom = std::max(bottom, quad[2].y);
      for (const Quad& quad : more) top = std::min(top, quad[0].y);
      for (Quad& quad : more)
        for (Point& corner : quad) corner.y += bottom - top + static_cast<int>(4 * kSize);
      quads.insert(quads.end(), more.begin(), more.end());
      EXPECT_EQ(Difference(OrderOf(quads)), "") << first.name << ", above " << second.name;
    }
  }
}

std::vector<Quad> RandomQuads(std::mt19937& random, size_t count, int extent) {
  std::vector<Quad> quads;
  for (size_t i = 0; i < count; ++i) {
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    const int x = below(extent), y = below(extent), width = below(300), height = below(60);
    quads.push_back({Point{x, y}, {x + width, y + below(9)}, {x + width, y + height}, {x, y + height}});
  }
  return quads;
}

void ExpectPermutation(std::vector<int> order, size_t count) {
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, Iota(count));
}

TEST(ReadingOrderPropertyTest, AnyQuadsGiveAPermutation) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const size_t count = random() % 60;
    ExpectPermutation(OrderOf(RandomQuads(random, count, 100 + round * 10)), count);
  }
}

TEST(ReadingOrderPropertyTest, QuadsWithoutAreaGiveAPermutation) {
  const Quad point = {Point{5, 5}, {5, 5}, {5, 5}, {5, 5}}, level = {Point{0, 5}, {9, 5}, {9, 5}, {0, 5}};
  const Quad plumb = {Point{5, 0}, {5, 0}, {5, 9}, {5, 9}};
  ExpectPermutation(OrderOf({point, level, plumb, point, level, plumb}), 6);
  ExpectPermutation(OrderOf({}), 0);
  ExpectPermutation(OrderOf({point}), 1);
}

TEST(ReadingOrderPropertyTest, FiveThousandBoxesOfAnyKindArePutInOrder) {
  std::mt19937 random(4);
  ExpectPermutation(OrderOf(RandomQuads(random, 5000, 3000)), 5000);   // on top of each other
  ExpectPermutation(OrderOf(RandomQuads(random, 5000, 50000)), 5000);  // far apart
  Sheet table, columns;
  for (int row = 0; row < 100; ++row)
    for (int cell = 0; cell < 50; ++cell) table.Line(cell * 4, row * 2, 2 + (row + cell) % 2);
  EXPECT_EQ(Difference(OrderOf(table.Turned(1))), "");
  for (int column = 0; column < 10; ++column) columns.Prose(column * 14, 0, 12, 500);
  EXPECT_EQ(Difference(OrderOf(columns.Turned(1))), "");
}

}  // namespace
}  // namespace inkread
