// POST /ocr: the interface of an OCR server for LiteParse (its OCR_API_SPEC.md). A form with `file` and `language`; the
// language is ignored, since every language of the model is read at once.
#include <utility>

#include "base/status.h"
#include "server/door.h"
#include "server/json_text.h"
#include "server/line_json.h"

namespace inkread {
namespace {

Result<ReadInput> Parse(HttpRequest* request) {
  const std::string body = std::move(request->body);
  const std::string_view content_type = request->Header("content-type");
  if (MediaType(content_type) != "multipart/form-data") return InvalidArgument("expected multipart/form-data");
  INKREAD_ASSIGN_OR_RETURN(const std::vector<FormPart> parts, ParseMultipart(content_type, body));
  for (const FormPart& part : parts) {
    if (part.name != "file") continue;
    ReadInput input;
    input.bytes = part.content;
    return input;
  }
  return InvalidArgument("the form has no field \"file\"");
}

HttpResponse AnswerOf(const ReadOutput& output) {
  OrderedJson results = OrderedJson::array();
  for (const Page& page : output.pages) {
    for (const Line& line : page.reading.lines) {
      if (line.text.empty()) continue;
      const Bounds box = BoundsOf(line.quad);
      results.push_back({{"text", line.text},
                         {"bbox", {box.left, box.top, box.right, box.bottom}},
                         {"confidence", ScoreNumber(line.score)},
                         {"polygon", QuadJson(line.quad)}});
    }
  }
  HttpResponse response;
  response.body = JsonText({{"results", std::move(results)}}) + "\n";
  return response;
}

}  // namespace

ReadQueue::Job LiteparseJob(RequestPtr request, const RunInfo&, Reply reply) {
  ReadQueue::Job job;
  job.parse = [request] { return Parse(request.get()); };
  job.done = ReplyWith(std::move(reply), AnswerOf, MessageResponse);
  return job;
}

}  // namespace inkread
