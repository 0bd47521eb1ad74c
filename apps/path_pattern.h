// Patterns such as scans/**/page*.png.
#ifndef INKREAD_APPS_PATH_PATTERN_H_
#define INKREAD_APPS_PATH_PATTERN_H_

#include <string>
#include <vector>

namespace inkread {

bool IsPattern(const std::string& argument);

// The files and folders that match, in the order of their bytes, each once. *, ? and [] stand for part of a name, **
// for any number of folders, also none. Names that begin with a dot match only a pattern that has the dot; ** passes
// over such folders and over symbolic links to folders.
std::vector<std::string> MatchPattern(const std::string& pattern);

}  // namespace inkread

#endif  // INKREAD_APPS_PATH_PATTERN_H_
