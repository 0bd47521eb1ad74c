#include "base/model_folder.h"

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

}  // namespace

std::string UserCacheFolder() {
  if (const std::string cache = Variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/inkread";
  if (const std::string home = Variable("HOME"); !home.empty()) return home + "/.cache/inkread";
  return "";
}

Result<std::string> ModelFolder() {
  if (const std::string folder = Variable("INKREAD_MODELS"); !folder.empty()) return folder;
  if (const std::string cache = UserCacheFolder(); !cache.empty()) return cache + "/models";
  return NotFound(
      "no folder for models: expected INKREAD_MODELS, XDG_CACHE_HOME or HOME to be set, found none of them");
}

std::string ModelSizeFolder(const std::string& folder, const std::string& size) { return folder + "/" + size; }

Result<std::string> FindModelSize(const std::string& folder, const std::string& size) {
  std::string start = folder;
  if (start.empty()) {
    INKREAD_ASSIGN_OR_RETURN(start, ModelFolder());
  }
  std::string found = ModelSizeFolder(start, size);
  std::error_code error;
  if (!fs::is_directory(found, error) && HasModelFile(start)) found = start;
  if (const std::string named = NamedSize(found); !named.empty() && named != size)
    return InvalidArgument(found, ": holds the models of size ", named, ", expected ", size);
  return found;
}

}  // namespace inkread
