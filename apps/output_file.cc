#include "apps/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace inkread {
namespace {

namespace fs = std::filesystem;

// The names that an interrupt has to remove; more are never open at once (text and one overlay).
std::array<std::atomic<const char*>, 4> unfinished = {};

void RemoveUnfinished(int signal) {
  RemoveUnfinishedFiles();
  raise(signal);  // the default action, once this handler is left
}

// A signal that is ignored or has another handler keeps it.
void RemoveUnfinishedWhenInterrupted() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = RemoveUnfinished;
    action.sa_flags = SA_RESETHAND;
    sigaction(signal, &action, nullptr);
  }
}

void Remember(const char* path) {
  RemoveUnfinishedWhenInterrupted();
  for (auto& name : unfinished) {
    const char* none = nullptr;
    if (name.compare_exchange_strong(none, path)) return;
  }
}

void Forget(const char* path) {
  for (auto& name : unfinished) {
    const char* expected = path;
    if (name.compare_exchange_strong(expected, nullptr)) return;
  }
}

// Where writing to `path` would end; links that lead nowhere yet are followed too.
std::string LinksFollowed(fs::path path) {
  constexpr int kMaxLinks = 40;  // as Linux does
  std::error_code error;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, error); ++i) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;  // an absolute one replaces
  }
  return path.string();
}

Status CannotBeWritten(const std::string& name) {
  const StatusCode code = errno == EACCES || errno == EPERM ? StatusCode::kPermissionDenied : StatusCode::kNotFound;
  return Status(code, name + ": cannot be written: " + std::strerror(errno));
}

bool IsStandardOutput(const struct stat& about) {
  struct stat out;
  return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == about.st_dev && out.st_ino == about.st_ino;
}

}  // namespace

void RemoveUnfinishedFiles() {
  for (const auto& name : unfinished) {
    if (const char* path = name; path != nullptr) unlink(path);
  }
}

std::optional<FilesInUse::Identity> FilesInUse::IdentityOf(const struct stat& about) {
  if (!S_ISREG(about.st_mode)) return std::nullopt;
  return Identity{about.st_dev, about.st_ino, ""};
}

std::optional<FilesInUse::Identity> FilesInUse::IdentityOf(const std::string& path) {
  struct stat about;
  if (stat(path.c_str(), &about) == 0) return IdentityOf(about);
  const fs::path target = LinksFollowed(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (stat(folder.c_str(), &about) != 0) return std::nullopt;
  return Identity{about.st_dev, about.st_ino, target.filename().string()};
}

void FilesInUse::Add(const std::string& path, const std::string& use) {
  if (const std::optional<Identity> identity = IdentityOf(path)) uses_.emplace(*identity, use);
}

void FilesInUse::AddInputs(const InputList& inputs) {
  for (const Input& input : inputs) {
    struct stat about;
    if ((input.is_stdin ? fstat(STDIN_FILENO, &about) : stat(input.path.c_str(), &about)) != 0) continue;
    if (S_ISREG(about.st_mode)) inputs_.emplace_back(about.st_dev, about.st_ino);
  }
  std::sort(inputs_.begin(), inputs_.end());
}

void FilesInUse::AddStandardOutput(const std::string& use) {
  struct stat about;
  if (fstat(STDOUT_FILENO, &about) != 0) return;
  if (const std::optional<Identity> identity = IdentityOf(about)) uses_.emplace(*identity, use);
}

Status FilesInUse::CheckFree(const std::string& path) const {
  const std::optional<Identity> identity = IdentityOf(path);
  if (!identity.has_value()) return Status();
  const bool is_input = identity->name.empty() && std::binary_search(inputs_.begin(), inputs_.end(),
                                                                     std::pair(identity->device, identity->inode));
  const auto found = uses_.find(*identity);
  if (!is_input && found == uses_.end()) return Status();
  return Status(StatusCode::kInvalidArgument, path + ": expected a file of its own, but it " +
                                                  (is_input ? "is one of the images to read" : found->second));
}

Result<std::unique_ptr<OutputFile>> OutputFile::Open(const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile(path));
  if (path.empty()) {
    file->name_ = "standard output";
    file->is_standard_output_ = true;
    return file;
  }
  struct stat about;
  const bool exists = stat(path.c_str(), &about) == 0;
  if (exists && IsStandardOutput(about)) {
    file->is_standard_output_ = true;
  } else if (exists && !S_ISREG(about.st_mode)) {
    file->file_.open(path, std::ios::binary);
    if (!file->file_) return CannotBeWritten(path);
  } else {
    // A rename would also replace a file that is protected against writing.
    if (exists && access(path.c_str(), W_OK) != 0) return CannotBeWritten(path);
    const Status opened = file->OpenBeside(LinksFollowed(path), exists ? about.st_mode & 07777 : 0);
    if (!opened.ok()) return opened;
  }
  return file;
}

// mode  of the file; 0: what is usual for new ones
Status OutputFile::OpenBeside(const std::string& target, mode_t mode) {
  static std::atomic<int> count = 0;
  target_ = target;
  int fd = -1;
  do {
    const std::string name = ".inkread-" + std::to_string(getpid()) + "-" + std::to_string(++count);
    temporary_ = (fs::path(target).parent_path() / name).string();
    fd = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EEXIST);
  if (fd < 0) {
    temporary_.clear();
    return CannotBeWritten(name_);
  }
  Remember(temporary_.c_str());
  const bool is_mode_set = mode == 0 || fchmod(fd, mode) == 0;
  close(fd);
  if (is_mode_set) file_.open(temporary_, std::ios::binary);
  return is_mode_set && file_ ? Status() : CannotBeWritten(name_);
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  file_.close();
  unlink(temporary_.c_str());
  Forget(temporary_.c_str());
}

std::ostream& OutputFile::stream() { return is_standard_output_ ? std::cout : file_; }

Status OutputFile::Commit() {
  stream().flush();
  if (file_.is_open()) file_.close();
  if (!stream()) return Status(StatusCode::kNotFound, name_ + ": could not be written completely");
  if (temporary_.empty()) return Status();
  if (rename(temporary_.c_str(), target_.c_str()) != 0) return CannotBeWritten(name_);
  Forget(temporary_.c_str());
  temporary_.clear();
  return Status();
}

}  // namespace inkread
