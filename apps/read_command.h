// `inkread read`: the text of images.
#ifndef INKREAD_APPS_READ_COMMAND_H_
#define INKREAD_APPS_READ_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the subcommand. When it runs, *exit_code becomes 0 (all read), 1 (some file failed), 2 (an option's value cannot
// be used), 3 (engine or model) or 128 and the number of the signal that ended the run. *exit_code must outlive the
// parsing.
void AddReadCommand(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_READ_COMMAND_H_
