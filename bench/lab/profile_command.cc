// inkread-lab profile: where the time of a network goes, by step and by kind of step.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <numeric>
#include <sstream>

#include "bench/lab/commands.h"
#include "bench/lab/network.h"
#include "schedule/step_facts.h"

namespace inkread::lab {
namespace {

struct ProfileArguments {
  NetworkArguments network;
  int num_runs = 20;
  size_t top = 20;
};

struct Row {
  double ms = 0;
  uint64_t macs = 0;
  int num_steps = 0;
  std::string text;
};

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Milliseconds of each step, each the median of all runs.
Result<std::vector<double>> MeasureSteps(const OpenedNetwork& opened, int num_runs) {
  INKREAD_ASSIGN_OR_RETURN(const RunBuffers buffers, RunBuffers::For(*opened.schedule));
  const Job job = buffers.JobOf(*opened.program);
  const size_t num_steps = opened.schedule->steps.size();
  std::vector<std::vector<double>> times(num_steps);
  std::vector<double> step_ms(num_steps);
  for (int run = -1; run < num_runs; ++run) {  // the first one warms
    INKREAD_RETURN_IF_ERROR(opened.device.backend->Profile(job, step_ms));
    for (size_t i = 0; run >= 0 && i < num_steps; ++i) times[i].push_back(step_ms[i]);
  }
  for (size_t i = 0; i < num_steps; ++i) step_ms[i] = Median(std::move(times[i]));
  return step_ms;
}

// Medians of whole runs as a caller has them: all steps at once.
struct RunTimes {
  double wall_ms = 0;
  double device_ms = 0;  // of these, the device at work; 0 where that is not known
};

Result<RunTimes> MeasureRuns(const OpenedNetwork& opened, int num_runs) {
  INKREAD_ASSIGN_OR_RETURN(const RunBuffers buffers, RunBuffers::For(*opened.schedule));
  const Job job = buffers.JobOf(*opened.program);
  Backend& backend = *opened.device.backend;
  std::vector<double> wall_ms, device_ms;
  for (int run = -1; run < num_runs; ++run) {  // the first one warms
    const double device_begin = backend.DeviceMs();
    const auto begin = std::chrono::steady_clock::now();
    INKREAD_RETURN_IF_ERROR(backend.Run({&job, 1}));
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
    if (run < 0) continue;
    wall_ms.push_back(wall.count());
    device_ms.push_back(backend.DeviceMs() - device_begin);
  }
  return RunTimes{Median(std::move(wall_ms)), Median(std::move(device_ms))};
}

void PrintRows(std::vector<Row> rows, size_t top, double total_ms, double peak) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.ms > b.ms; });
  if (rows.size() > top) rows.resize(top);
  for (const Row& row : rows) {
    std::printf("%9.3f %6.1f %%", row.ms, 100 * row.ms / total_ms);
    const double rate = static_cast<double>(row.macs) / (row.ms * 1e-3);
    if (row.macs == 0) {
      std::printf(" %9s %7s  ", "-", "-");
    } else if (peak == 0) {
      std::printf(" %9.2f %7s  ", rate * 1e-9, "-");
    } else {
      std::printf(" %9.2f %5.0f %%  ", rate * 1e-9, 100 * rate / peak);
    }
    std::printf("%s\n", row.text.c_str());
  }
}

Result<int> RunProfile(const ProfileArguments& arguments) {
  INKREAD_ASSIGN_OR_RETURN(const OpenedNetwork opened, OpenNetwork(arguments.network));
  const Schedule& schedule = *opened.schedule;
  const double peak = ProbedPeak(*opened.device.backend);
  INKREAD_ASSIGN_OR_RETURN(const std::vector<double> step_ms, MeasureSteps(opened, arguments.num_runs));
  INKREAD_ASSIGN_OR_RETURN(const RunTimes run, MeasureRuns(opened, arguments.num_runs));
  const double total_ms = std::accumulate(step_ms.begin(), step_ms.end(), 0.0);

  std::vector<Row> steps;
  std::map<StepKind, Row> by_kind;
  std::istringstream printed(PrintSchedule(schedule));
  std::string line;
  std::getline(printed, line);  // the network's own
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    std::getline(printed, line);
    steps.push_back({step_ms[i], MultiplyAdds(step), 1, line + "  " + step.node});
    Row& kind = by_kind[step.kind()];
    kind.ms += step_ms[i];
    kind.macs += steps.back().macs;
    ++kind.num_steps;
    kind.text = StrCat(StepKindName(step.kind()), ", ", kind.num_steps, kind.num_steps == 1 ? " step" : " steps");
  }
  std::vector<Row> kinds;
  for (const auto& [kind, row] : by_kind) kinds.push_back(row);
  kinds.push_back({total_ms, schedule.macs, static_cast<int>(steps.size()), "all"});

  std::printf("%s on %s, medians of %d runs", NetworkText(arguments.network, schedule).c_str(),
              DeviceText(opened.device).c_str(), arguments.num_runs);
  if (peak > 0) std::printf(", peak %.1f GMAC/s", peak * 1e-9);
  std::printf("\na run takes %.3f ms", run.wall_ms);
  if (run.device_ms > 0) std::printf(", %.3f of them on the device", run.device_ms);
  std::printf("\n%9s %8s %9s %7s\n", "ms", "time", "GMAC/s", "of peak");
  PrintRows(kinds, kinds.size(), total_ms, peak);
  std::printf("\n");
  PrintRows(steps, arguments.top, total_ms, peak);
  return 0;
}

}  // namespace

void AddProfileCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<ProfileArguments>();
  CLI::App* command = app.add_subcommand("profile", "Show where a network's time goes, by step and by kind of step");
  AddNetworkArguments(command, &arguments->network);
  command->add_option("--runs", arguments->num_runs, "Runs to measure (default 20)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  command->add_option("--top", arguments->top, "Steps to show, the slowest first (default 20)")->type_name("N");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunProfile(*arguments)); });
}

}  // namespace inkread::lab
