#include "apps/mcp_command.h"

#include <iostream>
#include <memory>

#include "apps/engine_arguments.h"
#include "apps/exit_codes.h"
#include "apps/serving_arguments.h"
#include "inkread/server.h"

namespace inkread {
namespace {

struct Arguments {
  EngineArguments common;
  int64_t max_file_bytes = 128 << 20;
};

int RunMcp(const Arguments& arguments) {
  const Result<std::unique_ptr<Engine>> engine = Engine::Create(arguments.common.engine);
  if (!engine.ok()) return Fail(kExitEngine, engine.status().message());
  ServeMcp(**engine, arguments.max_file_bytes, &std::cin, &std::cout);
  return kExitGood;
}

}  // namespace

void AddMcpCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("mcp", "Answer a language model's client over standard input and output");
  command->add_option("--max-file", arguments->max_file_bytes, "Bytes of a file (default 134217728)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->type_name("BYTES")
      ->group("Limits");
  AddServingArguments(command, &arguments->common);
  command->callback([arguments, exit_code] { *exit_code = RunMcp(*arguments); });
}

}  // namespace inkread
