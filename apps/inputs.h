// From the arguments of a command to the files that are read.
#ifndef INKREAD_APPS_INPUTS_H_
#define INKREAD_APPS_INPUTS_H_

#include <string>
#include <vector>

#include "inkread/status.h"

namespace inkread {

// One image file to be read, or an argument that names none.
struct Input {
  std::string path;  // bytes as the system gives them; "-" is standard input
  bool is_stdin = false;
  Status error;  // why there is nothing to read
};

struct Inputs {
  std::vector<Input> files;
  std::vector<std::string> notes;  // for people: "folder x: no images in it"
};

// arguments  files as they are; folders, walked with their subfolders in the order of the names' bytes, without files
//            whose content is no image; patterns with *, ? or [] that name no file, expanded in the same order; "-",
//            once, for standard input
// Returns    the files in the order of the arguments; an argument that names no file is an entry with its error
Inputs ExpandInputs(const std::vector<std::string>& arguments);

}  // namespace inkread

#endif  // INKREAD_APPS_INPUTS_H_
