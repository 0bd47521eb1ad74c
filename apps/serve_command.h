// `inkread serve`: the engine behind a port.
#ifndef INKREAD_APPS_SERVE_COMMAND_H_
#define INKREAD_APPS_SERVE_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the command to `app`. `exit_code` receives its exit code and must outlive the parsing.
void AddServeCommand(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_SERVE_COMMAND_H_
