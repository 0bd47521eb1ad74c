#include "apps/inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "apps/file_bytes.h"
#include "apps/path_pattern.h"

namespace inkread {
namespace {

namespace fs = std::filesystem;

// Of the kinds that SniffImage knows.
constexpr std::array<std::string_view, 18> kImageEndings = {"avif", "bmp",  "dib", "gif", "heic", "heif",
                                                            "j2k",  "jfif", "jp2", "jpe", "jpeg", "jpg",
                                                            "jxl",  "pdf",  "png", "tif", "tiff", "webp"};

bool HasImageName(const std::string& path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  std::string ending = path.substr(dot + 1);
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::find(kImageEndings.begin(), kImageEndings.end(), ending) != kImageEndings.end();
}

Status FileError(const std::string& what, const std::error_code& error) {
  const bool is_refused = error == std::errc::permission_denied || error == std::errc::operation_not_permitted;
  return Status(is_refused ? StatusCode::kPermissionDenied : StatusCode::kNotFound, what + ": " + error.message());
}

// Walks a folder: adds the files that belong to the shard, and counts all of them.
class Walk {
 public:
  Walk(const std::string& folder, const Shard& shard, InputList* files) : shard_(shard), files_(*files) {
    root_length_ = folder.size() + (folder.ends_with('/') ? 0 : 1);
    Enter(folder);
  }
  size_t num_found() const { return num_found_; }

 private:
  struct Name {
    size_t start;  // in `names`
    bool is_folder;
  };

  // Symbolic links to folders are not followed, so that a walk ends.
  void Enter(const std::string& folder) {
    const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
    std::string names;
    std::vector<Name> entries;
    std::error_code error;
    fs::directory_iterator it(folder, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
      const std::string& path = it->path().native();
      const size_t slash = path.rfind('/');
      const char* name = path.c_str() + (slash == std::string::npos ? 0 : slash + 1);
      if (name[0] == '.') continue;
      std::error_code ignored;
      const bool is_folder = it->is_directory(ignored) && !it->is_symlink(ignored);
      if (!is_folder && !it->is_regular_file(ignored)) continue;
      entries.push_back({names.size(), is_folder});
      names.append(name).push_back('\0');
    }
    if (error) {
      Add({folder, false, FileError("folder", error)});
      return;
    }
    std::sort(entries.begin(), entries.end(), [&](const Name& a, const Name& b) {
      return std::string_view(names.data() + a.start) < std::string_view(names.data() + b.start);
    });
    for (const Name& entry : entries) {
      const std::string path = prefix + (names.data() + entry.start);
      if (entry.is_folder) {
        Enter(path);
      } else if (HasImageName(path) || IsImageFile(path)) {
        Add({path, false, Status()});
      }
    }
  }

  void Add(const Input& input) {
    ++num_found_;
    if (shard_.Has(std::string_view(input.path).substr(std::min(root_length_, input.path.size())))) files_.Add(input);
  }

  const Shard shard_;
  InputList& files_;
  size_t root_length_ = 0;
  size_t num_found_ = 0;
};

class Expansion {
 public:
  explicit Expansion(const ExpandOptions& options) : options_(options) {}

  void AddArgument(const std::string& argument) {
    std::error_code error;
    if (argument == "-") {
      if (!stdin_taken_) AddFile({argument, true, Status()});
      stdin_taken_ = true;
    } else if (fs::exists(fs::symlink_status(argument, error))) {
      AddPath(argument);  // also a file whose name looks like a pattern
    } else if (!IsPattern(argument)) {
      const bool is_missing = error == std::errc::no_such_file_or_directory || error == std::error_code();
      AddFile({argument, false,
               is_missing ? Status(StatusCode::kNotFound, "no such file or folder")
                          : FileError("cannot be opened", error)});
    } else {
      inputs_.has_folder = true;
      const std::vector<std::string> paths = MatchPattern(argument);
      for (const std::string& path : paths) AddPath(path);
      if (paths.empty()) AddEmpty(argument, "no file matches this pattern");
    }
  }

  Inputs Take() { return std::move(inputs_); }

 private:
  void AddPath(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return AddFile({path, false, Status()});
    inputs_.has_folder = true;
    if (Walk(path, options_.shard, &inputs_.files).num_found() == 0) AddEmpty(path, "no images in this folder");
  }

  void AddEmpty(const std::string& argument, const std::string& why) {
    if (options_.empty_is_error) AddFile({argument, false, Status(StatusCode::kNotFound, why)});
  }

  // A file that is an argument itself, or that a pattern has matched, is known by the last part of its path.
  void AddFile(const Input& input) {
    const std::string_view path = input.path;
    if (options_.shard.Has(path.substr(path.rfind('/') + 1))) inputs_.files.Add(input);
  }

  const ExpandOptions options_;
  Inputs inputs_;
  bool stdin_taken_ = false;
};

}  // namespace

void InputList::Add(const Input& input) {
  if (input.is_stdin || !input.error.ok()) special_.emplace(size(), input);
  starts_.push_back(paths_.size());
  paths_.append(input.path).push_back('\0');
}

Input InputList::operator[](size_t i) const {
  const auto special = special_.find(i);
  return special != special_.end() ? special->second : Input{path(i), false, Status()};
}

std::vector<Input> InputList::ToVector() const {
  std::vector<Input> inputs;
  for (const Input& input : *this) inputs.push_back(input);
  return inputs;
}

Inputs ExpandInputs(const std::vector<std::string>& arguments, const ExpandOptions& options) {
  Expansion expansion(options);
  for (const std::string& argument : arguments) expansion.AddArgument(argument);
  return expansion.Take();
}

}  // namespace inkread
