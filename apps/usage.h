// The message for a wrong command line.
#ifndef INKREAD_APPS_USAGE_H_
#define INKREAD_APPS_USAGE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace inkread {

// The commands of `app` that --help lists.
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);

// For CLI::App::failure_message. Where the name of a command or option is wrong, the message suggests the one with the
// fewest edits, or `inkread read` before a file.
std::string UsageMessage(const CLI::App* app, const CLI::Error& error);

}  // namespace inkread

#endif  // INKREAD_APPS_USAGE_H_
