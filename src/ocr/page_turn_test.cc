#include "ocr/page_turn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "image/image_rule.h"

namespace inkread {
namespace {

using Kind = PageAxis::Kind;

// Around (x, y), in px; the length runs in the direction `deg`.
Quad Box(double x, double y, double length, double height, double deg) {
  const double cos = std::cos(deg * std::numbers::pi / 180), sin = std::sin(deg * std::numbers::pi / 180);
  Quad quad;
  for (size_t i = 0; i < 4; ++i) {
    const double u = (i == 1 || i == 2 ? 0.5 : -0.5) * length, v = (i >= 2 ? 0.5 : -0.5) * height;
    quad[i] = {static_cast<int>(std::lround(x + cos * u - sin * v)),
               static_cast<int>(std::lround(y + sin * u + cos * v))};
  }
  return quad;
}

// Lines of a page whose content is turned by `deg`.
std::vector<Quad> Lines(double deg) {
  std::vector<Quad> boxes;
  for (int i = 0; i < 6; ++i) boxes.push_back(Box(500, 200 + 50 * i, 200 + 30 * i, 30, deg));
  return boxes;
}

LineShape Line(double length, double deg) { return ShapeOfLine(Box(500, 500, length, 30, deg), 0).value(); }

CtcText Text(const std::string& text, double score) { return {text, score}; }

TEST(PageAxisTest, IsTheCommonDirectionAtEveryAngle) {
  for (int deg = -180; deg < 180; ++deg) {
    const PageAxis axis = FindPageAxis(Lines(deg));
    const double folded = deg - std::floor((deg + 67.5) / 180) * 180;  // [-67.5, 112.5)
    EXPECT_EQ(axis.kind, folded > 67.5 ? Kind::kStanding : Kind::kLying) << deg;
    EXPECT_NEAR(axis.tilt_deg, folded > 67.5 ? folded - 90 : folded, 0.4) << deg;
  }
}

TEST(PageAxisTest, UprightBoxesHaveNoTiltAtAll) {
  EXPECT_EQ(FindPageAxis(Lines(0)).tilt_deg, 0);
  EXPECT_EQ(FindPageAxis(Lines(90)).tilt_deg, 0);
}

TEST(PageAxisTest, MostOfTheTextDecides) {
  std::vector<Quad> boxes = Lines(2);
  boxes.push_back(Box(50, 500, 700, 30, 90));
  EXPECT_EQ(FindPageAxis(boxes).kind, Kind::kLying);
  EXPECT_NEAR(FindPageAxis(boxes).tilt_deg, 2, 0.3);
  for (int i = 0; i < 3; ++i) boxes.push_back(Box(100 + 50 * i, 500, 700, 30, 90));
  EXPECT_EQ(FindPageAxis(boxes).kind, Kind::kStanding);
}

TEST(PageAxisTest, IsNoneWithoutLongBoxesOrACommonDirection) {
  EXPECT_EQ(FindPageAxis({}).kind, Kind::kNone);
  const std::vector<Quad> squat = {Box(50, 50, 40, 30, 0), Box(150, 50, 30, 30, 20)};
  EXPECT_EQ(FindPageAxis(squat).kind, Kind::kNone);
  const std::vector<Quad> scattered = {Box(50, 50, 100, 30, 0), Box(150, 50, 100, 30, 30), Box(300, 50, 100, 30, 60)};
  EXPECT_EQ(FindPageAxis(scattered).kind, Kind::kNone);
  EXPECT_EQ(FindPageAxis(scattered).tilt_deg, 0);
}

TEST(PageAxisTest, LinesRunAlongItInBothDirections) {
  const PageAxis lying{Kind::kLying, 0}, standing{Kind::kStanding, 0};
  EXPECT_TRUE(IsAlong(Line(200, 5), lying));
  EXPECT_TRUE(IsAlong(TurnedBy(Line(200, 5), 2), lying));
  EXPECT_FALSE(IsAlong(Line(200, 15), lying));
  EXPECT_FALSE(IsAlong(Line(200, 90), lying));
  EXPECT_TRUE(IsAlong(Line(200, 90), standing));
  EXPECT_FALSE(IsAlong(Line(35, 0), lying));
  EXPECT_FALSE(IsAlong(Line(200, 0), PageAxis()));
}

TEST(PageTurnTest, LowScoresOfMostOfTheTextAreADoubt) {
  const PageAxis axis{Kind::kLying, 0};
  const std::vector<LineShape> lines = {Line(400, 0), Line(150, 0), Line(150, 0), Line(900, 90)};
  const CtcText good = Text("Ask", 0.95), bad = Text("Ask", 0.7);
  EXPECT_FALSE(MayBeUpsideDown(axis, lines, std::vector{good, bad, bad, bad}));
  EXPECT_TRUE(MayBeUpsideDown(axis, lines, std::vector{bad, good, good, good}));
  EXPECT_FALSE(MayBeUpsideDown(PageAxis(), lines, std::vector{bad, bad, bad, bad}));
  EXPECT_FALSE(MayBeUpsideDown(axis, {}, {}));
}

TEST(PageTurnTest, TheLongestLinesAlongTheAxisJudge) {
  std::vector<LineShape> lines = {Line(100, 0), Line(900, 90), Line(300, 0)};
  EXPECT_EQ(LinesToJudgeBy({Kind::kLying, 0}, lines), (std::vector<size_t>{2, 0}));
  for (int i = 0; i < 9; ++i) lines.push_back(Line(200, 0));
  EXPECT_EQ(LinesToJudgeBy({Kind::kLying, 0}, lines), (std::vector<size_t>{2, 3, 4, 5, 6}));
}

TEST(PageTurnTest, TheClearlyBetterReadingWins) {
  const std::vector<LineShape> lines = {Line(400, 0), Line(100, 0)};
  const auto compare = [&](double score, double long_gain, double short_gain) {
    return CompareReadings(lines, std::vector{Text("abc", score), Text("abc", score)},
                           std::vector{Text("abc", score + long_gain), Text("abc", score + short_gain)});
  };
  EXPECT_EQ(compare(0.75, 0.2, -0.3), Verdict::kTurned);
  EXPECT_EQ(compare(0.7, -0.2, 0.3), Verdict::kAsRead);
  EXPECT_EQ(compare(0.8, 0.04, 0.04), Verdict::kOpen);
  EXPECT_EQ(compare(0.4, 0.2, 0.2), Verdict::kOpen);  // neither can be read
  EXPECT_EQ(CompareReadings({}, {}, {}), Verdict::kOpen);
}

TEST(PageTurnTest, TheRestIsNotReadOnceItCannotTurnThePage) {
  const std::vector<LineShape> lines = {Line(200, 0), Line(100, 0), Line(100, 0)};
  const std::vector<CtcText> as_read(3, Text("abc", 0.75));
  EXPECT_TRUE(MayStillBeTurned(lines, as_read, std::vector{Text("abc", 0.65)}));
  EXPECT_FALSE(MayStillBeTurned(lines, as_read, std::vector{Text("abc", 0.55)}));
  EXPECT_FALSE(MayStillBeTurned(lines, as_read, std::vector{Text("abc", 0.65), Text("abc", 0.85)}));
  // Never false on the way to kTurned.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> score(0.7, 1);
  int num_turned = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<CtcText> turned;
    bool may = true;
    for (size_t k = 0; k < lines.size(); ++k) {
      turned.push_back(Text("abc", score(random)));
      may = may && MayStillBeTurned(lines, as_read, turned);
    }
    EXPECT_EQ(may, CompareReadings(lines, as_read, turned) == Verdict::kTurned);
    num_turned += may ? 1 : 0;
  }
  EXPECT_GT(num_turned, 100);
  EXPECT_LT(num_turned, 900);
}

TEST(PageTurnTest, EvidenceIsThreeCharacters) {
  EXPECT_FALSE(HasEvidence({}));
  EXPECT_FALSE(HasEvidence(std::vector{Text("1", 1), Text("a b", 1), Text("中文", 1)}));
  EXPECT_TRUE(HasEvidence(std::vector{Text("1", 1), Text("中 文字", 1)}));
}

TEST(PageTurnTest, VerticalScriptsAreHanAndKana) {
  EXPECT_TRUE(IsVerticalScript("字里行间"));
  EXPECT_TRUE(IsVerticalScript("カタカナ、ひらがな"));
  EXPECT_TRUE(IsVerticalScript("第12回 𠮷野"));
  EXPECT_FALSE(IsVerticalScript("Garden 7 号"));
  EXPECT_FALSE(IsVerticalScript("Ωmega é"));
  EXPECT_FALSE(IsVerticalScript(""));
}

// Pixel (x, y) covers the corners from (x, y) to (x + 1, y + 1).
TEST(PageTurnTest, PointsGoBackAsPixelsDo) {
  BgrImage image(5, 3);
  for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(i);
  for (int turns = 0; turns < 4; ++turns) {
    const BgrImage turned = Turned(image, turns);
    for (int y = 0; y < turned.height_px; ++y) {
      for (int x = 0; x < turned.width_px; ++x) {
        const Point p = BeforeTurn({x, y}, turns, 5, 3), q = BeforeTurn({x + 1, y + 1}, turns, 5, 3);
        EXPECT_EQ(image.row(std::min(p.y, q.y))[std::min(p.x, q.x) * 3], turned.row(y)[x * 3]) << turns;
      }
    }
  }
}

TEST(PageTurnTest, DegreesAreCloseToQuarters) {
  EXPECT_EQ(TurnedDegrees(0, 0), 0);
  EXPECT_EQ(TurnedDegrees(0, -2.5), -2.5);
  EXPECT_EQ(TurnedDegrees(1, 3), 93);
  EXPECT_EQ(TurnedDegrees(3, -3), 267);
  EXPECT_EQ(TurnedDegrees(3, 45), 315);
  EXPECT_EQ(TurnedDegrees(0, -45), 315);
  EXPECT_EQ(TurnedDegrees(3, 60), -30);
  EXPECT_EQ(TurnedDegrees(0, -60), 300);
}

class CellsTest : public testing::Test {
 protected:
  static Dictionary MakeDictionary() { return Dictionary::FromText("墨\n香\na\n", "test", 5).value(); }
  // 墨, 香, a, 墨: in the middles of four quarters of the line's 192 columns.
  static std::vector<CtcStep> Steps() {
    std::vector<CtcStep> steps(24, {0, 1.0f});
    steps[3] = {1, 0.99f};
    steps[9] = {2, 0.95f};
    steps[15] = {3, 0.99f};
    steps[21] = {1, 0.99f};
    return steps;
  }
};

TEST_F(CellsTest, AreTheCharactersOfAColumnUpright) {
  const LineShape column = ShapeOfLine(Quad{Point{50, 100}, Point{90, 100}, Point{90, 260}, Point{50, 260}}, 0).value();
  const std::vector<CharacterCell> cells = CutCells(column, {192, 192}, Steps(), MakeDictionary());
  ASSERT_EQ(cells.size(), 2u);  // neither 'a' nor the character beside it
  EXPECT_EQ(cells[0].index, 1);
  EXPECT_EQ(cells[1].index, 2);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(cells[i].shape.quarter_turns(), 0);
    EXPECT_NEAR(cells[i].shape.width(), 40, 1);
    EXPECT_NEAR(cells[i].shape.height(), 40, 1);
    EXPECT_NEAR(cells[i].shape.crop.corners[0].x, 50, 0.1);
    EXPECT_NEAR(cells[i].shape.crop.corners[0].y, 100 + 40 * static_cast<double>(i), 4);
  }
}

TEST_F(CellsTest, BeginAtTheOtherEndOfALineThatIsReadUpwards) {
  const LineShape column = ShapeOfLine(Quad{Point{50, 100}, Point{90, 100}, Point{90, 260}, Point{50, 260}}, 0).value();
  const auto cells = CutCells(TurnedBy(column, 2), {192, 192}, Steps(), MakeDictionary());
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].shape.quarter_turns(), 2);
  EXPECT_NEAR(cells[0].shape.crop.corners[2].y, 260, 4);
}

TEST_F(CellsTest, NeedASureCharacter) {
  std::vector<CtcStep> steps = Steps();
  steps[9].probability = 0.5f;
  EXPECT_TRUE(CutCells(Line(160, 90), {192, 192}, steps, MakeDictionary()).empty());
}

}  // namespace
}  // namespace inkread
