// `inkread tesseract`, and the program under the name tesseract: the command line that wrappers of tesseract call.
#ifndef INKREAD_APPS_TESSERACT_COMMAND_H_
#define INKREAD_APPS_TESSERACT_COMMAND_H_

#include <string>
#include <vector>

namespace inkread {

// IN OUTBASE [-l LANG] [--psm N] [-c NAME=VALUE] [txt hocr alto tsv pdf makebox], --list-langs, --version. Returns the
// exit code: 0, or 1 as tesseract has it for every error.
int RunTesseract(const std::vector<std::string>& arguments);

}  // namespace inkread

#endif  // INKREAD_APPS_TESSERACT_COMMAND_H_
