// The lines of PaddleOCR-json, without the streams and the port.
#ifndef INKREAD_SERVER_PADDLEOCR_JSON_H_
#define INKREAD_SERVER_PADDLEOCR_JSON_H_

#include <string>

#include "inkread/server.h"
#include "server/read_queue.h"

namespace inkread {

// The answer to a line, without its end. The line may name a file of this machine.
std::string AnswerPaddleOcrJson(ReadQueue* queue, const std::string& line, const PaddleOcrJsonOptions& options);

}  // namespace inkread

#endif  // INKREAD_SERVER_PADDLEOCR_JSON_H_
