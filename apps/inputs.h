// From the arguments of a command to the files that are read.
#ifndef INKREAD_APPS_INPUTS_H_
#define INKREAD_APPS_INPUTS_H_

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "apps/shard.h"
#include "inkread/status.h"

namespace inkread {

// One image file to be read, or an argument that names none.
struct Input {
  std::string path;  // bytes as the system gives them; "-" is standard input
  bool is_stdin = false;
  Status error;  // why there is nothing to read
};

// A list of inputs. A folder may have millions, so it keeps the bytes of all paths together: a path takes its length and
// 9 bytes.
class InputList {
 public:
  InputList() = default;
  InputList(std::initializer_list<Input> inputs) {
    for (const Input& input : inputs) Add(input);
  }

  void Add(const Input& input);

  size_t size() const { return starts_.size(); }
  bool empty() const { return starts_.empty(); }
  Input operator[](size_t i) const;
  Input front() const { return (*this)[0]; }
  const char* path(size_t i) const { return paths_.data() + starts_[i]; }
  std::vector<Input> ToVector() const;

  class Iterator {
   public:
    Iterator(const InputList* list, size_t i) : list_(list), i_(i) {}
    Input operator*() const { return (*list_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.i_ == b.i_; }

   private:
    const InputList* list_;
    size_t i_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  std::string paths_;  // each with a zero behind it, which no path contains
  std::vector<size_t> starts_;
  std::map<size_t, Input> special_;  // standard input, and those with an error
};

struct Inputs {
  InputList files;
  // Whether an argument is a folder or a pattern, so that nobody knows beforehand how many files there are.
  bool has_folder = false;
};

struct ExpandOptions {
  Shard shard;                 // files and arguments of other shards are left out
  bool empty_is_error = true;  // of folders without images and patterns that match nothing
};

// arguments  files as they are; folders, walked with their subfolders in the order of the names' bytes; patterns that
//            name no file, expanded in the same order: *, ? and [] stand for part of a name, and ** for any number of
//            folders; "-", once, for standard input
// Returns    the files in the order of the arguments; an argument that names no file is an entry with its error
//
// In a folder a file is an image by the ending of its name, so that a damaged one is reported, or by its first bytes.
// Names that begin with a dot, and folders behind symbolic links, are passed over.
Inputs ExpandInputs(const std::vector<std::string>& arguments, const ExpandOptions& options = {});

}  // namespace inkread

#endif  // INKREAD_APPS_INPUTS_H_
