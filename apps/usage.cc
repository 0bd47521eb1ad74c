#include "apps/usage.h"

#include <algorithm>
#include <filesystem>
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

// The message where `app` needs one of its commands and `words` begin with none of them.
std::string WithoutCommand(const CLI::App& app, std::vector<std::string> words) {
  const std::vector<std::string> names = CommandNames(app);
  std::string called = app.get_name();
  for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent()) {
    called = parent->get_name() + " " + called;
  }
  const std::string expected = "expected a command after `" + called + "` (" + Joined(names, ", ") + ")";
  const auto word = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w.rfind('-', 0) != 0; });
  if (word == words.end()) return expected;
  const std::string message = expected + ", got '" + *word + "'";
  const std::u32string given = CodePoints(*word);
  const auto slips = [&](const std::string& name) { return EditDistance(given, CodePoints(name)); };
  const auto nearest = std::min_element(
      names.begin(), names.end(), [&](const std::string& a, const std::string& b) { return slips(a) < slips(b); });
  if (slips(*nearest) <= kMaxSlips) {
    *word = *nearest;
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
  const bool lacks_command =
      app->get_require_subcommand_min() > 0 && error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  const std::string what = lacks_command ? WithoutCommand(*app, app->remaining()) : error.what();
  return "inkread: " + what + "\nRun with --help for more information.\n";
}

}  // namespace inkread
