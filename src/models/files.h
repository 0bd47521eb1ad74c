// Writing files so that a name never stands for half a file, and folders that clean up after themselves.
#ifndef INKREAD_MODELS_FILES_H_
#define INKREAD_MODELS_FILES_H_

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"

namespace inkread::models {

// An open file to write to; closes itself. Errors are kInvalidArgument and name the path and the reason.
class FileWriter {
 public:
  // Starts an empty file.
  static Result<FileWriter> Create(const std::string& path);
  // Goes on behind what is there already, if anything.
  static Result<FileWriter> Append(const std::string& path);

  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  int64_t size_bytes() const { return size_bytes_; }
  Status Write(std::span<const char> bytes);
  Status Truncate();
  // On the disk, not only in the cache, once this returns.
  Status Sync();

 private:
  FileWriter(int fd, std::string path, int64_t size_bytes);
  static Result<FileWriter> Open(const std::string& path, int flags);

  int fd_;
  std::string path_;
  int64_t size_bytes_;
};

// Creates the folder and those above it.
Status MakeFolders(const std::string& path);

// Gives a finished file its final name, replacing what had it.
Status MoveIntoPlace(const std::string& from, const std::string& to);

// The whole file.
//
// Errors  kNotFound
Result<std::string> ReadFile(const std::string& path);

// A fresh folder inside `parent`, removed with all it holds at the end.
class ScratchFolder {
 public:
  // Also removes what killed processes left there; so only one process at a time may have one (FolderLock).
  static Result<ScratchFolder> Create(const std::string& parent);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Keeps other processes and threads out of a folder while it lives; waits for its turn.
class FolderLock {
 public:
  static Result<FolderLock> Take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace inkread::models

#endif  // INKREAD_MODELS_FILES_H_
