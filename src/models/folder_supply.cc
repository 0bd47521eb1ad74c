// A local folder as a Supply.
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/files.h"
#include "models/sha256.h"
#include "models/supply.h"

namespace inkread::models {
namespace {

namespace fs = std::filesystem;

struct Found {
  std::string path;
  int64_t bytes;
};

class FolderSupply : public Supply {
 public:
  FolderSupply(std::string folder, std::vector<Found> files) : folder_(std::move(folder)), files_(std::move(files)) {}

  Status Get(const SizeEntry& size, const SourceFile& file, const std::string& path,
             const Progress& progress) override {
    std::vector<Form> forms = {file.form};
    for (const auto& origin : {file.pypi, file.official}) {
      if (origin && origin->form != file.form) forms.push_back(origin->form);
    }
    INKREAD_RETURN_IF_ERROR(GetAny(size, file.name, forms, path));
    if (progress) progress(size.size + "/" + file.name, file.form.bytes, file.form.bytes);
    return Status();
  }

  Status GetDerived(const SizeEntry& size, const DerivedFile& file, const std::string& path) override {
    return GetAny(size, file.name, {file.form}, path);
  }

 private:
  Status GetAny(const SizeEntry& size, const std::string& name, const std::vector<Form>& forms,
                const std::string& path) {
    Status nearest = NotFound(folder_, ": expected ", name, " (", forms[0].bytes, " bytes, SHA-256 ", forms[0].sha256,
                              "), found no file with this content");
    for (const Form& form : forms) {
      for (const Found& found : files_) {
        // If no file fits, report one with the right name, in a folder of this size, but of another length.
        if (found.bytes != form.bytes) {
          if (found.path.ends_with("/" + size.size + "/" + name) && nearest.code() == StatusCode::kNotFound) {
            nearest = CheckForm(found.path, form, {found.bytes, ""});
          }
          continue;
        }
        INKREAD_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(found.path));
        Status check = CheckForm(found.path, form, FormOf(bytes));
        if (!check.ok()) {
          nearest = std::move(check);
          continue;
        }
        INKREAD_ASSIGN_OR_RETURN(FileWriter out, FileWriter::Create(path));
        INKREAD_RETURN_IF_ERROR(out.Write(bytes));
        return out.Sync();
      }
    }
    return nearest;
  }

  std::string folder_;
  std::vector<Found> files_;
};

}  // namespace

Status Supply::GetDerived(const SizeEntry& /*size*/, const DerivedFile& file, const std::string& /*path*/) {
  return NotFound(file.name, " is derived here, not fetched");
}

Result<std::unique_ptr<Supply>> OpenFolderSupply(const std::string& folder) {
  constexpr int kMaxDepth = 6;  // a cache, an unpacked wheel and a clone of the repositories are less deep
  std::error_code error;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
  if (error) return NotFound(folder, ": cannot read the folder: ", error.message());
  std::vector<Found> files;
  while (it != fs::recursive_directory_iterator()) {
    std::error_code ignored;
    if (it.depth() >= kMaxDepth) it.disable_recursion_pending();
    if (it->is_regular_file(ignored)) {
      files.push_back({it->path().string(), static_cast<int64_t>(it->file_size(ignored))});
    }
    it.increment(error);
    if (error) return NotFound(folder, ": cannot read the folder: ", error.message());
  }
  return std::unique_ptr<Supply>(std::make_unique<FolderSupply>(folder, std::move(files)));
}

}  // namespace inkread::models
