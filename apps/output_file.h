// The files that a command writes: completely or not at all, and never over a file that the same run reads or wrote.
#ifndef INKREAD_APPS_OUTPUT_FILE_H_
#define INKREAD_APPS_OUTPUT_FILE_H_

#include <sys/stat.h>

#include <compare>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "apps/inputs.h"
#include "inkread/status.h"

namespace inkread {

// The regular files that a run reads or writes. They are identified by device and inode, whatever their paths.
class FilesInUse {
 public:
  // use  what the run does with the file, for messages: "is read". Pipes, devices and folders are ignored: writing
  //      destroys nothing in them.
  void Add(const std::string& path, const std::string& use);
  void AddInputs(const InputList& inputs);
  void AddStandardOutput(const std::string& use);

  // Errors  kInvalidArgument (writing to this path would destroy a file in use; the message begins with the path)
  Status CheckFree(const std::string& path) const;

 private:
  // For a file that does not exist yet: device and inode of its folder, and its name.
  struct Identity {
    dev_t device;
    ino_t inode;
    std::string name;
    auto operator<=>(const Identity&) const = default;
  };
  static std::optional<Identity> IdentityOf(const std::string& path);
  static std::optional<Identity> IdentityOf(const struct stat& about);

  std::vector<std::pair<dev_t, ino_t>> inputs_;  // sorted; there may be millions
  std::map<Identity, std::string> uses_;
};

// Removes the files that were opened and not committed. May be called by a signal's handler.
void RemoveUnfinishedFiles();

// A regular file is written under another name in the folder of the target and replaces the target at the end. Until
// then, and after a failure or an interrupt, the old file stays. Pipes, devices and standard output, by any name, are
// written to directly.
class OutputFile {
 public:
  // path    empty: standard output
  // Errors  kNotFound (cannot be written: the system's reason); the message begins with the path
  static Result<std::unique_ptr<OutputFile>> Open(const std::string& path);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  std::ostream& stream();

  // Finishes the file and replaces the target with it.
  //
  // Errors  kNotFound (something could not be written); the message begins with the path
  Status Commit();

 private:
  explicit OutputFile(std::string name) : name_(std::move(name)) {}
  Status OpenBeside(const std::string& target, mode_t mode);

  std::string name_;  // for messages
  bool is_standard_output_ = false;
  std::string target_;     // links followed
  std::string temporary_;  // empty when the target is written to directly
  std::ofstream file_;
};

}  // namespace inkread

#endif  // INKREAD_APPS_OUTPUT_FILE_H_
