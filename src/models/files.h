// Writing files so that a name never refers to an incomplete file; temporary folders; locks.
#ifndef INKREAD_MODELS_FILES_H_
#define INKREAD_MODELS_FILES_H_

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"

namespace inkread::models {

// A file opened for writing, closed by the destructor. Errors are kInvalidArgument with path and reason.
class FileWriter {
 public:
  // Creates an empty file or truncates the existing one.
  static Result<FileWriter> Create(const std::string& path);
  // Appends to the file, which is created if missing.
  static Result<FileWriter> Append(const std::string& path);

  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  int64_t size_bytes() const { return size_bytes_; }
  Status Write(std::span<const char> bytes);
  Status Truncate();
  // Waits until the data is on disk.
  Status Sync();

 private:
  FileWriter(int fd, std::string path, int64_t size_bytes);
  static Result<FileWriter> Open(const std::string& path, int flags);

  int fd_;
  std::string path_;
  int64_t size_bytes_;
};

// Creates the folder and its parents.
Status MakeFolders(const std::string& path);

// Renames a complete file to its final name, replacing an existing file, and syncs the folder.
Status MoveIntoPlace(const std::string& from, const std::string& to);

// Reads the whole file.
//
// Errors  kNotFound
Result<std::string> ReadFile(const std::string& path);

// A new folder inside `parent`; the destructor removes it with its contents.
class ScratchFolder {
 public:
  // Also removes folders that killed processes left behind, so the caller must hold the FolderLock of `parent`.
  static Result<ScratchFolder> Create(const std::string& parent);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// An exclusive lock of a folder, against other processes and threads. Take() waits until the lock is free.
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
