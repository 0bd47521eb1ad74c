// inkread-lab probe: what the device can do at best.
#include <cstdio>

#include "bench/lab/commands.h"

namespace inkread::lab {
namespace {

Result<int> RunProbe(const BackendArguments& arguments) {
  INKREAD_ASSIGN_OR_RETURN(const OpenedBackend opened, OpenBackendFor(arguments));
  const std::vector<ProbeResult> rows = opened.backend->Probe();
  if (rows.empty()) return Unsupported(opened.backend->Caps().device, ": does not probe its device");
  std::printf("%s\n", DeviceText(opened).c_str());
  for (const ProbeResult& row : rows) {
    if (row.unavailable.empty()) {
      std::printf("%-40s %10.2f %s\n", row.name.c_str(), row.value, row.unit.c_str());
    } else {
      std::printf("%-40s %10s %s\n", row.name.c_str(), "-", row.unavailable.c_str());
    }
  }
  return 0;
}

}  // namespace

void AddProbeCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<BackendArguments>();
  CLI::App* command = app.add_subcommand("probe", "Measure what the device can do: arithmetic, copying, fixed costs");
  AddBackendArguments(command, arguments.get());
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunProbe(*arguments)); });
}

}  // namespace inkread::lab
