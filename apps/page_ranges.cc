#include "apps/page_ranges.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace inkread {
namespace {

// Takes a page from the front of the text; nothing if there is none.
std::optional<int> TakePage(std::string_view* text) {
  int page = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), page);
  if (error != std::errc() || page < 1) return std::nullopt;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return page;
}

}  // namespace

std::optional<PageRanges> PageRanges::Parse(std::string_view text) {
  PageRanges out;
  out.text_ = text;
  for (;;) {
    const std::optional<int> first = TakePage(&text);
    if (!first) return std::nullopt;
    int last = *first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      const bool is_open = text.empty() || text[0] == ',';
      const std::optional<int> named = is_open ? std::numeric_limits<int>::max() : TakePage(&text);
      if (!named || *named < *first) return std::nullopt;
      last = *named;
    }
    out.ranges_.emplace_back(*first, last);
    if (text.empty()) return out;
    if (text[0] != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

bool PageRanges::Has(int page) const {
  const auto has = [page](const std::pair<int, int>& range) { return range.first <= page && page <= range.second; };
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), has);
}

}  // namespace inkread
