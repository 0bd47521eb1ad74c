// The options of `inkread read` for doing less than all, or doing it on a part of the image.
#ifndef INKREAD_APPS_MODE_ARGUMENTS_H_
#define INKREAD_APPS_MODE_ARGUMENTS_H_

#include <CLI/CLI.hpp>

#include "inkread/ocr.h"

namespace inkread {

// Adds --detect-only, --line, --box, --region and --time-limit, which write into `read`. It must outlive the parsing.
void AddModeArguments(CLI::App* command, ReadOptions* read);

}  // namespace inkread

#endif  // INKREAD_APPS_MODE_ARGUMENTS_H_
