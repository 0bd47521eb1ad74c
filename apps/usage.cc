#include "apps/usage.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "apps/text_distance.h"

namespace inkread {
namespace {

// A word with more edits is another word and no misspelt command.
constexpr int64_t kMaxSlips = 2;

// Quotes a word for a shell, where that is needed.
std::string Quoted(const std::string& word) {
  if (word.find_first_of(" \t\n'\"\\$&|;<>()*?[]#~`!{}") == std::string::npos && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string Joined(const std::vector<std::string>& words, const char* separator) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : separator) + word;
  return joined;
}

bool LooksLikeFile(const std::string& word) {
  std::error_code error;
  return word.find_first_of("./*?") != std::string::npos || std::filesystem::exists(word, error);
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : CommandsOf(app)) names.push_back(command->get_name());
  return names;
}

// The name with the fewest edits; empty if none is a likely misspelling.
std::string Nearest(const std::string& word, const std::vector<std::string>& names) {
  const std::u32string given = CodePoints(word);
  const auto slips = [&](const std::string& name) { return EditDistance(given, CodePoints(name)); };
  const auto nearest = std::min_element(
      names.begin(), names.end(), [&](const std::string& a, const std::string& b) { return slips(a) < slips(b); });
  return nearest != names.end() && slips(*nearest) <= kMaxSlips ? *nearest : "";
}

// "inkread models fetch"
std::string CalledAs(const CLI::App& app) {
  std::string called = app.get_name();
  for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent()) {
    called = parent->get_name() + " " + called;
  }
  return called;
}

// The message where `word` is neither an option of `app` nor one of its arguments.
std::string NotExpected(const CLI::App& app, const std::string& word) {
  const std::string called = "`" + CalledAs(app) + "`";
  if (word.rfind('-', 0) != 0) return called + " takes no argument '" + word + "'";
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string given = word.substr(0, word.find('='));
  const std::string nearest = Nearest(given, names);
  return called + " has no option " + given + (nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

// The message where `app` needs one of its commands and `words` begin with none of them.
std::string WithoutCommand(const CLI::App& app, std::vector<std::string> words) {
  const std::vector<std::string> names = CommandNames(app);
  const std::string called = CalledAs(app);
  const std::string expected = "expected a command after `" + called + "` (" + Joined(names, ", ") + ")";
  const auto word = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w.rfind('-', 0) != 0; });
  if (word == words.end()) return expected;
  const std::string message = expected + ", got '" + *word + "'";
  if (const std::string nearest = Nearest(*word, names); !nearest.empty()) {
    *word = nearest;
  } else if (app.get_parent() == nullptr && LooksLikeFile(*word)) {
    words.insert(words.begin(), "read");  // the most likely command
  } else {
    return message;
  }
  for (std::string& w : words) w = Quoted(w);
  return message + "; did you mean `" + called + " " + Joined(words, " ") + "`?";
}

}  // namespace

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::string UsageMessage(const CLI::App* app, const CLI::Error& error) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  std::string what = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) {
    constexpr std::string_view kEnd = " is required";  // what CLI11 says of an argument that is missing
    if (app->get_require_subcommand_min() > 0) {
      what = WithoutCommand(*app, app->remaining());
    } else if (what.ends_with(kEnd)) {
      what = "`" + CalledAs(*app) + "` needs " + what.substr(0, what.size() - kEnd.size());
    }
  } else if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !app->remaining().empty()) {
    what = NotExpected(*app, app->remaining().front());
  }
  return "inkread: " + what + "\nRun with --help for more information.\n";
}

}  // namespace inkread
