#include "apps/read_command.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/engine_arguments.h"
#include "apps/inputs.h"
#include "apps/output.h"
#include "apps/picture_source.h"
#include "apps/progress_bar.h"
#include "apps/read_loop.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

constexpr int kExitAllRead = 0;
constexpr int kExitSomeFailed = 1;
constexpr int kExitUsage = 2;
constexpr int kExitEngine = 3;

// Fewer are done before a bar could be looked at.
constexpr size_t kInputsForABar = 4;

struct Arguments {
  std::vector<std::string> inputs;
  bool json = false;
  bool json_lines = false;
  bool tsv = false;
  std::string out_path;
  std::string overlay_path;
  EngineArguments common;
};

// More than one picture may come: several arguments, a folder or a pattern.
bool MayBeMany(const Arguments& arguments, const Inputs& inputs) {
  std::error_code error;
  return arguments.inputs.size() > 1 || inputs.files.size() > 1 ||
         std::filesystem::is_directory(arguments.inputs.front(), error);
}

std::unique_ptr<Output> MakeOutput(const Arguments& arguments, const EngineInfo& info, bool many, std::ostream* out) {
  if (arguments.tsv) return MakeTsvOutput(out);
  if (arguments.json_lines) return MakeJsonLinesOutput(out);
  if (!arguments.json) return MakeTextOutput(many, out);
  RunInfo run;
  run.version = VersionString();
  run.size = info.size;
  run.profile = arguments.common.read.profile;
  run.precision = info.precision;
  run.official = arguments.common.read.official;
  return MakeJsonOutput(run, out);
}

int RunRead(const Arguments& arguments) {
  Inputs inputs = ExpandInputs(arguments.inputs);
  for (const std::string& note : inputs.notes) std::cerr << "inkread: " << note << '\n';

  const Result<std::unique_ptr<Engine>> created = CreateEngine(arguments.common);
  if (!created.ok()) {
    std::cerr << "inkread: " << created.status().message() << '\n';
    return kExitEngine;
  }
  const Engine& engine = **created;
  const EngineInfo info = engine.Info();

  std::ofstream file;
  if (!arguments.out_path.empty()) {
    file.open(arguments.out_path, std::ios::binary | std::ios::trunc);
    if (!file) {
      std::cerr << "inkread: --out " << arguments.out_path << ": cannot be written: " << std::strerror(errno) << '\n';
      return kExitUsage;
    }
  }
  std::ostream& out = arguments.out_path.empty() ? std::cout : file;

  const bool many = MayBeMany(arguments, inputs);
  std::error_code error;
  ReadLoopOptions loop;
  loop.overlay_path = arguments.overlay_path;
  loop.overlay_is_folder = many || std::filesystem::is_directory(arguments.overlay_path, error);
  loop.batch_pictures = 4 * info.num_threads;  // so that a large picture among small ones holds up few threads

  const size_t num_inputs = inputs.files.size();
  PictureSource source(std::move(inputs.files), DecodeOptionsFor(arguments.common.read));
  const std::unique_ptr<Output> output = MakeOutput(arguments, info, many, &out);
  std::unique_ptr<ProgressBar> bar = num_inputs >= kInputsForABar
                                         ? std::make_unique<ProgressBar>(ProgressBar::Unit::kCount)
                                         : std::make_unique<ProgressBar>(ProgressBar::Unit::kCount, false);
  const ReadPictures read = [&](std::span<const ImageView> views) {
    return engine.ReadMany(views, arguments.common.read);
  };
  const ReadLoopResult result = RunReadLoop(&source, num_inputs, read, loop, output.get(), bar.get(), &std::cerr);

  out.flush();
  if (!out) {
    std::cerr << "inkread: the output could not be written completely\n";
    return kExitSomeFailed;
  }
  if (const std::string reason = engine.Info().fallback_reason; !reason.empty()) {
    std::cerr << "inkread: warning: read with " << BackendName(engine.Info().backend) << ": " << reason << '\n';
  }
  if (result.device_lost) return kExitEngine;
  return result.num_failed == 0 ? kExitAllRead : kExitSomeFailed;
}

}  // namespace

void AddReadCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("read", "Print the text of pictures");
  command
      ->add_option("inputs", arguments->inputs,
                   "Pictures, folders, patterns such as 'scans/*.png', or - for a picture on standard input")
      ->required();

  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON document")->group("Output");
  CLI::Option* lines =
      command->add_flag("--jsonl", arguments->json_lines, "Print one JSON object a picture, as they are read");
  CLI::Option* tsv = command->add_flag("--tsv", arguments->tsv, "Print a table with tabs, one row a line of text");
  lines->group("Output")->excludes(json);
  tsv->group("Output")->excludes(json)->excludes(lines);
  command->add_option("--out", arguments->out_path, "Write to this file, not to standard output")
      ->type_name("FILE")
      ->group("Output");
  command
      ->add_option("--overlay", arguments->overlay_path,
                   "Write the picture with boxes and reading order drawn on it, as PNG; a folder for several pictures")
      ->type_name("OUT")
      ->group("Output");

  AddEngineArguments(command, &arguments->common);
  command
      ->add_option("--score-thresh", arguments->common.read.score_thresh,
                   "Leave out lines with a lower score, 0 to 1 (default 0: none)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("SCORE")
      ->group("Reading");
  command->add_option("--max-pixels", arguments->common.read.max_pixels, "Refuse larger pictures (default 100000000)")
      ->check(CLI::Range(int64_t{1}, int64_t{INT32_MAX}))
      ->type_name("N")
      ->group("Reading");

  command->footer(
      "tiny reads Chinese, English and Greek; small and medium add Japanese kana and rarer characters.\n"
      "No size reads Hangul, Cyrillic, Arabic or Thai.\n"
      "Exit code: 0 all read, 1 some file failed, 2 wrong usage, 3 engine or model.");
  command->callback([arguments, exit_code] { *exit_code = RunRead(*arguments); });
}

}  // namespace inkread
