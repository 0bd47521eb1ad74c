// POST /v1/image: a page as a PNG, as it is read. For the page at /, since browsers show few formats.
#include <utility>

#include "base/status.h"
#include "server/door.h"
#include "server/read_parameters.h"

namespace inkread {
namespace {

Result<ReadInput> Parse(HttpRequest* request) {
  ReadParameters parameters;
  INKREAD_RETURN_IF_ERROR(SetParameters(request->query, &parameters));
  parameters.input.bytes = std::move(request->body);
  parameters.input.only_decodes = true;
  if (parameters.input.pages.empty()) parameters.input.pages = {1};
  if (parameters.input.pages.size() > 1) return InvalidArgument("one page at a time");
  return std::move(parameters.input);
}

}  // namespace

ReadQueue::Job ImageJob(RequestPtr request, const RunInfo&, Reply reply) {
  auto png = std::make_shared<Result<std::vector<uint8_t>>>(std::vector<uint8_t>());
  ReadQueue::Job job;
  job.parse = [request] { return Parse(request.get()); };
  job.take_page = [png](const Page& page) { *png = EncodePng(page.image->view()); };
  job.done = ReplyWith(
      std::move(reply),
      [png](const ReadOutput&) {
        if (!png->ok()) return RefusalResponse(RefusalOf({png->status(), ""}));
        HttpResponse response;
        response.content_type = "image/png";
        response.body.assign((*png)->begin(), (*png)->end());
        return response;
      },
      RefusalResponse);
  return job;
}

}  // namespace inkread
