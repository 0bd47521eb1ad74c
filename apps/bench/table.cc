#include "apps/bench/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace inkread {
namespace {

constexpr size_t kNameColumns = 20;
constexpr size_t kValueColumns = 24;

std::string Shown(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  const double number = value.get<double>();
  char text[64];
  std::snprintf(text, sizeof text, std::abs(number) >= 1000 ? "%.0f" : "%.4g", number);
  return text;
}

std::string Padded(const std::string& text, size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

void PrintRow(const std::string& name, const std::vector<std::string>& values, const std::string& ratio,
              std::ostream* out) {
  size_t widest = 0;
  for (const std::string& value : values) widest = std::max(widest, value.size());
  if (widest >= kValueColumns) {
    *out << name << '\n';
    for (size_t i = 0; i < values.size(); ++i) *out << "  " << i + 1 << ": " << values[i] << '\n';
    return;
  }
  *out << name << std::string(kNameColumns - std::min(kNameColumns, name.size()), ' ');
  for (const std::string& value : values) *out << Padded(value, kValueColumns);
  *out << ratio << '\n';
}

}  // namespace

void PrintMembers(const std::vector<const Json*>& objects, bool with_ratio, std::ostream* out) {
  std::vector<std::string> names;
  for (const Json* object : objects) {
    for (const auto& [name, value] : object->items()) {
      if (!value.is_structured() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const std::string& name : names) {
    std::vector<Json> values;
    std::vector<std::string> shown;
    bool any = false;
    for (const Json* object : objects) {
      const auto found = object->find(name);
      values.push_back(found == object->end() ? Json() : *found);
      shown.push_back(Shown(values.back()));
      any = any || !values.back().is_null();
    }
    if (!any) continue;
    std::string ratio;
    if (with_ratio && values[0].is_number() && values[1].is_number() && values[0].get<double>() != 0) {
      char text[64];
      std::snprintf(text, sizeof text, "%12.3f", values[1].get<double>() / values[0].get<double>());
      ratio = text;
    }
    PrintRow(name, shown, ratio, out);
  }
}

}  // namespace inkread
