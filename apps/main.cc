// The `inkread` command.
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>

#include "apps/bench/command.h"
#include "apps/devices_command.h"
#include "apps/doctor_command.h"
#include "apps/exit_codes.h"
#include "apps/help_command.h"
#include "apps/help_format.h"
#include "apps/interrupt.h"
#include "apps/mcp_command.h"
#include "apps/models_command.h"
#include "apps/other_commands.h"
#include "apps/read_command.h"
#include "apps/serve_command.h"
#include "apps/standard_streams.h"
#include "apps/usage.h"
#include "inkread/ocr.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

// Makes freed images go back to the system. By default glibc learns from the first of them to keep such blocks, in a heap
// for each thread, and a block above them then keeps them for good. Two heaps are enough for threads that allocate so
// seldom.
void GiveLargeBlocksBack() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 20);
  ::mallopt(M_ARENA_MAX, 2);
#endif
}

int Run(int argc, char** argv) {
  CLI::App app("inkread reads the text of images.", "inkread");
  int exit_code = inkread::kExitGood;
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag(
      "-V,--version", [] { return "inkread " + inkread::VersionString(); },
      "Print version, commit and the instruction set in use");
  app.formatter(std::make_shared<inkread::HelpFormat>());  // of all that are added from here on
  app.require_subcommand(1);
  app.failure_message(inkread::UsageMessage);
  inkread::AddReadCommand(app, &exit_code);
  inkread::AddBenchCommand(app, &exit_code);
  inkread::AddModelsCommand(app, &exit_code);
  inkread::AddDevicesCommand(app, &exit_code);
  inkread::AddDoctorCommand(app, &exit_code);
  inkread::AddServeCommand(app, &exit_code);
  inkread::AddMcpCommand(app, &exit_code);
  inkread::AddOtherCommands(app, &exit_code);
  inkread::AddHelpCommands(app, &exit_code);
  // Last, since commands inherit what stands before them.
  app.footer(
      "The models come separately: inkread models fetch small. Then inkread read photo.jpg prints the text of an "
      "image. "
      "inkread help COMMAND explains one of the commands.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? inkread::kExitGood
                                : inkread::kExitUsage;  // help and version are ParseErrors that end well
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  if (!inkread::OpenClosedStreams()) return inkread::kExitUsage;  // there may be no stream for a message
  std::signal(SIGXFSZ, SIG_IGN);                                  // a file over the limit on sizes is an error like any
  GiveLargeBlocksBack();
  try {
    const std::optional<int> other = inkread::RunUnderOtherName(argc, argv);
    const int exit_code = other ? *other : Run(argc, argv);
    const bool is_flushed = inkread::FlushStandardOutput();
    if (exit_code > inkread::kExitInterrupted) inkread::EndByInterrupt();
    if (is_flushed || exit_code != inkread::kExitGood) return exit_code;
    return inkread::Fail(inkread::kExitFailed, "standard output: could not be written completely");
  } catch (const std::bad_alloc&) {
    return inkread::Fail(inkread::kExitEngine, "out of memory");
  } catch (const std::system_error& error) {  // the limit on processes, a file system that fails
    return inkread::Fail(inkread::kExitEngine, std::string("the system refuses: ") + error.what());
  } catch (const std::exception& error) {
    return inkread::Fail(inkread::kExitEngine, std::string("internal error: ") + error.what());
  }
}
