#include "ocr/dictionary.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

std::string MessageOf(std::string_view text, int num_classes) {
  const auto dictionary = Dictionary::FromText(text, "dict.txt", num_classes);
  EXPECT_FALSE(dictionary.ok());
  EXPECT_EQ(dictionary.status().code(), StatusCode::kCorruptModel);
  return dictionary.status().message();
}

TEST(DictionaryTest, PutsTheBlankFirstAndASpaceLast) {
  const auto dictionary = Dictionary::FromText("a\nb\n", "dict.txt", 4);
  ASSERT_TRUE(dictionary.ok()) << dictionary.status().message();
  EXPECT_EQ(dictionary->num_classes(), 4);
  EXPECT_EQ(dictionary->text(0), "");
  EXPECT_EQ(dictionary->text(1), "a");
  EXPECT_EQ(dictionary->text(2), "b");
  EXPECT_EQ(dictionary->text(3), " ");
}

TEST(DictionaryTest, ARecogniserMayHaveNoSpace) {
  const auto dictionary = Dictionary::FromText("a\n \nb\n", "dict.txt", 4, true);
  ASSERT_TRUE(dictionary.ok()) << dictionary.status().message();
  EXPECT_EQ(dictionary->text(2), " ");  // or lists it
  EXPECT_EQ(dictionary->text(3), "b");
  EXPECT_FALSE(Dictionary::FromText("a\n \nb\n", "dict.txt", 4).ok());
}

TEST(DictionaryTest, LineEndsAreCutOffAndNothingElse) {
  // U+3000, a no-break space, a line separator and a face outside the BMP are entries of real dictionaries.
  const std::string text = "\xE3\x80\x80\r\n\xC2\xA0\r\n\xE2\x80\xA8\r\n\xF0\x9F\x98\x80\r\n'\r\n\"";
  const auto dictionary = Dictionary::FromText(text, "dict.txt", 8);
  ASSERT_TRUE(dictionary.ok()) << dictionary.status().message();
  EXPECT_EQ(dictionary->text(1), "\xE3\x80\x80");
  EXPECT_EQ(dictionary->text(2), "\xC2\xA0");
  EXPECT_EQ(dictionary->text(3), "\xE2\x80\xA8");
  EXPECT_EQ(dictionary->text(4), "\xF0\x9F\x98\x80");
  EXPECT_EQ(dictionary->text(5), "'");
  EXPECT_EQ(dictionary->text(6), "\"");
}

TEST(DictionaryTest, SaysWhyItCannotBeUsed) {
  EXPECT_EQ(MessageOf("a\nb\n", 6906),
            "dict.txt: has 2 entries, expected 6904: the recogniser's 6906 classes less blank and space");
  EXPECT_EQ(MessageOf("a\n\nb\n", 5), "dict.txt: line 2 of the dictionary is empty");
  EXPECT_EQ(MessageOf("a\n\xFF\n", 4), "dict.txt: line 2 of the dictionary is not UTF-8");
  EXPECT_EQ(MessageOf("\xC0\x80", 3), "dict.txt: line 1 of the dictionary is not UTF-8");      // overlong
  EXPECT_EQ(MessageOf("\xED\xA0\x80", 3), "dict.txt: line 1 of the dictionary is not UTF-8");  // half a surrogate pair
  EXPECT_EQ(MessageOf("\xE3\x80", 3), "dict.txt: line 1 of the dictionary is not UTF-8");      // cut short
  EXPECT_EQ(MessageOf("", 3), "dict.txt: has 0 entries, expected 1: the recogniser's 3 classes less blank and space");
}

TEST(DictionaryTest, LinesMayEndWithCarriageReturns) {
  const auto dictionary = Dictionary::FromText("x\r\ny\r\n", "dict.txt", 4);
  ASSERT_TRUE(dictionary.ok()) << dictionary.status().message();
  EXPECT_EQ(dictionary->text(2), "y");
}

}  // namespace
}  // namespace inkread
