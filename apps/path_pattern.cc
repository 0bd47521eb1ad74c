#include "apps/path_pattern.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>

namespace inkread {
namespace {

namespace fs = std::filesystem;

constexpr char kAnyFolders[] = "**";

// The pattern without `**`.
void Match(const std::string& pattern, std::vector<std::string>* paths) {
  glob_t matches = {};
  if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matches) == 0) {
    paths->insert(paths->end(), matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  }
  globfree(&matches);
}

// A path as a pattern that matches it alone.
std::string Escaped(const std::string& path) {
  std::string escaped;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The folder and every folder below it. "" is the working folder.
void AddFolders(const std::string& folder, std::vector<std::string>* folders) {
  folders->push_back(folder);
  std::error_code error;
  fs::directory_iterator it(folder.empty() ? "." : folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (name.front() != '.' && it->is_directory(ignored) && !it->is_symlink(ignored)) {
      AddFolders(folder + name + "/", folders);
    }
  }
}

// The place of a component `**`; npos without one.
size_t FindAnyFolders(const std::string& pattern) {
  for (size_t at = pattern.find(kAnyFolders); at != std::string::npos; at = pattern.find(kAnyFolders, at + 1)) {
    const size_t end = at + 2;
    if ((at == 0 || pattern[at - 1] == '/') && (end == pattern.size() || pattern[end] == '/')) return at;
  }
  return std::string::npos;
}

void Expand(const std::string& pattern, std::vector<std::string>* paths) {
  const size_t at = FindAnyFolders(pattern);
  if (at == std::string::npos) return Match(pattern, paths);
  const std::string rest = pattern.substr(std::min(at + 3, pattern.size()));
  std::vector<std::string> folders;
  if (at == 0) {
    AddFolders("", &folders);
  } else {
    std::vector<std::string> roots;
    Match(pattern.substr(0, at), &roots);  // ends with a slash, so that only folders match
    for (const std::string& root : roots) AddFolders(root, &folders);
  }
  if (rest.empty()) {
    paths->insert(paths->end(), folders.begin(), folders.end());
    return;
  }
  for (const std::string& folder : folders) Expand(Escaped(folder) + rest, paths);
}

}  // namespace

bool IsPattern(const std::string& argument) { return argument.find_first_of("*?[") != std::string::npos; }

std::vector<std::string> MatchPattern(const std::string& pattern) {
  std::string wanted = pattern;
  // What ends with `**` is every file below, and a folder without a pattern is that too.
  const std::string last = std::string("/") + kAnyFolders;
  while (wanted.size() > last.size() && wanted.ends_with(last)) wanted.resize(wanted.size() - 2);
  if (wanted == kAnyFolders) return {"."};
  std::vector<std::string> paths;
  Expand(wanted, &paths);
  std::sort(paths.begin(), paths.end());  // glob() would sort by the locale
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

}  // namespace inkread
