// `inkread help`, `inkread completion` and `inkread manual`: what the command says about itself.
#ifndef INKREAD_APPS_HELP_COMMAND_H_
#define INKREAD_APPS_HELP_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the subcommands to `app`, which has all others already or gets them later. The callbacks store their exit code in
// `exit_code`; both must outlive the parsing.
void AddHelpCommands(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_HELP_COMMAND_H_
