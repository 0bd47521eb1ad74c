// The `inkread-lab` command: for people who work on the engine. Shows schedules, measures devices and steps, and looks
// for answers that change.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "bench/lab/commands.h"

int main(int argc, char** argv) {
  using namespace inkread::lab;
  try {
    CLI::App app("inkread-lab shows what the engine does, how fast, and whether always the same.", "inkread-lab");
    int exit_code = 0;
    app.require_subcommand(1);
    AddPlanCommand(app, &exit_code);
    AddProbeCommand(app, &exit_code);
    AddGemmCommand(app, &exit_code);
    AddProfileCommand(app, &exit_code);
    AddRepeatCommand(app, &exit_code);
    AddStressCommand(app, &exit_code);
    AddTraceCommand(app, &exit_code);
    app.footer("Exit code: 0 well, 1 answers differ (repeat, stress), 2 wrong usage, 3 model, device or file.");
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? 0 : kExitUsage;  // help is a ParseError that ends well
    }
    return exit_code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "inkread-lab: %s\n", error.what());
  }
  return kExitEngine;
}
