#include "apps/page_ranges.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

std::string PagesUpTo20(std::string_view text) {
  const std::optional<PageRanges> ranges = PageRanges::Parse(text);
  if (!ranges) return "wrong";
  std::string pages;
  for (int page = 1; page <= 20; ++page) {
    if (ranges->Has(page)) pages += (pages.empty() ? "" : " ") + std::to_string(page);
  }
  return pages;
}

TEST(PageRangesTest, TakesPagesAndRanges) {
  EXPECT_EQ(PagesUpTo20("3"), "3");
  EXPECT_EQ(PagesUpTo20("3-5,1,9-9"), "1 3 4 5 9");
  EXPECT_EQ(PagesUpTo20("18-,2-3"), "2 3 18 19 20");
  EXPECT_TRUE(PageRanges().Has(1));
  EXPECT_TRUE(PageRanges().Has(1'000'000));
}

TEST(PageRangesTest, RefusesAllElse) {
  for (const char* text :
       {"", "0", "-3", "5-3", "1,", ",1", "1--2", "a", "1 -2", "1.5", "99999999999", "1-99999999999"})
    EXPECT_EQ(PagesUpTo20(text), "wrong") << text;
}

}  // namespace
}  // namespace inkread
