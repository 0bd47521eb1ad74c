#include "apps/bench/command.h"

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/bench/compare.h"
#include "apps/bench/result.h"
#include "apps/bench/run.h"
#include "apps/bench/table.h"
#include "apps/engine_arguments.h"
#include "apps/exit_codes.h"
#include "apps/file_bytes.h"
#include "apps/image_source.h"
#include "apps/inputs.h"
#include "apps/machine.h"
#include "apps/output_file.h"
#include "apps/progress_bar.h"

namespace inkread {
namespace {

struct Arguments {
  std::string input;
  std::string truth_path;
  std::string out_path;
  EngineArguments common;
  BenchRunOptions run;
  bool stream = false;
  std::vector<std::string> compare;  // two paths, or empty
  CompareGates gates;
};

// The name of a page in results: its path within the input folder, and the page where a file has several.
std::string NameOf(const LoadedImage& loaded, const std::string& input) {
  const std::filesystem::path path(loaded.file);
  std::error_code error;
  const bool in_folder = std::filesystem::is_directory(input, error);
  std::string name = in_folder ? path.lexically_relative(input).generic_string() : path.filename().string();
  if (loaded.pages > 1) name += "#" + std::to_string(loaded.page);
  return name;
}

// Reads a file and decodes one of its pages.
Result<DecodedImage> DecodePage(const Input& input, int page, const DecodeOptions& options) {
  const Result<FileBytes> bytes = ReadImageBytes(input, MaxBytesRead(options.max_pixels));
  if (!bytes.ok()) return bytes.status();
  const Result<std::unique_ptr<Document>> file = Document::Open(bytes->bytes(), input.is_stdin ? "" : input.path);
  DocumentOptions document;
  document.decode = options;
  return file.ok() ? (*file)->Decode(page, document) : file.status();
}

// Decodes all pages of `files`, which are below the folder `input`. With `stream` their pixels are dropped again, and
// decoded each time that the image is read.
//
// Errors  those of decoding, with the file in front; kInvalidArgument (two images of the same name)
Result<std::vector<BenchImage>> DecodeAll(const std::string& input, const InputList& files,
                                          const DecodeOptions& options, bool stream) {
  LoadOptions load;
  load.document.decode = options;
  ImageSource source(files.ToVector(), load);
  std::vector<BenchImage> images;
  std::map<std::string, std::string> names;
  while (std::optional<LoadedImage> loaded = source.Next()) {
    if (!loaded->decoded) {
      return Status(loaded->decoded.status().code(), loaded->file + ": " + loaded->decoded.status().message());
    }
    const std::string name = NameOf(*loaded, input);
    const auto [other, is_new] = names.emplace(FileNameOf(name), name);
    if (!is_new) {
      return Status(StatusCode::kInvalidArgument, input + ": " + name + " and " + other->second +
                                                      " have one file name, by which results know an image");
    }
    images.push_back({name, std::move(*loaded->decoded), nullptr});
    if (!stream) continue;
    images.back().image.pixels = std::vector<uint8_t>();
    images.back().decode = [file = files[loaded->input], page = loaded->page - 1, options] {
      return DecodePage(file, page, options);
    };
  }
  return images;
}

// The truth in the order of the images.
//
// Errors  those of LoadTruth, kInvalidArgument (an image that the truth does not name)
Result<std::vector<ImageLines>> TruthOf(const std::vector<BenchImage>& images, const std::string& path) {
  Result<std::vector<ImageLines>> truth = LoadTruth(path);
  if (!truth.ok()) return truth.status();
  std::map<std::string, ImageLines*> by_name;
  for (ImageLines& image : *truth) by_name[FileNameOf(image.file)] = &image;
  std::vector<ImageLines> in_order;
  for (const BenchImage& image : images) {
    const auto found = by_name.find(FileNameOf(image.file));
    if (found == by_name.end()) {
      return Status(StatusCode::kInvalidArgument, path + ": the truth does not name " + image.file);
    }
    in_order.push_back(std::move(*found->second));
  }
  if (in_order.size() < truth->size()) {
    Tell("note: " + std::to_string(truth->size() - in_order.size()) + " of " + std::to_string(truth->size()) +
         " images of " + path + " are not in the input and do not count");
  }
  return in_order;
}

// Errors  kInvalidArgument (--out would overwrite a file in use)
Status CheckOutPath(const Arguments& arguments, const Inputs& inputs) {
  if (arguments.out_path.empty()) return Status();
  FilesInUse in_use;
  in_use.AddInputs(inputs.files);
  if (!arguments.truth_path.empty()) in_use.Add(arguments.truth_path, "is the truth");
  const Status free = in_use.CheckFree(arguments.out_path);
  return free.ok() ? free : Status(free.code(), "--out " + free.message());
}

// Prints the result and, where there is a file, writes it.
int Report(const BenchSetup& setup, const std::vector<BenchImage>& images, const BenchTimes& times,
           const std::optional<std::vector<ImageLines>>& truth, OutputFile* file) {
  const Json document = BenchDocument(setup, images, times, truth);
  for (const char* part : {"machine", "engine", "summary"}) PrintMembers({&document[part]}, false, &std::cout);
  if (const auto kinds = document["summary"].find("pairs_in_order_by_kind"); kinds != document["summary"].end()) {
    std::cout << "\npairs_in_order of each kind of image\n";
    PrintMembers({&*kinds}, false, &std::cout);
  }
  if (file == nullptr) return kExitGood;
  file->stream() << BenchDocumentText(document);
  const Status written = file->Commit();
  return written.ok() ? kExitGood : Fail(kExitFailed, "--out " + written.message());
}

int RunBenchCommand(const Arguments& arguments) {
  const Inputs inputs = ExpandInputs({arguments.input});
  if (const Status error = inputs.files.front().error; !error.ok()) {
    return Fail(kExitFailed, "--input " + arguments.input + ": " + error.message());
  }
  if (const Status status = CheckOutPath(arguments, inputs); !status.ok()) return Fail(kExitUsage, status.message());

  // The engine is made before the images are decoded, so that its memory can be told from theirs.
  const Result<std::unique_ptr<Engine>> created = Engine::Create(arguments.common.engine);
  if (!created) return Fail(kExitEngine, created.status().message());
  const Engine& engine = **created;
  BenchSetup setup;
  setup.resident_after_load_bytes = ResidentBytes();
  setup.machine = ThisMachine();
  setup.read = arguments.common.read;
  setup.run = arguments.run;

  const Result<std::vector<BenchImage>> images =
      DecodeAll(arguments.input, inputs.files, DecodeOptionsFor(setup.read), arguments.stream);
  if (!images) return Fail(kExitFailed, images.status().message());
  std::optional<std::vector<ImageLines>> truth;
  if (!arguments.truth_path.empty()) {
    Result<std::vector<ImageLines>> loaded = TruthOf(*images, arguments.truth_path);
    if (!loaded) return Fail(kExitUsage, loaded.status().message());
    truth = std::move(*loaded);
  }
  // The output file is opened before the work whose result it takes.
  std::unique_ptr<OutputFile> file;
  if (!arguments.out_path.empty()) {
    Result<std::unique_ptr<OutputFile>> opened = OutputFile::Open(arguments.out_path);
    if (!opened) return Fail(kExitUsage, "--out " + opened.status().message());
    file = std::move(*opened);
  }

  ProgressBar bar(ProgressBar::Unit::kCount);
  const Result<BenchTimes> times = RunBench(
      *images, [&](const ImageView& view) { return engine.Read(view, setup.read); }, setup.run,
      [&](int64_t done, int64_t total) { bar.Update("reading", done, total); });
  bar.Hide();
  if (!times) {
    const StatusCode code = times.status().code();
    const bool is_engine = code == StatusCode::kDeviceLost || code == StatusCode::kInternal;
    return Fail(is_engine ? kExitEngine : kExitFailed, times.status().message());
  }
  setup.resident_peak_bytes = PeakResidentBytes();
  setup.engine = engine.Info();
  WarnOfSubstitutes(setup.engine);
  return Report(setup, *images, *times, truth, file.get());
}

int RunCompareCommand(const Arguments& arguments) {
  std::vector<BenchResult> results;
  for (const std::string& path : arguments.compare) {
    Result<BenchResult> result = LoadBenchResult(path);
    if (!result.ok()) return Fail(kExitUsage, result.status().message());
    results.push_back(std::move(*result));
  }
  const BenchResult& a = results[0];
  const BenchResult& b = results[1];
  std::cout << "1: " << a.path << "\n2: " << b.path << "\nThe last column is 2 divided by 1.\n\n";
  PrintMembers({&a.machine, &b.machine}, false, &std::cout);
  PrintMembers({&a.engine, &b.engine}, false, &std::cout);
  PrintMembers({&a.summary, &b.summary}, true, &std::cout);
  const TextDifference difference = CompareTexts(a, b);
  std::cout << '\n';
  PrintTextDifference(difference, &std::cout);
  std::cout.flush();
  const std::vector<std::string> failed = FailedGates(difference, arguments.gates);
  for (const std::string& gate : failed) Tell(gate);
  return failed.empty() ? kExitGood : kExitFailed;
}

int RunEither(const Arguments& arguments) {
  if (!arguments.compare.empty()) return RunCompareCommand(arguments);
  if (!arguments.input.empty()) return RunBenchCommand(arguments);
  return Fail(kExitUsage, "bench: expected --input DIR or --compare A.json B.json");
}

}  // namespace

void AddBenchCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("bench", "Measure time, memory and correctness, or compare two results");

  CLI::Option* input = command->add_option("--input", arguments->input, "Folder of images to measure with");
  input->type_name("DIR")->group("Measure");
  command->add_option("--truth", arguments->truth_path, "The text of the images, as ./dev dataset writes it")
      ->type_name("FILE")
      ->needs(input)
      ->group("Measure");
  command->add_option("--out", arguments->out_path, "Write the result as JSON, each image included")
      ->type_name("FILE")
      ->needs(input)
      ->group("Measure");
  command->add_option("--workers", arguments->run.num_workers, "Images read at the same time (default 1)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->needs(input)
      ->group("Measure");
  command
      ->add_flag("--stream", arguments->stream,
                 "Decode each image when it is read, not all before: less memory; images_per_s includes it")
      ->needs(input)
      ->group("Measure");
  command->add_option("--warmup", arguments->run.num_warmups, "Rounds over all images that do not count (default 1)")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N")
      ->needs(input)
      ->group("Measure");
  command->add_option("--rounds", arguments->run.num_rounds, "Rounds that count; a time is their median (default 1)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N")
      ->needs(input)
      ->group("Measure");
  AddEngineArguments(command, &arguments->common);

  CLI::Option* compare =
      command->add_option("--compare", arguments->compare, "Two results side by side, and how their texts differ");
  compare->type_name("A.json B.json")->expected(2)->excludes(input)->group("Compare");
  command->add_option("--max-edits", arguments->gates.max_edits, "Fail when more characters than this differ in all")
      ->check(CLI::Range(int64_t{0}, int64_t{INT32_MAX}))
      ->type_name("N")
      ->needs(compare)
      ->group("Compare");
  command
      ->add_option("--max-edits-per-image", arguments->gates.max_edits_per_image,
                   "Fail when more characters than this differ in one image")
      ->check(CLI::Range(int64_t{0}, int64_t{INT32_MAX}))
      ->type_name("N")
      ->needs(compare)
      ->group("Compare");
  command->footer(
      "Compared without a gate, any difference of the texts fails.\n"
      "Exit code: 0 done, 1 an image failed or there is none, or a gate does not hold, 2 wrong usage, 3 engine or "
      "model.");
  command->callback([arguments, exit_code] { *exit_code = RunEither(*arguments); });
}

}  // namespace inkread
