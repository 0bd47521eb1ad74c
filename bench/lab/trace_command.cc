// inkread-lab trace: what each thread does while an image is read, for a trace viewer.
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/trace.h"
#include "bench/lab/commands.h"
#include "inkread/codec.h"

namespace inkread::lab {
namespace {

struct TraceArguments {
  BackendArguments backend;
  std::string size = "small";
  std::string image, out;
  int num_warmups = 3;
};

// The events in the JSON form that Perfetto and chrome://tracing open. Times are in microseconds.
nlohmann::json ToJson(const std::vector<TraceEvent>& events) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  auto start = std::chrono::steady_clock::time_point::max();
  for (const TraceEvent& event : events) start = std::min(start, event.begin);
  nlohmann::json list = nlohmann::json::array();
  for (const TraceEvent& event : events) {
    list.push_back({{"name", event.name},
                    {"ph", "X"},
                    {"pid", 0},
                    {"tid", event.thread},
                    {"ts", Microseconds(event.begin - start).count()},
                    {"dur", Microseconds(event.end - event.begin).count()}});
  }
  return {{"traceEvents", list}};
}

Result<int> RunTrace(const TraceArguments& arguments) {
  constexpr size_t kMaxEvents = 1'000'000;
  INKREAD_ASSIGN_OR_RETURN(const DecodedImage image, DecodeFile(arguments.image));
  INKREAD_ASSIGN_OR_RETURN(const EngineOptions options, EngineOptionsFor(arguments.size, arguments.backend));
  INKREAD_ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine, Engine::Create(options));
  double ms = 0;
  std::vector<TraceEvent> events;
  for (int i = 0; i <= arguments.num_warmups; ++i) {
    StartTrace(kMaxEvents);
    const Result<Reading> reading = engine->Read(image.view());
    events = StopTrace();
    if (!reading.ok()) return reading.status();
    ms = reading->ms.total;
  }
  std::ofstream out(arguments.out);
  out << ToJson(events).dump() << "\n";
  if (!out.flush()) return NotFound(arguments.out, ": cannot be written");
  std::printf("%s: %zu events of a read that took %.1f ms\n", arguments.out.c_str(), events.size(), ms);
  return 0;
}

}  // namespace

void AddTraceCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<TraceArguments>();
  CLI::App* command = app.add_subcommand("trace", "Record what each thread does while an image is read");
  command->add_option("image", arguments->image, "An image file")->required()->type_name("FILE");
  command->add_option("--out", arguments->out, "The record, as JSON that Perfetto opens")
      ->required()
      ->type_name("FILE");
  command->add_option("--size", arguments->size, "Models to use: tiny, small (default) or medium")->type_name("SIZE");
  command->add_option("--warmups", arguments->num_warmups, "Reads before the one that is recorded (default 3)")
      ->check(CLI::Range(0, 1000))
      ->type_name("N");
  AddBackendArguments(command, &arguments->backend);
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunTrace(*arguments)); });
}

}  // namespace inkread::lab
