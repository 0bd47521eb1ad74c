#include "apps/serve_command.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "apps/engine_arguments.h"
#include "apps/exit_codes.h"
#include "apps/interrupt.h"
#include "apps/serving_arguments.h"
#include "inkread/server.h"

namespace inkread {
namespace {

struct Arguments {
  ServerOptions server;
  std::string token_file;
  EngineArguments common;
};

// The first line of the file, without its end.
Result<std::string> ReadToken(const std::string& path) {
  std::ifstream file(path);
  std::string token;
  if (!file || !std::getline(file, token))
    return Status(StatusCode::kNotFound, "--token-file " + path + ": cannot be read, or is empty");
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.empty()) return Status(StatusCode::kInvalidArgument, "--token-file " + path + ": the first line is empty");
  return token;
}

int RunServe(Arguments arguments) {
  if (const char* const token = std::getenv("INKREAD_TOKEN"); token != nullptr) arguments.server.token = token;
  if (!arguments.token_file.empty()) {
    Result<std::string> token = ReadToken(arguments.token_file);
    if (!token.ok()) return Fail(kExitUsage, token.status().message());
    arguments.server.token = std::move(*token);
  }
  CatchInterrupts();
  const Result<std::unique_ptr<Engine>> engine = Engine::Create(arguments.common.engine);
  if (!engine.ok()) return Fail(kExitEngine, engine.status().message());
  Result<std::unique_ptr<Server>> server = Server::Start(**engine, arguments.server);
  if (!server.ok()) return Fail(kExitUsage, server.status().message());
  const bool is_v6 = arguments.server.address.find(':') != std::string::npos;
  // On standard output, so that a program that asks for a free port can learn it.
  std::cout << "inkread: listening at http://" << (is_v6 ? "[" : "") << arguments.server.address << (is_v6 ? "]" : "")
            << ":" << (*server)->port() << std::endl;
  while (InterruptSignal() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  Tell("stopping: requests that have begun are finished");
  (*server)->Stop();
  WarnOfSubstitutes((*engine)->Info());
  return kExitGood;
}

}  // namespace

void AddServeCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("serve", "Answer requests over HTTP, and show a page at /");
  ServerOptions& server = arguments->server;
  command
      ->add_option("--address", server.address,
                   "IP address to listen at (default 127.0.0.1, which only this machine reaches; 0.0.0.0: all)")
      ->type_name("ADDRESS")
      ->group("Network");
  command->add_option("--port", server.port, "Port (default 8000; 0: a free one, which is printed)")
      ->check(CLI::Range(0, 65535))
      ->type_name("PORT")
      ->group("Network");
  command
      ->add_option("--host-name", server.host_names,
                   "A name under which clients know this server besides localhost and IP addresses; *: any")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->group("Network");
  command
      ->add_option("--token-file", arguments->token_file,
                   "File whose first line requests need as a bearer token (or the environment variable INKREAD_TOKEN)")
      ->type_name("FILE")
      ->group("Network");
  const auto limit = [&](const char* name, auto* value, const char* what, const char* type, auto min, auto max) {
    command->add_option(name, *value, what)->check(CLI::Range(min, max))->type_name(type)->group("Limits");
  };
  command->add_option("--workers", server.num_workers, "Images to read at once (default: one for each thread)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->group("Limits");
  limit("--max-body", &server.max_body_bytes, "Bytes of a request's body (default 67108864)", "BYTES", int64_t{1},
        int64_t{1} << 40);
  limit("--max-memory", &server.max_held_bytes, "Bytes of the bodies of all requests together (default 1073741824)",
        "BYTES", int64_t{1}, int64_t{1} << 50);
  limit("--max-pixels", &server.max_pixels, "Pixels of an image (default 100000000)", "N", int64_t{1},
        int64_t{INT32_MAX});
  limit("--max-pages", &server.max_pages, "Pages of a document (default 500)", "N", 1, 1'000'000);
  limit("--max-queue", &server.max_waiting, "Requests that wait (default 256)", "N", 1, 1'000'000);
  limit("--max-clients", &server.max_clients, "Connections (default 512)", "N", 1, 1'000'000);
  limit("--time-limit", &server.time_limit_s, "Seconds for a page, in the queue and being read (default 60)", "SECONDS",
        0.001, 1e6);
  limit("--request-time", &server.request_time_s, "Seconds for a request to arrive (default 30)", "SECONDS", 0.001,
        1e6);
  AddServingArguments(command, &arguments->common);
  command->footer(
      "docs/server.md describes the requests and docs/security.md what is exposed.\n"
      "SIGTERM or SIGINT: no more requests are taken, those that have begun are finished; exit code 0.");
  command->callback([arguments, exit_code] { *exit_code = RunServe(*arguments); });
}

}  // namespace inkread
