#include "apps/help_command.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/choice.h"
#include "apps/completion.h"
#include "apps/exit_codes.h"
#include "apps/man_page.h"
#include "apps/usage.h"

namespace inkread {
namespace {

// Prints what --help prints for the command that `words` name: `inkread help models fetch`.
int Help(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string before;  // the names of the commands above
  for (const std::string& word : words) {
    const CLI::App* next = nullptr;
    std::string names;
    for (const CLI::App* one : CommandsOf(*command)) {
      names += (names.empty() ? "" : ", ") + one->get_name();
      if (one->get_name() == word) next = one;
    }
    before += (before.empty() ? "" : " ") + command->get_name();
    if (next == nullptr) {
      return Fail(kExitUsage,
                  "`" + before + "` has no command '" + word + "'" + (names.empty() ? "" : "; it has " + names));
    }
    command = next;
  }
  // App::help() of the whole would give that of `help`, the command that was parsed.
  const auto formatter = command->get_formatter();
  std::cout << formatter->make_help(command, before.empty() ? app.get_name() : before + " " + command->get_name(),
                                    CLI::AppFormatMode::Normal);
  return kExitGood;
}

}  // namespace

void AddHelpCommands(CLI::App& app, int* exit_code) {
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* help = app.add_subcommand("help", "Explain a command, as --help after it does");
  help->add_option("COMMAND", *words, "The command, such as read, or models fetch");
  help->callback([&app, words, exit_code] { *exit_code = Help(app, *words); });

  const auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      app.add_subcommand("completion", "Print a script that completes commands and options in a shell");
  completion->add_option("SHELL", *shell, "The shell")
      ->required()
      ->type_name("bash|zsh|fish")
      ->check(OneOf({"bash", "zsh", "fish"}));
  completion->footer("For this session of bash: source <(inkread completion bash). Packages install the scripts.");
  completion->callback([&app, shell, exit_code] {
    std::cout << CompletionScript(app, *shell);
    *exit_code = kExitGood;
  });

  CLI::App* manual = app.add_subcommand("manual", "Print the manual page inkread(1)");
  manual->group("");  // for the build, which installs it
  manual->callback([&app, exit_code] {
    std::cout << ManPage(app);
    *exit_code = kExitGood;
  });
}

}  // namespace inkread
