#include "apps/inputs.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "apps/file_bytes.h"

namespace inkread {
namespace {

namespace fs = std::filesystem;

// Symbolic links to folders are not followed, so that a walk ends.
void WalkFolder(const fs::path& folder, std::vector<Input>* files) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) entries.push_back(*it);
  if (error) {
    files->push_back({folder.string(), false, Status(StatusCode::kNotFound, "folder: " + error.message())});
    return;
  }
  std::sort(entries.begin(), entries.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
    return a.path().native() < b.path().native();
  });
  for (const fs::directory_entry& entry : entries) {
    std::error_code ignored;
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
      WalkFolder(entry.path(), files);
    } else if (entry.is_regular_file(ignored) && IsImageFile(entry.path().string())) {
      files->push_back({entry.path().string(), false, Status()});
    }
  }
}

void AddPath(const std::string& path, Inputs* inputs) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    inputs->files.push_back({path, false, Status()});
    return;
  }
  const size_t before = inputs->files.size();
  WalkFolder(path, &inputs->files);
  if (inputs->files.size() == before) inputs->notes.push_back(path + ": no images in this folder");
}

// False when the pattern matches nothing.
bool AddMatches(const std::string& pattern, Inputs* inputs) {
  glob_t matches = {};
  const bool any = glob(pattern.c_str(), 0, nullptr, &matches) == 0;
  std::vector<std::string> paths;
  if (any) paths.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  globfree(&matches);
  std::sort(paths.begin(), paths.end());  // glob() sorts by the locale
  for (const std::string& path : paths) AddPath(path, inputs);
  return any;
}

}  // namespace

Inputs ExpandInputs(const std::vector<std::string>& arguments) {
  Inputs inputs;
  bool stdin_taken = false;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (argument == "-") {
      if (!stdin_taken) inputs.files.push_back({argument, true, Status()});
      stdin_taken = true;
    } else if (fs::exists(fs::symlink_status(argument, error))) {
      AddPath(argument, &inputs);  // also a file whose name looks like a pattern
    } else if (argument.find_first_of("*?[") == std::string::npos) {
      const bool is_missing = error == std::errc::no_such_file_or_directory;
      const std::string why = is_missing ? "no such file or folder" : "cannot be opened: " + error.message();
      inputs.files.push_back({argument, false, Status(StatusCode::kNotFound, why)});
    } else if (!AddMatches(argument, &inputs)) {
      inputs.files.push_back({argument, false, Status(StatusCode::kNotFound, "no file matches this pattern")});
    }
  }
  return inputs;
}

}  // namespace inkread
