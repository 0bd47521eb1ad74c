// `inkread mcp`: the Model Context Protocol over standard input and output.
#ifndef INKREAD_APPS_MCP_COMMAND_H_
#define INKREAD_APPS_MCP_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the command to `app`. `exit_code` receives its exit code and must outlive the parsing.
void AddMcpCommand(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_MCP_COMMAND_H_
