// inkread-lab plan: the schedule of a network for one input shape, and what it costs.
#include <cstdio>

#include "bench/lab/commands.h"
#include "bench/lab/network.h"
#include "bench/lab/step_cost.h"

namespace inkread::lab {
namespace {

Result<int> RunPlan(const NetworkArguments& arguments) {
  INKREAD_ASSIGN_OR_RETURN(const OpenedNetwork opened, OpenNetwork(arguments));
  const Schedule& schedule = *opened.schedule;
  std::fputs(PrintSchedule(schedule).c_str(), stdout);
  uint64_t bytes = 0;
  for (const Step& step : schedule.steps) bytes += StepBytes(step);
  const uint32_t num_levels = schedule.steps.empty() ? 0 : schedule.steps.back().level + 1;
  std::printf("\nsteps    %zu in %u levels\n", schedule.steps.size(), num_levels);
  std::printf("MACs     %.3f G\n", static_cast<double>(schedule.macs) * 1e-9);
  std::printf("moved    %.1f MB at least: every operand of every step once\n", static_cast<double>(bytes) * 1e-6);
  std::printf("arena    %.1f MB\n", static_cast<double>(schedule.arena_bytes) * 1e-6);
  std::printf("weights  %.1f MB\n", static_cast<double>(schedule.weights_bytes) * 1e-6);
  std::printf("planned  in %.3f ms\n", opened.plan_ms);
  return 0;
}

}  // namespace

void AddPlanCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<NetworkArguments>();
  CLI::App* command = app.add_subcommand("plan", "Print the schedule of a network for one input shape");
  AddNetworkArguments(command, arguments.get());
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunPlan(*arguments)); });
}

}  // namespace inkread::lab
