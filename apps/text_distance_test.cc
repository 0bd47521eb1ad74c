#include "apps/text_distance.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

TEST(CodePointsTest, CountsCharactersAndReplacesBrokenBytes) {
  EXPECT_EQ(CodePoints(""), U"");
  EXPECT_EQ(CodePoints("a合\xF0\x9F\x93\x96"), U"a合\U0001F4D6");
  EXPECT_EQ(CodePoints("a\xE5\x90z"), U"a\uFFFD\uFFFDz");  // cut within a character
  EXPECT_EQ(CodePoints(std::string_view("a\0b", 3)).size(), 3u);
}

TEST(NfkcWithoutSpacesTest, ComparesWhatCharactersStandFor) {
  struct Case {
    const char* text;
    const char32_t* wanted;
  };
  for (const Case& c : {Case{"", U""}, Case{"  ", U""}, Case{"Ａ Ｂ：１", U"AB:1"},  // full width
                        Case{"ｶﾞ", U"ガ"},                                           // half width, composed
                        Case{"e\xCC\x81", U"\u00E9"},                                // an accent of its own, composed
                        Case{"①ﬁ½", U"1fi1\u20442"}, Case{"墨　读", U"墨读"},        // wide space
                        Case{"a\u00A0b", U"ab"}, Case{"a\tb", U"a\tb"},              // no space after NFKC either
                        Case{"\xEF\xB7\xBA", U"صلىاللهعليهوسلم"},                    // the longest decomposition
                        Case{"a\xFFz", U"a\uFFFDz"}}) {
    EXPECT_EQ(NfkcWithoutSpaces(c.text), c.wanted) << c.text;
  }
}

TEST(EditDistanceTest, IsLevenshtein) {
  struct Case {
    const char32_t* a;
    const char32_t* b;
    int64_t wanted;
  };
  for (const Case& c : {Case{U"", U"", 0}, Case{U"abc", U"abc", 0}, Case{U"abc", U"", 3}, Case{U"", U"ab", 2},
                        Case{U"kitten", U"sitting", 3}, Case{U"合计", U"合汁", 1}, Case{U"ab", U"ba", 2}}) {
    EXPECT_EQ(EditDistance(c.a, c.b), c.wanted);
    EXPECT_EQ(EditDistance(c.b, c.a), c.wanted);
  }
}

}  // namespace
}  // namespace inkread
