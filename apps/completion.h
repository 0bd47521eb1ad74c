// Shell completions, made from the options of the command itself.
#ifndef INKREAD_APPS_COMPLETION_H_
#define INKREAD_APPS_COMPLETION_H_

#include <CLI/CLI.hpp>
#include <string>

namespace inkread {

// A script that completes commands, options, and the values of options: one of several words, files or folders.
//
// shell  "bash", "zsh" or "fish"
std::string CompletionScript(const CLI::App& app, const std::string& shell);

}  // namespace inkread

#endif  // INKREAD_APPS_COMPLETION_H_
