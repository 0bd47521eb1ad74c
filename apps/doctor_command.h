// `inkread doctor`: whether this machine can read images, and what mends it where it cannot.
#ifndef INKREAD_APPS_DOCTOR_COMMAND_H_
#define INKREAD_APPS_DOCTOR_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the command to `app`. `exit_code` receives its exit code and must outlive the parsing: 0 if images can be read, 3
// if not. Warnings do not change it.
void AddDoctorCommand(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_DOCTOR_COMMAND_H_
