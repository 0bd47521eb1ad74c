// Which pages of each document are read: --pages 3-7,12,20-.
#ifndef INKREAD_APPS_PAGE_RANGES_H_
#define INKREAD_APPS_PAGE_RANGES_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inkread {

class PageRanges {
 public:
  PageRanges() = default;  // every page
  // Nothing for text that is no list of pages and ranges with commas, such as "3-7,12,20-". Pages count from 1.
  static std::optional<PageRanges> Parse(std::string_view text);

  bool Has(int page) const;  // from 1
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::pair<int, int>> ranges_;  // first and last; empty: all
};

}  // namespace inkread

#endif  // INKREAD_APPS_PAGE_RANGES_H_
