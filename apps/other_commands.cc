#include "apps/other_commands.h"

#include <string>
#include <string_view>
#include <vector>

#include "apps/paddleocr_json_command.h"
#include "apps/tesseract_command.h"

namespace inkread {
namespace {

using Run = int (*)(const std::vector<std::string>& arguments);

// Every argument is the other program's.
void PassArguments(CLI::App* command, Run run, int* exit_code) {
  command->set_help_flag();
  command->prefix_command();
  command->callback([command, run, exit_code] { *exit_code = run(command->remaining()); });
}

}  // namespace

std::optional<int> RunUnderOtherName(int argc, char** argv) {
  if (argc < 1) return std::nullopt;
  const std::string_view path = argv[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (name == "tesseract") return RunTesseract(arguments);
  if (name == "PaddleOCR-json") return RunPaddleOcrJson(arguments);
  return std::nullopt;
}

void AddOtherCommands(CLI::App& app, int* exit_code) {
  PassArguments(app.add_subcommand("tesseract", "Read with the command line of tesseract"), RunTesseract, exit_code);
  PassArguments(app.add_subcommand("paddleocr-json", "Answer as PaddleOCR-json, line by line or at a port"),
                RunPaddleOcrJson, exit_code);
}

}  // namespace inkread
