// A door is an HTTP interface to the queue: it makes a job of a request and an answer of what was read.
#ifndef INKREAD_SERVER_DOOR_H_
#define INKREAD_SERVER_DOOR_H_

#include <functional>
#include <memory>

#include "inkread/formats.h"
#include "server/http_message.h"
#include "server/read_queue.h"

namespace inkread {

using Reply = std::function<void(HttpResponse)>;
using RequestPtr = std::shared_ptr<HttpRequest>;

// run    what documents say about the engine; its options are those of a plain read
// reply  called once
using Door = ReadQueue::Job (*)(RequestPtr request, const RunInfo& run, Reply reply);

// POST /v1/ocr, our own.
ReadQueue::Job OcrJob(RequestPtr request, const RunInfo& run, Reply reply);

// POST /v1/image
ReadQueue::Job ImageJob(RequestPtr request, const RunInfo& run, Reply reply);

// POST /ocr of LiteParse, and POST /api/ocr and GET /api/ocr/get_options of Umi-OCR. kserve_door.h has the one of KServe.
ReadQueue::Job LiteparseJob(RequestPtr request, const RunInfo& run, Reply reply);
ReadQueue::Job UmiOcrJob(RequestPtr request, const RunInfo& run, Reply reply);
std::string UmiOcrOptionsText();

// The HTTP status and limit of a failure.
Refusal RefusalOf(const ReadFailure& failure);

// RefusalResponse for protocols whose errors have a message where our own have an object.
HttpResponse MessageResponse(const Refusal& refusal);

// ReadQueue::Job::done that replies with what `answer` makes of the output, or of the refusal. Where memory runs out on
// the way it replies that.
using AnswerOutput = std::function<HttpResponse(ReadOutput)>;
using AnswerRefusal = std::function<HttpResponse(const Refusal&)>;
std::function<void(ReadResult)> ReplyWith(Reply reply, AnswerOutput answer, AnswerRefusal refuse);

}  // namespace inkread

#endif  // INKREAD_SERVER_DOOR_H_
