#include "apps/inputs.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>

#include "inkread/codec.h"

namespace inkread {
namespace {

namespace fs = std::filesystem;

Status SystemError(const char* what) {
  return Status(StatusCode::kNotFound, std::string(what) + ": " + std::strerror(errno));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Up to `size` bytes; fewer only at the end. -1 with errno on failure.
ssize_t ReadFully(int fd, uint8_t* out, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd, out + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  return static_cast<ssize_t>(done);
}

// A file that cannot be opened counts as an image, so that its error is reported.
bool IsImageFile(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return true;
  std::array<uint8_t, 32> first;
  const ssize_t n = ReadFully(file.get(), first.data(), first.size());
  return n > 0 && LooksLikeImage(std::span<const uint8_t>(first.data(), static_cast<size_t>(n)));
}

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
    } else if (entry.is_regular_file(ignored) && IsImageFile(entry.path())) {
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
      inputs.files.push_back({argument, false, Status(StatusCode::kNotFound, "no such file or folder")});
    } else if (!AddMatches(argument, &inputs)) {
      inputs.files.push_back({argument, false, Status(StatusCode::kNotFound, "no file matches this pattern")});
    }
  }
  return inputs;
}

Result<std::vector<uint8_t>> ReadBytes(const Input& input) {
  const FileDescriptor file(input.is_stdin ? STDIN_FILENO : open(input.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError("cannot be opened");
  struct stat about;
  if (fstat(file.get(), &about) != 0) return SystemError("cannot be read");
  // One byte more than a regular file has, so that its end is met without growing.
  constexpr size_t kPipeBlock = 1 << 16;
  std::vector<uint8_t> bytes(S_ISREG(about.st_mode) ? static_cast<size_t>(about.st_size) + 1 : kPipeBlock);
  size_t size = 0;
  for (;;) {
    const ssize_t n = ReadFully(file.get(), bytes.data() + size, bytes.size() - size);
    if (n < 0) return SystemError("cannot be read");
    size += static_cast<size_t>(n);
    if (size < bytes.size()) break;
    bytes.resize(bytes.size() * 2);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace inkread
