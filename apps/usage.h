// What is said to those who call the command in a way that it does not know.
#ifndef INKREAD_APPS_USAGE_H_
#define INKREAD_APPS_USAGE_H_

#include <CLI/CLI.hpp>
#include <string>

namespace inkread {

// For CLI::App::failure_message. Where the name of a command is missing or wrong, the line suggests one that may be
// meant: the nearest name, or `inkread read` before a file.
std::string UsageMessage(const CLI::App* app, const CLI::Error& error);

}  // namespace inkread

#endif  // INKREAD_APPS_USAGE_H_
