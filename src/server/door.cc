#include "server/door.h"

#include <new>
#include <utility>

#include "server/json_text.h"

namespace inkread {
namespace {

constexpr int kRetryAfterSeconds = 1;

int HttpStatusOf(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidArgument:
      return 400;
    case StatusCode::kUnsupported:
      return 415;
    case StatusCode::kCorruptImage:
      return 422;
    case StatusCode::kOutOfMemory:
    case StatusCode::kDeviceLost:
    case StatusCode::kDeadlineExceeded:
      return 503;
    default:
      return 500;
  }
}

}  // namespace

Refusal RefusalOf(const ReadFailure& failure) {
  Refusal refusal;
  refusal.code = StatusCodeName(failure.status.code());
  refusal.message = failure.status.message();
  refusal.limit = failure.limit;
  refusal.http_status = HttpStatusOf(failure.status.code());
  if (!failure.limit.empty()) {
    refusal.code = "LIMIT_EXCEEDED";
    refusal.http_status = failure.limit == "pixels" || failure.limit == "pages" ? 422 : 503;
  }
  if (refusal.http_status == 503) refusal.retry_after_s = kRetryAfterSeconds;
  return refusal;
}

HttpResponse MessageResponse(const Refusal& refusal) {
  HttpResponse response = RefusalResponse(refusal);
  response.body = JsonText({{"error", refusal.message}}) + "\n";
  return response;
}

std::function<void(ReadResult)> ReplyWith(Reply reply, AnswerOutput answer, AnswerRefusal refuse) {
  return [reply = std::move(reply), answer = std::move(answer), refuse = std::move(refuse)](ReadResult result) {
    HttpResponse response;
    try {
      if (auto* output = std::get_if<ReadOutput>(&result)) {
        response = answer(std::move(*output));
      } else {
        response = refuse(RefusalOf(std::get<ReadFailure>(result)));
      }
    } catch (const std::bad_alloc&) {
      response = refuse({503, StatusCodeName(StatusCode::kOutOfMemory), "out of memory", "", kRetryAfterSeconds});
    }
    reply(std::move(response));
  };
}

}  // namespace inkread
