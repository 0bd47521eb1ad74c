// Where inkread keeps files on this machine. The models are in one folder, with a subfolder for each size (tiny, small,
// medium).
#ifndef INKREAD_BASE_MODEL_FOLDER_H_
#define INKREAD_BASE_MODEL_FOLDER_H_

#include <string>
#include <vector>

#include "base/status.h"

namespace inkread {

// $XDG_CACHE_HOME/inkread, else .cache/inkread in $HOME or, without that variable, in the home folder that the password
// database has for the user; empty if there is none. An empty variable counts as unset, and so does a relative
// XDG_CACHE_HOME (its specification says so). The folder need not exist.
std::string UserCacheFolder();

// The folder of all sizes: $INKREAD_MODELS, else `models` in UserCacheFolder(). It need not exist.
//
// Errors  kNotFound (none of the variables is set, and the user has no home folder)
Result<std::string> ModelFolder();

// Where an administrator keeps models for every user: inkread/models in each folder of $XDG_DATA_DIRS, which is
// /usr/local/share:/usr/share where it is not set. They are only read.
std::vector<std::string> SystemModelFolders();

// The subfolder of one size within `folder`. It holds what the engine reads:
//   det.onnx  rec.onnx  cls.onnx
//   dictionary.txt  the recogniser's characters, UTF-8, one entry a line ended by LF, without blank and space
//   settings.txt    lines `KEY VALUE`, written last: a folder that has it is complete
std::string ModelSizeFolder(const std::string& folder, const std::string& size);

// The one rule for EngineOptions::model_folder, the command's --models and INKREAD_MODELS: finds the folder with the
// files of `size` from `folder`, which is either the parent of the sizes or the folder of one size itself.
//
//   FOLDER/SIZE is there                 FOLDER/SIZE
//   else FOLDER has one of the files     FOLDER
//   else                                 FOLDER/SIZE, which need not exist
//
// folder  empty: ModelFolder(); where that has nothing of the size and INKREAD_MODELS is not set, the first of
//         SystemModelFolders() that has the size complete
// Errors  kInvalidArgument (the settings.txt of that folder names another size), kNotFound (as ModelFolder)
Result<std::string> FindModelSize(const std::string& folder, const std::string& size);

}  // namespace inkread

#endif  // INKREAD_BASE_MODEL_FOLDER_H_
