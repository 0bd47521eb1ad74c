// The exit codes of the commands, and their messages to people.
#ifndef INKREAD_APPS_EXIT_CODES_H_
#define INKREAD_APPS_EXIT_CODES_H_

#include <iostream>
#include <string>

namespace inkread {

inline constexpr int kExitGood = 0;
inline constexpr int kExitFailed = 1;         // an image, an output file or a gate
inline constexpr int kExitUsage = 2;          // a wrong option or value, or an output that cannot be written
inline constexpr int kExitEngine = 3;         // engine or model
inline constexpr int kExitRefused = 4;        // the system refused permission, and nothing else failed
inline constexpr int kExitInterrupted = 128;  // and the number of the signal

// Prints a line to standard error.
inline void Tell(const std::string& message) { std::cerr << "inkread: " << message << '\n'; }

// Prints why the command fails; returns the code.
inline int Fail(int exit_code, const std::string& message) {
  Tell(message);
  return exit_code;
}

}  // namespace inkread

#endif  // INKREAD_APPS_EXIT_CODES_H_
