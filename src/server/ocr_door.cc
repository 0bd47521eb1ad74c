// POST /v1/ocr: an image as the body, in a form or as base64 in JSON; the answer as `inkread read` writes it.
#include <sstream>
#include <utility>

#include "base/status.h"
#include "server/door.h"
#include "server/read_parameters.h"

namespace inkread {
namespace {

// The answer grows page by page, so that no image waits for the end of its document.
struct Answer {
  RunInfo run;
  OutputFormat format = OutputFormat::kJson;
  std::ostringstream text;
  std::unique_ptr<PageWriter> writer;
  int num_read = 0;
  Status first_error;
};

// An image in base64 is the member `image` of a JSON object or the field `image` of a form.
constexpr char kImage[] = "image";

Status ParseJsonBody(const std::string& body, ReadParameters* parameters) {
  INKREAD_ASSIGN_OR_RETURN(const OrderedJson json, ParseJsonObject(body));
  const auto image = json.find(kImage);
  if (image == json.end() || !image->is_string())
    return InvalidArgument("JSON: expected the image as base64 in the member \"image\"");
  INKREAD_ASSIGN_OR_RETURN(parameters->input.bytes, DecodeBase64(image->get_ref<const std::string&>()));
  INKREAD_ASSIGN_OR_RETURN(const Fields fields, FieldsOf(json, kImage));
  return SetParameters(fields, parameters);
}

Status ParseMultipartBody(std::string_view content_type, const std::string& body, ReadParameters* parameters) {
  INKREAD_ASSIGN_OR_RETURN(const std::vector<FormPart> parts, ParseMultipart(content_type, body));
  Fields fields;
  int num_images = 0;
  for (const FormPart& part : parts) {
    const bool is_image = part.file_name || part.name == "file" || part.name == kImage;
    if (!is_image) {
      fields.emplace_back(part.name, std::string(part.content));
      continue;
    }
    if (++num_images > 1) return InvalidArgument("multipart/form-data: more than one file");
    parameters->input.bytes = part.content;
    if (part.file_name) parameters->input.name = *part.file_name;
  }
  if (num_images == 0)
    return InvalidArgument("multipart/form-data: no part has the image; expected one named \"file\"");
  return SetParameters(fields, parameters);
}

// curl says that any body is a form, so the bytes decide.
bool IsForm(const std::string& type, const std::string& body) {
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(body.data()), body.size());
  return type == "application/x-www-form-urlencoded" && !LooksLikeImage(bytes) && !LooksLikePdf(bytes) &&
         body.find("image=") != body.npos;
}

Status ParseFormBody(const std::string& body, ReadParameters* parameters) {
  Fields fields = ParseForm(body);
  Fields others;
  for (auto& [name, value] : fields) {
    if (name != kImage) {
      others.emplace_back(name, std::move(value));
      continue;
    }
    // A '+' that was not escaped has become a space, and the letters of base64 have no other spaces within a line.
    for (char& c : value) c = c == ' ' ? '+' : c;
    INKREAD_ASSIGN_OR_RETURN(parameters->input.bytes, DecodeBase64(value));
  }
  return SetParameters(others, parameters);
}

Result<ReadInput> Parse(HttpRequest* request, Answer* answer) {
  ReadParameters parameters;
  if (const std::optional<OutputFormat> format = FormatFor(request->Header("accept"))) parameters.format = *format;
  std::string body = std::move(request->body);
  const std::string_view content_type = request->Header("content-type");
  const std::string type = MediaType(content_type);
  if (type == "application/json") {
    INKREAD_RETURN_IF_ERROR(ParseJsonBody(body, &parameters));
  } else if (type == "multipart/form-data") {
    INKREAD_RETURN_IF_ERROR(ParseMultipartBody(content_type, body, &parameters));
  } else if (IsForm(type, body)) {
    INKREAD_RETURN_IF_ERROR(ParseFormBody(body, &parameters));
  } else {
    parameters.input.bytes = std::move(body);
  }
  INKREAD_RETURN_IF_ERROR(SetParameters(request->query, &parameters));
  ReadInput& input = parameters.input;
  if (IsByWord(parameters.format)) input.options.words = true;
  answer->format = parameters.format;
  answer->run.times = parameters.times;
  answer->run.read = input.options;
  answer->writer = MakePageWriter(parameters.format, answer->run, /*headed=*/false, &answer->text);
  return std::move(input);
}

HttpResponse Finish(Answer* answer) {
  if (answer->num_read == 0 && !answer->first_error.ok())
    return RefusalResponse(RefusalOf(ReadFailure{answer->first_error, ""}));
  answer->writer->End();
  if (answer->text.fail())
    return RefusalResponse({500, StatusCodeName(StatusCode::kInternal), "the answer could not be written", "", 0});
  HttpResponse response;
  response.content_type = MediaTypeOf(answer->format);
  response.body = std::move(answer->text).str();
  return response;
}

}  // namespace

ReadQueue::Job OcrJob(RequestPtr request, const RunInfo& run, Reply reply) {
  auto answer = std::make_shared<Answer>();
  answer->run = run;
  ReadQueue::Job job;
  job.parse = [request, answer] { return Parse(request.get(), answer.get()); };
  job.take_page = [answer](const Page& page) {
    answer->writer->Write(page);
    page.error.ok() ? void(++answer->num_read) : void(answer->first_error = page.error);
  };
  job.done = ReplyWith(
      std::move(reply), [answer](const ReadOutput&) { return Finish(answer.get()); }, RefusalResponse);
  return job;
}

}  // namespace inkread
