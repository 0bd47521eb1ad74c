// Options whose value is one of several names.
#ifndef INKREAD_APPS_CHOICE_H_
#define INKREAD_APPS_CHOICE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace inkread {

// For CLI::Option::check. The answer to another value: "'huge' is none of tiny, small, medium".
inline CLI::Validator OneOf(std::vector<std::string> names) {
  return CLI::Validator(
      [names = std::move(names)](std::string& value) -> std::string {
        std::string all;
        for (const std::string& name : names) {
          if (value == name) return "";
          all += (all.empty() ? "" : ", ") + name;
        }
        return "'" + value + "' is none of " + all;
      },
      "");
}

// For CLI::Option::transform: the same check, and the name becomes the number of its enum value. CLI11's own
// transformer would show those numbers to the user.
template <typename Enum>
CLI::Validator Choice(std::vector<std::pair<std::string, Enum>> values) {
  std::vector<std::string> names;
  for (const auto& [name, number] : values) names.push_back(name);
  return CLI::Validator(
      [values = std::move(values), one_of = OneOf(std::move(names))](std::string& value) -> std::string {
        const std::string problem = one_of(value);
        for (const auto& [name, number] : values) {
          if (value != name) continue;
          value = std::to_string(static_cast<int>(number));
          break;
        }
        return problem;
      },
      "");
}

}  // namespace inkread

#endif  // INKREAD_APPS_CHOICE_H_
