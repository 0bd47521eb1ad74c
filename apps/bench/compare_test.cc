// Planted errors: none may pass, and the image is always named.
#include "apps/bench/compare.h"

#include <gtest/gtest.h>

#include <sstream>

namespace inkread {
namespace {

PlacedLine LineAt(const std::string& text, double y) {
  return {text, {Corner{0, y}, Corner{90, y}, Corner{90, y + 10}, Corner{0, y + 10}}};
}

BenchResult Baseline() {
  BenchResult result;
  result.path = "a.json";
  result.images = {{"receipt.png", {LineAt("合计 24.00", 0), LineAt("Thank you", 20)}},
                   {"blank.png", {}},
                   {"form.png", {LineAt("No. 7", 0)}}};
  return result;
}

BenchResult Other() {
  BenchResult result = Baseline();
  result.path = "b.json";
  return result;
}

// The total of edits is `edits` both ways, and only `file` differs.
void ExpectDifference(const BenchResult& other, int64_t edits, const std::string& file) {
  for (const TextDifference& difference : {CompareTexts(Baseline(), other), CompareTexts(other, Baseline())}) {
    EXPECT_EQ(difference.edits, edits);
    ASSERT_EQ(difference.images.size(), 1u);
    EXPECT_EQ(difference.images[0].file, file);
    EXPECT_EQ(difference.images[0].edits, edits);
    const std::vector<std::string> failed = FailedGates(difference, {});
    ASSERT_EQ(failed.size(), 1u);
    EXPECT_NE(failed[0].find(file), std::string::npos) << failed[0];
  }
}

TEST(BenchCompareTest, EqualTextsPass) {
  const TextDifference difference = CompareTexts(Baseline(), Other());
  EXPECT_EQ(difference.num_images, 3);
  EXPECT_EQ(difference.edits, 0);
  EXPECT_TRUE(difference.images.empty());
  EXPECT_TRUE(difference.in_another_order.empty());
  EXPECT_TRUE(FailedGates(difference, {}).empty());
  EXPECT_TRUE(FailedGates(difference, {0, 0}).empty());
}

TEST(BenchCompareTest, OneCharacterChanged) {
  BenchResult other = Other();
  other.images[0].lines[0].text = "合汁 24.00";
  ExpectDifference(other, 1, "receipt.png");
  const TextDifference difference = CompareTexts(Baseline(), other);
  EXPECT_EQ(difference.images[0].worst_a, "合计 24.00");
  EXPECT_EQ(difference.images[0].worst_b, "合汁 24.00");
}

TEST(BenchCompareTest, OneBoxDropped) {
  BenchResult other = Other();
  other.images[0].lines.erase(other.images[0].lines.begin());
  ExpectDifference(other, 8, "receipt.png");
}

TEST(BenchCompareTest, ABoxMadeUp) {
  BenchResult other = Other();
  other.images[1].lines.push_back(LineAt("ghost", 40));
  ExpectDifference(other, 5, "blank.png");
}

TEST(BenchCompareTest, TextsSwappedBetweenBoxes) {
  BenchResult other = Other();
  std::swap(other.images[0].lines[0].text, other.images[0].lines[1].text);
  EXPECT_GT(CompareTexts(Baseline(), other).edits, 0);
}

TEST(BenchCompareTest, ImagesMissingCountAllTheirCharacters) {
  BenchResult other = Other();
  other.images.erase(other.images.begin());
  ExpectDifference(other, 17, "receipt.png");
  EXPECT_EQ(CompareTexts(Baseline(), other).images[0].missing_in, "b.json");
  EXPECT_EQ(CompareTexts(other, Baseline()).images[0].missing_in, "b.json");
}

TEST(BenchCompareTest, AMissingImageWithoutTextIsADifferenceToo) {
  BenchResult other = Other();
  other.images.erase(other.images.begin() + 1);
  ExpectDifference(other, 1, "blank.png");
}

TEST(BenchCompareTest, FoldersOfTheImagesDoNotMatter) {
  BenchResult other = Other();
  for (ImageLines& image : other.images) image.file = "some/folder/" + image.file;
  EXPECT_EQ(CompareTexts(Baseline(), other).edits, 0);
}

TEST(BenchCompareTest, LinesElsewhereAreComparedInTheirOrder) {
  BenchResult a = Baseline();
  a.images = {{"a.png", {LineAt("one", 0), LineAt("two", 20), LineAt("three", 40)}}};
  BenchResult b = a;
  b.images[0].lines = {LineAt("two", 100), LineAt("thre", 120), LineAt("four", 140)};
  EXPECT_EQ(CompareTexts(a, b).edits, 3 + 1 + 4);  // one is gone, an e is missing, four is new
  b.images[0].lines = {LineAt("one", 100), LineAt("two", 120), LineAt("three", 140)};
  EXPECT_EQ(CompareTexts(a, b).edits, 0);
}

TEST(BenchCompareTest, ALineInTwoPiecesIsJoined) {
  BenchResult other = Other();
  std::vector<PlacedLine>& lines = other.images[2].lines;
  lines = {{".", lines[0].quad}, {"No", lines[0].quad}};
  lines[0].quad[0].x = lines[0].quad[3].x = 45;
  lines[1].quad[1].x = lines[1].quad[2].x = 45;
  EXPECT_EQ(CompareTexts(Baseline(), other).edits, 2);  // " 7"
}

TEST(BenchCompareTest, AnotherOrderIsTold) {
  BenchResult other = Other();
  std::swap(other.images[0].lines[0], other.images[0].lines[1]);
  const TextDifference difference = CompareTexts(Baseline(), other);
  EXPECT_EQ(difference.edits, 0);
  EXPECT_EQ(difference.in_another_order, std::vector<std::string>{"receipt.png"});
}

TEST(BenchCompareTest, GatesAllowWhatTheySay) {
  BenchResult other = Other();
  other.images[0].lines[1].text = "Thank Y";  // 3
  other.images[2].lines[0].text = "No. 8";    // 1
  const TextDifference difference = CompareTexts(Baseline(), other);
  EXPECT_EQ(difference.edits, 4);
  EXPECT_TRUE(FailedGates(difference, {4, 3}).empty());
  EXPECT_TRUE(FailedGates(difference, {4, {}}).empty());
  EXPECT_TRUE(FailedGates(difference, {{}, 3}).empty());
  EXPECT_EQ(FailedGates(difference, {3, {}}),
            std::vector<std::string>{"4 characters edited, --max-edits allows 3; worst image: receipt.png (3 "
                                     "characters edited)"});
  EXPECT_EQ(FailedGates(difference, {{}, 2}),
            std::vector<std::string>{"receipt.png: 3 characters edited, --max-edits-per-image allows 2"});
  EXPECT_EQ(FailedGates(difference, {3, 0}).size(), 3u);
}

TEST(BenchCompareTest, PrintsTheWorstFirst) {
  BenchResult other = Other();
  other.images[0].lines[1].text = "Thank Y";
  other.images.pop_back();
  std::ostringstream out;
  PrintTextDifference(CompareTexts(Baseline(), other), &out);
  EXPECT_EQ(out.str(),
            "texts: 2 of 3 images differ, 8 characters edited\n"
            "  form.png: 5 characters edited, the image is missing in b.json\n"
            "  receipt.png: 3 characters edited, most in \"Thank you\" -> \"Thank Y\"\n");
}

}  // namespace
}  // namespace inkread
