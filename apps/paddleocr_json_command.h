// `inkread paddleocr-json`, and the program under the name PaddleOCR-json: its command line and what it prints.
#ifndef INKREAD_APPS_PADDLEOCR_JSON_COMMAND_H_
#define INKREAD_APPS_PADDLEOCR_JSON_COMMAND_H_

#include <string>
#include <vector>

namespace inkread {

// Arguments are KEY=VALUE with one or two dashes before, or KEY and VALUE: port, addr, image_path, ensure_ascii; ours
// are size, models, threads and backend. Others, such as its paths of models, are ignored.
//
// Returns the exit code.
int RunPaddleOcrJson(const std::vector<std::string>& arguments);

}  // namespace inkread

#endif  // INKREAD_APPS_PADDLEOCR_JSON_COMMAND_H_
