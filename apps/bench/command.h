// `inkread bench`: time, memory and correctness on a folder of images, and two such results compared.
#ifndef INKREAD_APPS_BENCH_COMMAND_H_
#define INKREAD_APPS_BENCH_COMMAND_H_

#include <CLI/CLI.hpp>

namespace inkread {

// Adds the subcommand. When it runs, *exit_code becomes 0 (done; compared: the gates hold), 1 (an image cannot be
// read, or there is none; compared: a gate fails), 2 (an option's value cannot be used: a truth or result file that is none)
// or 3 (engine or model). *exit_code must outlive the parsing.
void AddBenchCommand(CLI::App& app, int* exit_code);

}  // namespace inkread

#endif  // INKREAD_APPS_BENCH_COMMAND_H_
