// How the commands end, and how they speak to people.
#ifndef INKREAD_APPS_EXIT_CODES_H_
#define INKREAD_APPS_EXIT_CODES_H_

#include <iostream>
#include <string>

namespace inkread {

inline constexpr int kExitGood = 0;
inline constexpr int kExitFailed = 1;  // an image, an output file or a gate
inline constexpr int kExitUsage = 2;   // an option's value cannot be used
inline constexpr int kExitEngine = 3;  // engine or model

// A line on standard error.
inline void Tell(const std::string& message) { std::cerr << "inkread: " << message << '\n'; }

// Tells why; returns the code.
inline int Fail(int exit_code, const std::string& message) {
  Tell(message);
  return exit_code;
}

}  // namespace inkread

#endif  // INKREAD_APPS_EXIT_CODES_H_
