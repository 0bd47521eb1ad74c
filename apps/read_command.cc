#include "apps/read_command.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "apps/choice.h"
#include "apps/clock.h"
#include "apps/engine_arguments.h"
#include "apps/exit_codes.h"
#include "apps/file_bytes.h"
#include "apps/inputs.h"
#include "apps/interrupt.h"
#include "apps/journal.h"
#include "apps/mode_arguments.h"
#include "apps/output_file.h"
#include "apps/overlay_files.h"
#include "apps/progress_bar.h"
#include "apps/read_loop.h"
#include "apps/read_summary.h"
#include "apps/read_target.h"
#include "apps/shard.h"
#include "apps/watch.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

// A bar for fewer inputs would be gone before anyone saw it.
constexpr size_t kInputsForABar = 4;

struct Arguments {
  std::vector<std::string> inputs;
  std::map<OutputFormat, bool> formats;  // whether each was asked for
  std::string out_path;
  std::string overlay_path;
  bool no_times = false;
  int num_workers = 0;  // 0: as many as the engine has threads
  bool unordered = false;
  bool resume = false;
  bool watch = false;
  std::string shard = "1/1";
  LoadOptions load;
  bool keeps_document = false;  // the PDF that is written is the one that is read, with a text layer
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

// The same for --shard.
std::string NotAShard(const std::string& value) { return ParseShard(value).status().message(); }

// The same for --pages.
std::string NotPages(const std::string& value) {
  return PageRanges::Parse(value) ? "" : "'" + value + "' is no list of pages such as 3-7,12 or 20-";
}

// Whether there may be several images: several arguments, a folder or a pattern.
bool MayBeMany(const Arguments& arguments, const Inputs& inputs) {
  return arguments.inputs.size() > 1 || inputs.files.size() > 1 || inputs.has_folder;
}

bool IsOnePdf(const Inputs& inputs) {
  if (inputs.has_folder || inputs.files.size() != 1 || inputs.files[0].is_stdin) return false;
  return IsPdfFile(inputs.files[0].path);
}

// The formats that were asked for; text if none was.
std::vector<OutputFormat> FormatsOf(const Arguments& arguments) {
  std::vector<OutputFormat> formats;
  for (const auto& [format, is_asked] : arguments.formats) {
    if (is_asked) formats.push_back(format);
  }
  if (formats.empty()) formats.push_back(OutputFormat::kText);
  return formats;
}

bool Has(const std::vector<OutputFormat>& formats, OutputFormat format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

RunInfo RunInfoOf(const Arguments& arguments, const EngineInfo& info) {
  RunInfo run;
  run.version = VersionString();
  run.size = info.size;
  run.precision = info.precision;
  run.read = arguments.common.read;
  run.times = !arguments.no_times;
  return run;
}

// Fails when an output would destroy an input or another output. The names of overlays in a folder are not known yet;
// each is checked when it is written.
//
// Returns  the files in use, without the overlay
Result<FilesInUse> CheckOutputs(const Arguments& arguments, const InputList& inputs, bool many,
                                bool overlay_is_folder) {
  FilesInUse in_use;
  std::error_code ignored;
  // Asking the system about a million files takes its time, and a new file is none of them.
  const std::vector<std::string> paths = PathsOf(FormatsOf(arguments), arguments.out_path);
  const bool may_destroy = !arguments.overlay_path.empty() ||
                           std::any_of(paths.begin(), paths.end(),
                                       [&](const std::string& path) { return std::filesystem::exists(path, ignored); });
  if (may_destroy) in_use.AddInputs(inputs);
  for (const std::string& path : paths) {
    if (path.empty()) {
      in_use.AddStandardOutput("is standard output");
      continue;
    }
    const Status free = in_use.CheckFree(path);
    if (!free.ok()) return Status(free.code(), "--out " + free.message());
    in_use.Add(path, "is the file of --out");
  }
  if (arguments.overlay_path.empty()) return in_use;
  if (many && !overlay_is_folder) {
    return Status(StatusCode::kInvalidArgument, "--overlay " + arguments.overlay_path +
                                                    ": expected a folder for several images, this is a file's name");
  }
  const Status free = in_use.CheckFree(arguments.overlay_path);
  if (!free.ok()) return Status(free.code(), "--overlay " + free.message());
  return in_use;
}

// Whether words or characters are asked for that no output has a place for.
bool LosesParts(const Arguments& arguments, const std::vector<OutputFormat>& formats) {
  const bool has_place =
      Has(formats, OutputFormat::kJson) || Has(formats, OutputFormat::kJsonLines) || !arguments.overlay_path.empty();
  const bool is_by_word = std::any_of(formats.begin(), formats.end(), IsByWord);
  return ((arguments.common.read.words && !is_by_word) || arguments.common.read.chars) && !has_place;
}

// What is wrong with options that are right one by one; empty if nothing is.
std::string WrongTogether(const Arguments& arguments, const std::vector<OutputFormat>& formats) {
  if (LosesParts(arguments, formats)) return "--words and --chars need --json, --jsonl or --overlay";
  if (formats.size() > 1 && arguments.out_path.empty())
    return "several formats need --out NAME: they are written to NAME.json, NAME.pdf and so on";
  if (arguments.resume && (formats != std::vector{OutputFormat::kJsonLines} || arguments.out_path.empty()))
    return "--resume needs --jsonl alone and the file of --out, from which it goes on";
  if (arguments.keeps_document && !Has(formats, OutputFormat::kPdf))
    return "--text-layer keep needs --pdf: it writes the document with a text layer";
  return "";
}

// Says how the run ended, on standard error: in the log of a run that nobody watched it is what counts.
void TellSummary(const ReadLoopResult& result, const Journal* earlier, double seconds) {
  ReadSummary summary;
  summary.num_read = result.num_read;
  summary.failures = result.failures;
  summary.seconds = seconds;
  if (earlier != nullptr) {
    summary.num_read += earlier->num_read();
    summary.num_read_before = earlier->num_read();
    for (const auto& [code, count] : earlier->failures()) summary.failures[code] += count;
  }
  Tell(SummaryText(summary));
}

int ExitCode(const ReadLoopResult& result, const Journal* earlier) {
  if (result.device_lost) return kExitEngine;
  if (result.stopped) return kExitInterrupted + InterruptSignal();
  std::map<std::string, int64_t> failures = result.failures;
  if (earlier != nullptr) failures.insert(earlier->failures().begin(), earlier->failures().end());
  if (failures.empty()) return kExitGood;
  const bool is_refused = failures.size() == 1 && failures.count(StatusCodeName(StatusCode::kPermissionDenied)) == 1;
  return is_refused ? kExitRefused : kExitFailed;
}

int RunRead(Arguments arguments) {
  if (arguments.out_path == "-") arguments.out_path.clear();
  const std::vector<OutputFormat> formats = FormatsOf(arguments);
  if (const std::string wrong = WrongTogether(arguments, formats); !wrong.empty()) return Fail(kExitUsage, wrong);
  if (std::any_of(formats.begin(), formats.end(), IsByWord)) arguments.common.read.words = true;
  const Shard shard = *ParseShard(arguments.shard);
  Inputs inputs = ExpandInputs(arguments.inputs, {shard, /*empty_is_error=*/!arguments.watch});
  if (arguments.watch && !inputs.has_folder) return Fail(kExitUsage, "--watch needs a folder or a pattern");

  if (arguments.keeps_document && !IsOnePdf(inputs))
    return Fail(kExitUsage, "--text-layer keep needs one PDF, in a file, as the only input");

  const bool many = MayBeMany(arguments, inputs);
  ReadLoopOptions loop;
  loop.overlay_path = arguments.overlay_path;
  loop.overlay_is_folder = IsOverlayFolder(arguments.overlay_path);
  loop.overlay_format = OverlayFormatOf(arguments.overlay_path);
  Result<FilesInUse> in_use = CheckOutputs(arguments, inputs.files, many, loop.overlay_is_folder);
  if (!in_use.ok()) return Fail(kExitUsage, in_use.status().message());
  loop.in_use = std::move(*in_use);

  const Result<std::unique_ptr<Engine>> created = Engine::Create(arguments.common.engine);
  if (!created.ok()) return Fail(kExitEngine, created.status().message());
  const Engine& engine = **created;
  const EngineInfo info = engine.Info();
  loop.run_warning = info.precision_reason;
  loop.load = arguments.load;
  loop.load.keeps_jpeg = loop.keeps_images = Has(formats, OutputFormat::kPdf) && !arguments.keeps_document;
  loop.load.document.decode = DecodeOptionsFor(arguments.common.read);
  loop.num_workers = arguments.num_workers > 0 ? arguments.num_workers : info.num_threads;
  loop.max_pixel_bytes += int64_t{16'000'000} * loop.num_workers;
  loop.keep_order = !arguments.unordered;
  loop.may_leave_gaps = !arguments.resume;
  loop.ends_with_device = arguments.resume;

  CatchInterrupts();
  loop.stop = [] { return InterruptSignal() != 0; };
  const Result<std::unique_ptr<ReadTarget>> target = ReadTarget::Open(formats, arguments.out_path, arguments.resume);
  if (!target.ok()) {
    const bool is_refused = target.status().code() == StatusCode::kPermissionDenied;
    return Fail(is_refused ? kExitRefused : kExitUsage, "--out " + target.status().message());
  }
  Journal* const journal = (*target)->journal();
  loop.written_to = (*target)->streams();
  Watch watch(arguments.inputs, shard);
  if (arguments.watch) loop.more = [&] { return watch.Poll(); };

  const bool has_bar = arguments.watch || inputs.files.size() >= kInputsForABar;
  const std::string layer_of = arguments.keeps_document ? inputs.files[0].path : "";
  InputQueue queue(arguments.watch ? InputList() : std::move(inputs.files), journal ? journal->finished() : nullptr);
  const std::unique_ptr<PageWriter> output = (*target)->MakeWriter(RunInfoOf(arguments, info), many, layer_of);
  ProgressBar bar(ProgressBar::Unit::kCount, has_bar && ProgressBar::HasTerminal());
  const auto start = Clock::now();
  const ReadLoopResult result = RunReadLoop(
      std::move(queue), [&](const ImageView& view) { return engine.Read(view, arguments.common.read); }, loop,
      output.get(), &bar, &std::cerr);

  WarnOfSubstitutes(engine.Info());
  if (result.stopped && InterruptSignal() != 0) {
    Tell("interrupted: " + std::to_string(result.num_done) + " of " + std::to_string(result.num_inputs) +
         " files read");
    if (result.num_read + result.num_failed == 0) return ExitCode(result, journal);  // an older file of --out stays
  }
  if (inputs.has_folder) TellSummary(result, journal, MillisecondsSince(start) * 1e-3);
  if (const Status written = (*target)->Finish(); !written.ok()) return Fail(kExitFailed, written.message());
  return ExitCode(result, journal);
}

}  // namespace

void AddReadCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("read", "Print the text of images");
  command
      ->add_option("inputs", arguments->inputs,
                   "Images, PDFs, folders, patterns such as 'scans/**/*.png', or - for an image on standard input")
      ->required()
      ->type_name("INPUT");

  const std::tuple<const char*, OutputFormat, const char*> formats[] = {
      {"--text", OutputFormat::kText, "Print the text of each line; the default"},
      {"--layout", OutputFormat::kLayout, "Print the text with lines where they stand on the page"},
      {"--json", OutputFormat::kJson, "Print one JSON document"},
      {"--jsonl", OutputFormat::kJsonLines, "Print one JSON object for each image, as soon as it is read"},
      {"--tsv", OutputFormat::kTsv, "Print the table of tesseract, one row for each word"},
      {"--hocr", OutputFormat::kHocr, "Print hOCR: HTML with the place of each word"},
      {"--alto", OutputFormat::kAlto, "Print ALTO 4: XML with the place of each word"},
      {"--pdf", OutputFormat::kPdf, "Write a searchable PDF: the images with their text, invisible, over them"}};
  for (const auto& [flag, format, what] : formats)
    command->add_flag(flag, arguments->formats[format], what)->group("Output");
  command
      ->add_option(
          "--out", arguments->out_path,
          "Write to this file; for several formats the name without an ending (NAME.json, NAME.pdf, ...); -: to "
          "standard output, as without it")
      ->type_name("FILE")
      ->group("Output");
  command
      ->add_option("--overlay", arguments->overlay_path,
                   "Write the image with boxes and reading order drawn on it: a file that ends with .png or .jpg, or a "
                   "folder, new or not, where each is called NAME.overlay.png")
      ->type_name("OUT")
      ->group("Output");

  command
      ->add_flag("--no-times", arguments->no_times,
                 "Leave out the times in --json and --jsonl, so that the same images give the same bytes")
      ->group("Output");
  CLI::Option* const pages = command->add_option_function<std::string>(
      "--pages", [arguments](const std::string& text) { arguments->load.pages = *PageRanges::Parse(text); },
      "Read these pages of each document only, such as 3-7,12 or 20-");
  pages->check(CLI::Validator(NotPages, ""))->type_name("PAGES")->group("Documents");
  command
      ->add_option("--dpi", arguments->load.document.dpi,
                   "Resolution at which pages of a PDF are drawn that are not a single image (default: 200, less for "
                   "posters)")
      ->check(CLI::Range(10.0, 2400.0))
      ->type_name("DPI")
      ->group("Documents");
  CLI::Option* const text_layer = command->add_option_function<std::string>(
      "--text-layer",
      [arguments](const std::string& what) {
        arguments->load.passes_text = what != "redo";
        arguments->keeps_document = what == "keep";
      },
      "Pages of a PDF that have a text layer: redo (default): read them like others; skip: pass over them; keep: the "
      "same, and --pdf writes the document itself, with a text layer for the pages that have none");
  text_layer->check(OneOf({"redo", "skip", "keep"}))->type_name("redo|skip|keep")->group("Documents");
  CLI::Option* const overlay = command->get_option("--overlay");
  command
      ->add_flag(
          "--resume", arguments->resume,
          "Go on where an earlier run ended, however it ended. Needs --jsonl and --out; can be given from the first "
          "run on")
      ->excludes(overlay)
      ->excludes(pages)
      ->excludes(text_layer)
      ->group("Folders");
  command->add_flag("--unordered", arguments->unordered, "Write each image when it is read, not in order")
      ->group("Folders");
  command->add_option("--workers", arguments->num_workers, "Images to read at once (default: one for each thread)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->group("Folders");
  command
      ->add_option(
          "--shard", arguments->shard,
          "Read one part of the files: 2/8 is the second of eight. The name of a file decides, on every machine")
      ->check(CLI::Validator(NotAShard, ""))
      ->type_name("I/N")
      ->group("Folders");
  command->add_flag("--watch", arguments->watch, "Go on with files that come into the folders, until a signal ends it")
      ->excludes(overlay)
      ->group("Folders");

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
      "Exit code: 0 all read, 1 some file failed or there was none, 2 wrong usage, 3 engine or model, 4 permission "
      "refused and nothing else, 130 and 143 ended by a signal.");
  command->callback([arguments, exit_code] { *exit_code = RunRead(*arguments); });
}

}  // namespace inkread
