#include "apps/other_commands.h"

#include <string>
#include <string_view>
#include <vector>

#include "apps/paddleocr_json_command.h"
#include "apps/tesseract_command.h"

namespace inkread {
namespace {

struct Command {
  const char* name;
  const char* program;  // the name of the program that it stands for
  const char* what;
  int (*run)(const std::vector<std::string>& arguments);
};
constexpr Command kCommands[] = {
    {"tesseract", "tesseract", "Read with the command line of tesseract", RunTesseract},
    {"paddleocr-json", "PaddleOCR-json", "Answer as PaddleOCR-json, line by line or at a port", RunPaddleOcrJson},
};

}  // namespace

std::optional<int> RunUnderOtherName(int argc, char** argv) {
  if (argc < 1) return std::nullopt;
  const std::string_view path = argv[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const Command& command : kCommands) {
    if (name == command.program) return command.run(std::vector<std::string>(argv + 1, argv + argc));
  }
  return std::nullopt;
}

void AddOtherCommands(CLI::App& app, int* exit_code) {
  for (const Command& command : kCommands) {
    CLI::App* const sub = app.add_subcommand(command.name, command.what);
    sub->set_help_flag();  // every argument is the other program's
    sub->prefix_command();
    sub->callback([sub, run = command.run, exit_code] { *exit_code = run(sub->remaining()); });
  }
}

}  // namespace inkread
