// The files that a command writes: whole or not at all, and never over what the same run reads or has written.
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
#include <vector>

#include "apps/inputs.h"
#include "inkread/status.h"

namespace inkread {

// The regular files that a run reads or writes, known by device and inode, however a path to them is spelled.
class FilesInUse {
 public:
  // use  what the run does with the file, for messages: "is read". Pipes, devices and folders are left out: nothing in
  //      them is lost by writing.
  void Add(const std::string& path, const std::string& use);
  void AddInputs(const std::vector<Input>& inputs);
  void AddStandardOutput(const std::string& use);

  // Errors  kInvalidArgument (writing to this path would destroy a file in use; the path is in front)
  Status CheckFree(const std::string& path) const;

 private:
  // Of a file that is not there yet: device and inode of its folder, and its name.
  struct Identity {
    dev_t device;
    ino_t inode;
    std::string name;
    auto operator<=>(const Identity&) const = default;
  };
  static std::optional<Identity> IdentityOf(const std::string& path);
  static std::optional<Identity> IdentityOf(const struct stat& about);

  std::map<Identity, std::string> uses_;
};

// A regular file is written under another name beside the target, which takes the target's place at the end; until
// then, and after a failure or an interrupt, what was there stays. What is no regular file (a pipe, a device) and
// standard output by any name are written to directly.
class OutputFile {
 public:
  // path    empty: standard output
  // Errors  kNotFound (cannot be written: the system's reason), the path in front
  static Result<std::unique_ptr<OutputFile>> Open(const std::string& path);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  std::ostream& stream();

  // Ends the file and puts it in its place.
  //
  // Errors  kNotFound (something could not be written), the path in front
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
