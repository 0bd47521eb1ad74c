// `inkread devices`: what this machine can read with.
#ifndef INKREAD_APPS_DEVICES_COMMAND_H_
#define INKREAD_APPS_DEVICES_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the subcommand, which sets *exit_code when it runs.
void AddDevicesCommand(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_DEVICES_COMMAND_H_
