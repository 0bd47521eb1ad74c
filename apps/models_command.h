// `inkread models`: which models are here, fetching and verifying them.
#ifndef INKREAD_APPS_MODELS_COMMAND_H_
#define INKREAD_APPS_MODELS_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the subcommand with its own subcommands list, fetch, verify and path. When one of them runs, *exit_code becomes
// 0 (done, all whole) or 3 (a model is missing, damaged or cannot be fetched); wrong usage is CLI11's error, as
// everywhere. *exit_code must outlive the parsing.
void AddModelsCommand(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_MODELS_COMMAND_H_
