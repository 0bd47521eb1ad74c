#include "apps/read_command.h"

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/engine_arguments.h"
#include "apps/exit_codes.h"
#include "apps/image_source.h"
#include "apps/inputs.h"
#include "apps/mode_arguments.h"
#include "apps/output.h"
#include "apps/output_file.h"
#include "apps/progress_bar.h"
#include "apps/read_loop.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

// A bar for fewer inputs would be gone before anyone saw it.
constexpr size_t kInputsForABar = 4;

struct Arguments {
  std::vector<std::string> inputs;
  bool json = false;
  bool json_lines = false;
  bool tsv = false;
  bool hocr = false;
  bool alto = false;
  bool pdf = false;
  std::string out_path;
  std::string overlay_path;
  EngineArguments common;
};

// A check for CLI11, whose own CLI::Range accepts text that is no number. Returns an empty text for a good value.
std::string NotBetweenZeroAndOne(const std::string& value) {
  double number = 0;
  const char* end = value.data() + value.size();
  const auto [last, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc() && last == end && number >= 0 && number <= 1) return "";
  return "'" + value + "' is not a number between 0 and 1";
}

// Whether there may be several images: several arguments, a folder or a pattern.
bool MayBeMany(const Arguments& arguments, const Inputs& inputs) {
  std::error_code error;
  return arguments.inputs.size() > 1 || inputs.files.size() > 1 ||
         std::filesystem::is_directory(arguments.inputs.front(), error);
}

std::unique_ptr<Output> MakeOutput(const Arguments& arguments, const EngineInfo& info, bool many, std::ostream* out) {
  if (arguments.tsv) return MakeTsvWriter(out);
  if (arguments.pdf) return MakePdfWriter(out);
  RunInfo run;
  run.version = VersionString();
  run.size = info.size;
  run.precision = info.precision;
  run.read = arguments.common.read;
  if (arguments.json) return MakeJsonWriter(run, out);
  if (arguments.json_lines) return MakeJsonLinesWriter(run, out);
  if (arguments.hocr) return MakeHocrWriter(run, out);
  if (arguments.alto) return MakeAltoWriter(run, out);
  return MakeTextWriter(many, out);
}

// Fails when an output would destroy an input or another output. The names of overlays in a folder are not known yet;
// each is checked when it is written.
//
// Returns  the files in use, without the overlay
Result<FilesInUse> CheckOutputs(const Arguments& arguments, const std::vector<Input>& inputs, bool overlay_is_folder) {
  FilesInUse in_use;
  in_use.AddInputs(inputs);
  if (arguments.out_path.empty()) {
    in_use.AddStandardOutput("is standard output");
  } else {
    const Status free = in_use.CheckFree(arguments.out_path);
    if (!free.ok()) return Status(free.code(), "--out " + free.message());
    in_use.Add(arguments.out_path, "is the file of --out");
  }
  if (arguments.overlay_path.empty()) return in_use;
  std::error_code error;
  if (overlay_is_folder && std::filesystem::exists(arguments.overlay_path, error) &&
      !std::filesystem::is_directory(arguments.overlay_path, error)) {
    return Status(StatusCode::kInvalidArgument,
                  "--overlay " + arguments.overlay_path + ": expected a folder for several images, this is a file");
  }
  const Status free = in_use.CheckFree(arguments.overlay_path);
  if (!free.ok()) return Status(free.code(), "--overlay " + free.message());
  return in_use;
}

// Whether the format has words as its smallest part.
bool IsByWord(const Arguments& arguments) { return arguments.tsv || arguments.hocr || arguments.alto || arguments.pdf; }

// Whether words or characters are asked for that no output has a place for.
bool LosesParts(const Arguments& arguments) {
  const bool has_place = arguments.json || arguments.json_lines || !arguments.overlay_path.empty();
  const bool asked_for_words = arguments.common.read.words && !IsByWord(arguments);
  return (asked_for_words || arguments.common.read.chars) && !has_place;
}

int RunRead(const Arguments& arguments) {
  if (LosesParts(arguments)) return Fail(kExitUsage, "--words and --chars need --json, --jsonl or --overlay");
  Inputs inputs = ExpandInputs(arguments.inputs);
  for (const std::string& note : inputs.notes) Tell(note);

  const bool many = MayBeMany(arguments, inputs);
  std::error_code error;
  ReadLoopOptions loop;
  loop.overlay_path = arguments.overlay_path;
  loop.overlay_is_folder = many || std::filesystem::is_directory(arguments.overlay_path, error);
  Result<FilesInUse> in_use = CheckOutputs(arguments, inputs.files, loop.overlay_is_folder);
  if (!in_use.ok()) return Fail(kExitUsage, in_use.status().message());
  loop.in_use = std::move(*in_use);

  const Result<std::unique_ptr<Engine>> created = Engine::Create(arguments.common.engine);
  if (!created.ok()) return Fail(kExitEngine, created.status().message());
  const Engine& engine = **created;
  const EngineInfo info = engine.Info();
  loop.run_warning = info.precision_reason;
  loop.batch_images = 4 * info.num_threads;  // few threads wait for a large image among small ones

  const Result<std::unique_ptr<OutputFile>> file = OutputFile::Open(arguments.out_path);
  if (!file.ok()) return Fail(kExitUsage, "--out " + file.status().message());

  loop.written_to = &(*file)->stream();

  const size_t num_inputs = inputs.files.size();
  ImageSource source(std::move(inputs.files), DecodeOptionsFor(arguments.common.read), arguments.pdf);
  const std::unique_ptr<Output> output = MakeOutput(arguments, info, many, &(*file)->stream());
  ProgressBar bar(ProgressBar::Unit::kCount, num_inputs >= kInputsForABar && ProgressBar::HasTerminal());
  const ReadImages read = [&](std::span<const ImageView> views) {
    return engine.ReadMany(views, arguments.common.read);
  };
  const ReadLoopResult result = RunReadLoop(&source, num_inputs, read, loop, output.get(), &bar, &std::cerr);

  WarnOfSubstitutes(engine.Info());
  if (const Status written = (*file)->Commit(); !written.ok()) return Fail(kExitFailed, written.message());
  if (result.device_lost) return kExitEngine;
  return result.num_failed == 0 ? kExitGood : kExitFailed;
}

}  // namespace

void AddReadCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("read", "Print the text of images");
  command
      ->add_option("inputs", arguments->inputs,
                   "Images, folders, patterns such as 'scans/*.png', or - for an image on standard input")
      ->required();

  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON document")->group("Output");
  CLI::Option* lines = command->add_flag("--jsonl", arguments->json_lines,
                                         "Print one JSON object for each image, as soon as it is read");
  CLI::Option* tsv = command->add_flag("--tsv", arguments->tsv, "Print the table of tesseract, one row for each word");
  CLI::Option* hocr = command->add_flag("--hocr", arguments->hocr, "Print hOCR: HTML with the place of each word");
  CLI::Option* alto = command->add_flag("--alto", arguments->alto, "Print ALTO 4: XML with the place of each word");
  CLI::Option* pdf = command->add_flag("--pdf", arguments->pdf,
                                       "Write a searchable PDF: the images with their text, invisible, over them");
  lines->group("Output")->excludes(json);
  tsv->group("Output")->excludes(json)->excludes(lines);
  hocr->group("Output")->excludes(json)->excludes(lines)->excludes(tsv);
  alto->group("Output")->excludes(json)->excludes(lines)->excludes(tsv)->excludes(hocr);
  pdf->group("Output")->excludes(json)->excludes(lines)->excludes(tsv)->excludes(hocr)->excludes(alto);
  command->add_option("--out", arguments->out_path, "Write to this file, not to standard output")
      ->type_name("FILE")
      ->group("Output");
  command
      ->add_option("--overlay", arguments->overlay_path,
                   "Write the image with boxes and reading order drawn on it, as PNG; for several images a folder, "
                   "where each is called NAME.overlay.png")
      ->type_name("OUT")
      ->group("Output");

  AddEngineArguments(command, &arguments->common);
  AddModeArguments(command, &arguments->common.read);
  command
      ->add_flag("--chars", arguments->common.read.chars,
                 "Find where each character is. Words and characters are part of --json, --jsonl and --overlay")
      ->group("Reading");
  command
      ->add_option("--score-thresh", arguments->common.read.score_thresh,
                   "Leave out lines with a lower score, 0 to 1 (default 0: none)")
      ->check(CLI::Validator(NotBetweenZeroAndOne, ""))
      ->type_name("SCORE")
      ->group("Reading");
  command
      ->add_option("--max-pixels", arguments->common.read.max_pixels,
                   "Refuse larger images (default 100000000), and streams of more than 4 bytes a pixel and 16 MiB")
      ->check(CLI::Range(int64_t{1}, int64_t{INT32_MAX}))
      ->type_name("N")
      ->group("Reading");

  command->footer(
      "tiny reads Chinese, English and Greek; small and medium add Japanese kana and rarer characters.\n"
      "No size reads Hangul, Cyrillic, Arabic or Thai.\n"
      "JSON has each byte of a file's name that is not UTF-8 as U+FFFD and two hexadecimal digits.\n"
      "Exit code: 0 all read, 1 some file failed, 2 wrong usage, 3 engine or model.");
  command->callback([arguments, exit_code] {
    if (IsByWord(*arguments)) arguments->common.read.words = true;
    *exit_code = RunRead(*arguments);
  });
}

}  // namespace inkread
