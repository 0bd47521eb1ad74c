#include "apps/engine_arguments.h"

#include <utility>
#include <vector>

#include "apps/choice.h"
#include "apps/exit_codes.h"

namespace inkread {

void AddEngineArguments(CLI::App* command, EngineArguments* arguments) {
  command
      ->add_option("--size", arguments->engine.size,
                   "Which models: tiny is fastest, medium reads best (default: small)")
      ->transform(
          Choice<ModelSize>({{"tiny", ModelSize::kTiny}, {"small", ModelSize::kSmall}, {"medium", ModelSize::kMedium}}))
      ->type_name("tiny|small|medium")
      ->group("Reading");
  command
      ->add_option(
          "--profile", arguments->read.profile,
          "How large the image is while text is looked for; lines are always read in full size. auto (default): "
          "as small as the text allows; pipeline: full size up to 4000 px, as in PaddleOCR's own pipeline; "
          "fast960: shrunk to 960 px, which misses small text")
      ->transform(
          Choice<Profile>({{"auto", Profile::kAuto}, {"pipeline", Profile::kPipeline}, {"fast960", Profile::kFast960}}))
      ->type_name("auto|pipeline|fast960")
      ->group("Reading");
  CLI::Option* const official = command
                                    ->add_flag("--official", arguments->read.official,
                                               "Give the results of PaddleOCR's own pipeline, the official one, where "
                                               "those of inkread differ: line width, "
                                               "transparency, order of lines, turned pages")
                                    ->group("Reading");
  command
      ->add_option(
          "--order", arguments->read.order,
          "reader (default): columns of prose one after another, tables row by row; official: from the top down, as "
          "PaddleOCR's own pipeline has them")
      ->transform(Choice<LineOrder>({{"reader", LineOrder::kReader}, {"official", LineOrder::kOfficial}}))
      ->type_name("reader|official")
      ->excludes(official)
      ->group("Reading");
  command
      ->add_flag(
          "--cls", arguments->engine.use_classifier,
          "Use the line classifier too, a third network (cls.onnx) that finds single lines that are upside down; "
          "whole pages are turned without it")
      ->group("Reading");
  command
      ->add_flag("--words", arguments->read.words, "Find where each word is; of Han and kana each character is a word")
      ->group("Reading");
  std::vector<std::pair<std::string, OcrBackend>> backends;
  std::string names;
  for (const OcrBackend backend : Backends()) {
    backends.emplace_back(BackendName(backend), backend);
    names += (names.empty() ? "" : "|") + backends.back().first;
  }
  command
      ->add_option("--backend", arguments->engine.backend,
                   "What computes: a GPU by Vulkan or Metal, or the CPU. auto (default): a suitable GPU, else the CPU")
      ->transform(Choice<OcrBackend>(std::move(backends)))
      ->type_name(names)
      ->group("Engine");
  command
      ->add_option("--device", arguments->engine.devices,
                   "Which GPUs: index or part of the name, as `inkread devices` lists them, several with commas or by "
                   "repeating it; all: every default device. Images are spread over them")
      ->delimiter(',')
      ->allow_extra_args(false)  // what follows is an image
      ->type_name("DEVICE")
      ->group("Engine");
  command->add_flag("--strict", arguments->engine.strict_backend, "Fail rather than go on with the CPU")
      ->group("Engine");
  command
      ->add_option(
          "--precision", arguments->engine.precision,
          "precise: 32-bit float; fast: 16 bits where the device has units for them (see inkread devices); auto "
          "(default): precise on the CPU, fast on a GPU")
      ->transform(
          Choice<Precision>({{"auto", Precision::kAuto}, {"precise", Precision::kPrecise}, {"fast", Precision::kFast}}))
      ->type_name("auto|precise|fast")
      ->group("Engine");
  command->add_option("--threads", arguments->engine.num_threads, "Threads to use (default: what this process may)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->group("Engine");
  command
      ->add_option("--models", arguments->engine.model_folder,
                   "Folder of the models, of all sizes or of this one (default: see `inkread models path`)")
      ->type_name("DIR")
      ->group("Engine");
  CLI::Option* const rec =
      command->add_option("--rec", arguments->engine.rec_file, "Your own recogniser (ONNX), in place of the size's");
  CLI::Option* const det =
      command->add_option("--det", arguments->engine.det_file, "Your own detector (ONNX), in place of the size's");
  CLI::Option* const dictionary =
      command->add_option("--dict", arguments->engine.dictionary_file,
                          "The dictionary of --rec, an entry a line (default: the one in its metadata)");
  dictionary->needs(rec);
  for (CLI::Option* option : {det, rec, dictionary}) option->type_name("FILE")->group("Engine");
}

void WarnOfSubstitutes(const EngineInfo& info) {
  if (!info.fallback_reason.empty()) {
    std::string used;
    for (const DeviceUse& device : info.devices) {
      const std::string name = BackendName(device.backend);
      if (device.num_reads > 0 && used.find(name) == std::string::npos) used += (used.empty() ? "" : " and ") + name;
    }
    Tell("warning: read with " + (used.empty() ? BackendName(info.backend) : used) + ": " + info.fallback_reason);
  }
  if (!info.precision_reason.empty()) Tell("warning: " + info.precision_reason);
}

DecodeOptions DecodeOptionsFor(const ReadOptions& read) {
  DecodeOptions options;
  options.max_pixels = read.max_pixels;
  options.alpha = read.official ? AlphaMode::kDrop : AlphaMode::kContrast;
  return options;
}

}  // namespace inkread
