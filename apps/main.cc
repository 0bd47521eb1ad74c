// The `inkread` command.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "apps/bench_command.h"
#include "apps/models_command.h"
#include "apps/read_command.h"
#include "inkread/ocr.h"

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitEngine = 3;

int Run(int argc, char** argv) {
  CLI::App app("inkread reads the text of pictures.", "inkread");
  int exit_code = 0;
  app.set_version_flag("--version", "inkread " + inkread::VersionString());
  app.require_subcommand(1);
  inkread::AddReadCommand(app, &exit_code);
  inkread::AddBenchCommand(app, &exit_code);
  inkread::AddModelsCommand(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;  // help and version are ParseErrors that end well
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("inkread: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "inkread: internal error: %s\n", error.what());
  }
  return kExitEngine;
}
