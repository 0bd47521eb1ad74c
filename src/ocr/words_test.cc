#include "ocr/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "image/test_images.h"
#include "ocr/line_ink.h"

namespace inkread {
namespace {

// Classes 1 to 8 and, as class 9, the space.
constexpr char kClasses[] = "a\nb\nl\n-\n国\nか\n，\n　";
constexpr int kHan = 5, kSpace = 9;

const Dictionary& TestDictionary() {
  static const Dictionary dictionary = Dictionary::FromText(kClasses, "dict.txt", 10).value();
  return dictionary;
}

// How wide the ink of a class is and how wide the class with the gap to the next, in heights of a line.
struct Advance {
  double ink, all;
};
Advance AdvanceOf(int index) {
  if (index == kSpace) return {0, 0.25};
  if (index == 3) return {0.08, 0.2};  // l
  return index < kHan ? Advance{0.35, 0.42} : Advance{0.62, 0.72};
}

// A line on its page, and what its recogniser would say.
struct Drawn {
  BgrImage image;
  LineShape shape;
  RecWidth width;
  std::vector<CtcStep> steps;
  LevelLine level;
  std::vector<std::pair<double, double>> ink;  // of each visible character: begin and end, shares of the line's width
};

constexpr double kMargin = 0.25;             // before the first and after the last character, heights
constexpr double kTop = 0.2, kBottom = 0.8;  // of the ink, shares of the height

// The line's middle is at `centre` px, it is `height` px high and runs at `degrees` clockwise from level.
Drawn Draw(const std::vector<int>& classes, double height, double degrees, PointD centre, RecWidthRule rule, int size) {
  double length = 2 * kMargin;
  for (const int index : classes) length += AdvanceOf(index).all;
  const double angle = degrees * std::numbers::pi / 180;
  const PointD along = {std::cos(angle), std::sin(angle)}, down = {-along.y, along.x};
  const auto corner = [&](double u, double v) {
    const double x = centre.x + along.x * u * length * height + down.x * v * height;
    const double y = centre.y + along.y * u * length * height + down.y * v * height;
    return Point{static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y))};
  };
  Drawn drawn;
  drawn.shape = ShapeOfLine({corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)}).value();
  // The classifier would say so.
  drawn.level = LayLevel(drawn.shape);
  drawn.shape.is_upside_down = drawn.level.along.x * along.x + drawn.level.along.y * along.y < 0;
  drawn.level = LayLevel(drawn.shape);
  drawn.width = RecInputWidth(drawn.shape.width(), drawn.shape.height(), rule);

  const int num_steps = (drawn.width.total + 3) / 4 / 2;
  drawn.steps.assign(static_cast<size_t>(num_steps), {0, 1});
  double at = kMargin;
  for (const int index : classes) {
    const Advance advance = AdvanceOf(index);
    const double middle = (at + advance.all / 2) / length;
    const int step = std::min(static_cast<int>(middle * drawn.width.used / 8), num_steps - 1);
    drawn.steps[static_cast<size_t>(step)] = {index, 0.5f + 0.05f * static_cast<float>(index)};
    if (index != kSpace) drawn.ink.push_back({middle - advance.ink / 2 / length, middle + advance.ink / 2 / length});
    at += advance.all;
  }

  drawn.image = BgrImage(size, size);
  const double norm = along.x * along.x + along.y * along.y;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double dx = x + 0.5 - centre.x, dy = y + 0.5 - centre.y;
      const double u = (dx * along.x + dy * along.y) / norm / (length * height) + 0.5;
      const double v = (dx * down.x + dy * down.y) / norm / height + 0.5;
      bool is_ink = v > kTop && v < kBottom;
      is_ink = is_ink && std::any_of(drawn.ink.begin(), drawn.ink.end(),
                                     [&](const auto& ink) { return u > ink.first && u < ink.second; });
      for (int c = 0; c < 3; ++c) drawn.image.row(y)[x * 3 + c] = is_ink ? 20 : 235;
    }
  }
  return drawn;
}

LineParts PartsOf(const Drawn& drawn) {
  return FindWords(drawn.steps, TestDictionary(), drawn.width, drawn.shape, drawn.image.view());
}

std::vector<std::string> TextsOf(const std::vector<Word>& words) {
  std::vector<std::string> texts;
  for (const Word& word : words) texts.push_back(word.text);
  return texts;
}

PointD CentreOf(const Quad& quad) {
  PointD centre;
  for (const Point& p : quad) {
    centre.x += p.x / 4.0;
    centre.y += p.y / 4.0;
  }
  return centre;
}

// Where a point of the image is on the line, shares of its width and height.
PointD OnLine(const LevelLine& level, const PointD& p) {
  const double dx = p.x - level.origin.x, dy = p.y - level.origin.y;
  const auto share = [&](const PointD& axis) {
    return (dx * axis.x + dy * axis.y) / (axis.x * axis.x + axis.y * axis.y);
  };
  return {share(level.along), share(level.down)};
}

bool AreApart(const Quad& a, const Quad& b) {
  for (const auto& [one, other] : {std::pair{a, b}, {b, a}}) {
    for (size_t i = 0; i < 4; ++i) {
      const Point p = one[i], q = one[(i + 1) % 4];
      if (std::all_of(other.begin(), other.end(),
                      [&](const Point& r) { return (q.x - p.x) * (r.y - p.y) <= (q.y - p.y) * (r.x - p.x); }))
        return true;
    }
  }
  return false;
}

// What holds for the words, and for the characters, of any line.
void ExpectParts(const std::vector<Word>& parts, const Drawn& drawn, const std::string& text) {
  std::string joined;
  double before = -1;
  for (size_t i = 0; i < parts.size(); ++i) {
    joined += parts[i].text;
    for (const Point& p : parts[i].quad) {
      EXPECT_TRUE(p.x >= 0 && p.y >= 0 && p.x <= drawn.image.width_px && p.y <= drawn.image.height_px);
    }
    for (size_t k = 0; k < i; ++k) EXPECT_TRUE(AreApart(parts[k].quad, parts[i].quad)) << k << " and " << i;
    const double place = OnLine(drawn.level, CentreOf(parts[i].quad)).x;
    EXPECT_GT(place, before);
    before = place;
    EXPECT_GE(parts[i].score, 0.5f);
    EXPECT_LE(parts[i].score, 1);
  }
  EXPECT_EQ(joined, text);
}

TEST(IsWordOfItsOwnTest, HanKanaAndTheirPunctuationAre) {
  for (const char32_t c : std::u32string_view(U"国々〇かカー｡、。「」，：（！ㄅ㈱豈𠮷"))
    EXPECT_TRUE(IsWordOfItsOwn(c)) << static_cast<uint32_t>(c);
  for (const char32_t c : std::u32string_view(U"aZ09.,-'éΩж한ㄱＡｚ０“”’—…°×€😀 "))
    EXPECT_FALSE(IsWordOfItsOwn(c)) << static_cast<uint32_t>(c);
}

TEST(FindWordsTest, SplitsAtSpacesAndAroundHan) {
  const std::vector<int> classes = {1, 2, kSpace, 3, 1, 4, 2, kHan, kHan, 7, 1, 6, kSpace, 2};
  const Drawn drawn = Draw(classes, 24, 0, {200, 200}, RecWidthRule::kMeasured, 400);
  const LineParts parts = PartsOf(drawn);
  EXPECT_EQ(TextsOf(parts.words), (std::vector<std::string>{"ab", "la-b", "国", "国", "，", "a", "か", "b"}));
  EXPECT_EQ(TextsOf(parts.chars),
            (std::vector<std::string>{"a", "b", "l", "a", "-", "b", "国", "国", "，", "a", "か", "b"}));
  EXPECT_FLOAT_EQ(parts.words[0].score, (0.55f + 0.6f) / 2);
  EXPECT_FLOAT_EQ(parts.chars[1].score, 0.6f);
}

TEST(FindWordsTest, ALineWithoutTextHasNone) {
  Drawn drawn = Draw({1}, 24, 0, {200, 200}, RecWidthRule::kMeasured, 400);
  for (CtcStep& step : drawn.steps) step.index = 0;
  EXPECT_TRUE(PartsOf(drawn).words.empty());
  drawn.steps[3].index = kSpace;
  EXPECT_TRUE(PartsOf(drawn).chars.empty());
  drawn.steps.clear();
  EXPECT_TRUE(PartsOf(drawn).words.empty());
}

TEST(FindWordsTest, QuadsGoAroundTheInk) {
  const Drawn drawn = Draw({1, 2, kSpace, kHan}, 40, 0, {200, 200}, RecWidthRule::kMeasured, 400);
  const LineParts parts = PartsOf(drawn);
  ASSERT_EQ(parts.words.size(), 2u);
  const double width = drawn.level.along.x, left = drawn.level.origin.x;
  const auto x = [&](double share) { return static_cast<int>(std::lround(left + share * width)); };
  EXPECT_NEAR(parts.words[0].quad[0].x, x(drawn.ink[0].first), 1);
  EXPECT_NEAR(parts.words[0].quad[1].x, x(drawn.ink[1].second), 1);
  EXPECT_NEAR(parts.words[1].quad[3].x, x(drawn.ink[2].first), 1);
  EXPECT_NEAR(parts.words[1].quad[2].x, x(drawn.ink[2].second), 1);
  EXPECT_NEAR(parts.words[0].quad[0].y, 200 - 12, 1);
  EXPECT_NEAR(parts.words[0].quad[2].y, 200 + 12, 1);
}

// Corner i of a part is the one towards corner i of the line, also where the line stands or is upside down.
TEST(FindWordsTest, CornersFollowTheLines) {
  for (const double degrees : {0.0, 90.0, 180.0, 270.0, 5.0, 95.0, 185.0, 275.0}) {
    const Drawn drawn = Draw({kHan, kHan, kHan, kHan}, 30, degrees, {200, 200}, RecWidthRule::kMeasured, 400);
    EXPECT_EQ(drawn.shape.is_turned, static_cast<int>(degrees) / 90 % 2 == 1);
    for (const Word& word : PartsOf(drawn).words) {
      const PointD centre = CentreOf(word.quad);
      const PointF& line_begin = drawn.shape.crop.corners[0];
      const PointF& line_end = drawn.shape.crop.corners[2];
      EXPECT_GT((word.quad[0].x - centre.x) * (line_begin.x - line_end.x), 0);
      EXPECT_GT((word.quad[0].y - centre.y) * (line_begin.y - line_end.y), 0);
      EXPECT_GT((word.quad[2].x - centre.x) * (line_end.x - line_begin.x), 0);
      EXPECT_GT((word.quad[2].y - centre.y) * (line_end.y - line_begin.y), 0);
    }
  }
}

TEST(FindWordsTest, AFlatBackgroundLeavesThePlacesOfTheSteps) {
  Drawn drawn = Draw({1, 2, kSpace, kHan}, 40, 0, {200, 200}, RecWidthRule::kMeasured, 400);
  std::fill(drawn.image.pixels.begin(), drawn.image.pixels.end(), uint8_t{200});
  const LineParts parts = PartsOf(drawn);
  ExpectParts(parts.words, drawn, "ab国");
  for (size_t i = 0; i < 3; ++i) {
    const double place = OnLine(drawn.level, CentreOf(parts.chars[i].quad)).x;
    EXPECT_GT(place, drawn.ink[i].first);
    EXPECT_LT(place, drawn.ink[i].second);
  }
}

// Lines of every script at every angle, of many lengths and heights, inside the image and across its border.
TEST(FindWordsTest, WordsOfAnyLineAreApartInsideAndInOrder) {
  std::mt19937 random(7);
  const std::vector<int> scripts[] = {{1, 2, 3, 4}, {kHan, 6, 7}, {1, 2, 3, kHan, 6}};
  constexpr int kSize = 320;
  size_t num_words = 0, num_centred = 0;
  for (int degrees = 0; degrees < 360; degrees += 3) {
    for (const std::vector<int>& script : scripts) {
      const double height = 9 + static_cast<double>(random() % 40);
      std::vector<int> classes;
      std::string text;
      const size_t length = 1 + random() % 14;
      while (classes.size() < length || classes.back() == kSpace) {
        const bool may_be_space = !classes.empty() && classes.back() != kSpace;
        int index = script[random() % script.size()];
        if (may_be_space && index == classes.back()) index = kSpace;  // equal neighbours would be one run of steps
        if (may_be_space && random() % 4 == 0) index = kSpace;
        classes.push_back(index);
        if (index != kSpace) text += TestDictionary().text(index);
      }
      const double reach = random() % 3 == 0 ? 150 : 0;  // from the middle of the image, towards its border
      const PointD centre = {160 + reach * std::cos(degrees), 160 + reach * std::sin(degrees)};
      const auto rule = random() % 2 == 0 ? RecWidthRule::kMeasured : RecWidthRule::kOfficial;
      const Drawn drawn = Draw(classes, height, degrees, centre, rule, kSize);
      const LineParts parts = PartsOf(drawn);
      SCOPED_TRACE(testing::Message() << degrees << " degrees, height " << height << ", text " << text);
      ExpectParts(parts.words, drawn, text);
      ExpectParts(parts.chars, drawn, text);
      if (parts.chars.size() != drawn.ink.size()) continue;  // two of them had one step
      for (size_t i = 0; i < parts.chars.size(); ++i) {
        const auto& [begin, end] = drawn.ink[i];
        bool is_inside = true;
        for (const double u : {begin, end}) {
          for (const double v : {kTop, kBottom}) {
            const PointD p = drawn.level.At(u, v);
            is_inside = is_inside && p.x > 0 && p.y > 0 && p.x < kSize && p.y < kSize;
          }
        }
        if (!is_inside) continue;
        const PointD place = OnLine(drawn.level, CentreOf(parts.chars[i].quad));
        ++num_words;
        num_centred += place.x > begin && place.x < end && place.y > kTop && place.y < kBottom ? 1 : 0;
      }
    }
  }
  EXPECT_GT(num_words, 1000u);
  // Some of the letters are less than a pixel wide.
  EXPECT_GE(static_cast<double>(num_centred), 0.98 * static_cast<double>(num_words));
}

// Boxes of any shape, also across the border, on noise, with steps that mean nothing.
TEST(FindWordsTest, PartsOfNoiseAreApartAndInside) {
  std::mt19937 random(5);
  size_t num_parts = 0;
  for (int i = 0; i < 1000; ++i) {
    const int width = 1 + static_cast<int>(random() % 200), height = 1 + static_cast<int>(random() % 200);
    const TestImage image(width, height, kAllLayouts[random() % 5], false, &random);
    Quad box;
    for (Point& p : box)
      p = {static_cast<int>(random() % 201) % (width + 1), static_cast<int>(random() % 201) % (height + 1)};
    std::optional<LineShape> line = ShapeOfLine(box);
    if (!line) continue;
    line->is_upside_down = random() % 2 == 0;
    const RecWidth rec_width = RecInputWidth(line->width(), line->height(), RecWidthRule::kMeasured);
    std::vector<CtcStep> steps(static_cast<size_t>(rec_width.total) / 8);
    const unsigned share = 1 + random() % 6;
    for (CtcStep& step : steps) step.index = random() % share == 0 ? static_cast<int>(random() % 10) : 0;
    const LineParts parts = FindWords(steps, TestDictionary(), rec_width, *line, image.view());
    for (const std::vector<Word>* of_line : {&parts.words, &parts.chars}) {
      for (size_t k = 0; k < of_line->size(); ++k, ++num_parts) {
        for (const Point& p : (*of_line)[k].quad)
          ASSERT_TRUE(p.x >= 0 && p.y >= 0 && p.x <= width && p.y <= height) << "image " << i;
        for (size_t other = 0; other < k; ++other)
          ASSERT_TRUE(AreApart((*of_line)[other].quad, (*of_line)[k].quad)) << "image " << i;
      }
    }
  }
  EXPECT_GT(num_parts, 10000u);
}

// A line's garbage may have more characters than columns of ink.
TEST(FindWordsTest, TakesACharacterOfEveryStep) {
  Drawn drawn = Draw({kHan}, 14, 0, {200, 200}, RecWidthRule::kOfficial, 400);
  for (size_t i = 0; i < drawn.steps.size(); ++i) drawn.steps[i] = {static_cast<int32_t>(1 + i % 2), 1};
  const LineParts parts = PartsOf(drawn);
  EXPECT_EQ(parts.chars.size(), drawn.steps.size());
  EXPECT_EQ(parts.words.size(), 1u);
}

}  // namespace
}  // namespace inkread
