#include "base/model_folder.h"

#include <cstdlib>

namespace inkread {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
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

}  // namespace inkread
