#include "ocr/settings.h"

#include <charconv>
#include <cstdint>
#include <set>
#include <vector>

namespace inkread {
namespace {

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return words;
    const size_t end = line.find_first_of(" \t\r", begin);
    words.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return words;
    line.remove_prefix(end);
  }
}

// Accepts only a number within [low, high], so no NaN.
template <typename T>
bool ParseNumber(std::string_view word, T low, T high, T& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() && number >= low && number <= high;
}

}  // namespace

Result<ModelSettings> ParseModelSettings(std::string_view text, const std::string& name) {
  ModelSettings settings;
  std::set<std::string> missing = {"det_thresh", "det_box_thresh", "det_unclip_ratio", "det_max_candidates",
                                   "cls_kind"};
  int line_number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line_number;
    const std::vector<std::string_view> words = Words(line);
    if (words.empty()) continue;
    const auto error = [&] {
      return CorruptModel(name, ": line ", line_number, " is '", line, "', expected a key and a value in its range");
    };
    if (words.size() < 2) return error();
    const std::string_view key = words[0], value = words[1];
    missing.erase(std::string(key));
    bool ok = true;
    if (key == "det_thresh") {
      ok = ParseNumber(value, 0.0f, 1.0f, settings.det_thresh);
    } else if (key == "det_box_thresh") {
      ok = ParseNumber(value, 0.0, 1.0, settings.det_box_thresh);
    } else if (key == "det_unclip_ratio") {
      ok = ParseNumber(value, 0.0, 10.0, settings.det_unclip_ratio);
    } else if (key == "det_max_candidates") {
      ok = ParseNumber(value, 1, 1'000'000, settings.det_max_candidates);
    } else if (key == "cls_kind") {
      ok = value == "legacy_48x192" || value == "lcnet_80x160";
      settings.cls_kind = value == "lcnet_80x160" ? ClsKind::kLcnet : ClsKind::kLegacy;
    } else if (key == "sha256") {  // sha256 NAME HEX BYTES
      ok = words.size() == 4 && ParseNumber(words[3], int64_t{0}, INT64_MAX, settings.file_bytes[std::string(value)]);
    }
    if (!ok) return error();
  }
  if (!missing.empty()) return CorruptModel(name, ": has no line for ", *missing.begin());
  return settings;
}

}  // namespace inkread
