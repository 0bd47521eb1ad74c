// Runs the command as a process, for tests. INKREAD_COMMAND is its path.
#ifndef INKREAD_APPS_RUN_COMMAND_H_
#define INKREAD_APPS_RUN_COMMAND_H_

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace inkread::test {

struct Finished {
  int exit_code = -1;
  std::string output;  // standard output and standard error
};

inline Finished RunCommand(const std::string& arguments) {
  const std::string command = std::string("'" INKREAD_COMMAND "' ") + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot run " << command;
    return {};
  }
  Finished finished;
  std::array<char, 4096> block;
  for (size_t n; (n = fread(block.data(), 1, block.size(), pipe)) > 0;) finished.output.append(block.data(), n);
  const int status = pclose(pipe);
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return finished;
}

}  // namespace inkread::test

#endif  // INKREAD_APPS_RUN_COMMAND_H_
