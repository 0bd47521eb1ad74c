// The command lines of other programs: `inkread tesseract ...` and `inkread paddleocr-json ...`, or this program under
// their names, which a link gives it.
#ifndef INKREAD_APPS_OTHER_COMMANDS_H_
#define INKREAD_APPS_OTHER_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <optional>

namespace inkread {

// Runs the command whose name the program was started by and returns its exit code; nothing for other names.
std::optional<int> RunUnderOtherName(int argc, char** argv);

// Adds both to `app`. `exit_code` receives the exit code and must outlive the parsing.
void AddOtherCommands(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_OTHER_COMMANDS_H_
