#include "base/model_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/text_file.h"

namespace inkread {
namespace {

namespace fs = std::filesystem;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Of the user who runs the process, by the password database; empty without an entry.
std::string HomeOfUser() {
  std::vector<char> text(1024);
  passwd entry = {};
  passwd* found = nullptr;
  int error = 0;
  while ((error = ::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found)) == ERANGE) {
    text.resize(text.size() * 2);
  }
  return error == 0 && found != nullptr && found->pw_dir != nullptr ? found->pw_dir : "";
}

bool HasModelFile(const std::string& folder) {
  std::error_code error;
  for (const char* name : {"settings.txt", "det.onnx", "rec.onnx", "cls.onnx", "dictionary.txt"}) {
    if (fs::exists(folder + "/" + name, error)) return true;
  }
  return false;
}

// Returns the size that a folder's settings.txt names; empty where it names none or cannot be read.
std::string NamedSize(const std::string& folder) {
  std::istringstream settings(ReadTextFile(folder + "/settings.txt").value_or(""));
  for (std::string line; std::getline(settings, line);) {
    if (!line.starts_with("size ")) continue;
    const size_t end = line.find_last_not_of(" \t\r");
    return line.substr(5, end - 4);
  }
  return "";
}

// The size in one of the folders for every user, where the user's own `folder` has nothing of it; empty without one.
std::string SystemFolderOfSize(const std::string& folder, const std::string& size) {
  if (!Variable("INKREAD_MODELS").empty()) return "";
  if (!folder.empty() && (HasModelFile(ModelSizeFolder(folder, size)) || HasModelFile(folder))) return "";
  for (const std::string& parent : SystemModelFolders()) {
    if (const std::string found = ModelSizeFolder(parent, size); NamedSize(found) == size) return found;
  }
  return "";
}

}  // namespace

std::string UserCacheFolder() {
  if (const std::string cache = Variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/inkread";
  std::string home = Variable("HOME");
  if (home.empty()) home = HomeOfUser();
  return home.empty() ? "" : home + "/.cache/inkread";
}

std::vector<std::string> SystemModelFolders() {
  std::string list = Variable("XDG_DATA_DIRS");
  if (list.empty()) list = "/usr/local/share:/usr/share";
  std::vector<std::string> folders;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ':');) {
    if (!name.starts_with('/')) continue;
    folders.push_back(name + (name.ends_with('/') ? "" : "/") + "inkread/models");
  }
  return folders;
}

Result<std::string> ModelFolder() {
  if (const std::string folder = Variable("INKREAD_MODELS"); !folder.empty()) return folder;
  if (const std::string cache = UserCacheFolder(); !cache.empty()) return cache + "/models";
  return NotFound(
      "no folder for models: expected INKREAD_MODELS, XDG_CACHE_HOME or HOME to be set, or a home folder of the user; "
      "found none of them");
}

std::string ModelSizeFolder(const std::string& folder, const std::string& size) { return folder + "/" + size; }

Result<std::string> FindModelSize(const std::string& folder, const std::string& size) {
  std::string start = folder;
  if (start.empty()) {
    const Result<std::string> own = ModelFolder();
    const std::string shared = SystemFolderOfSize(own.value_or(""), size);
    if (!shared.empty()) return shared;
    INKREAD_RETURN_IF_ERROR(own.status());
    start = *own;
  }
  std::string found = ModelSizeFolder(start, size);
  std::error_code error;
  if (!fs::is_directory(found, error) && HasModelFile(start)) found = start;
  if (const std::string named = NamedSize(found); !named.empty() && named != size)
    return InvalidArgument(found, ": holds the models of size ", named, ", expected ", size);
  return found;
}

}  // namespace inkread
