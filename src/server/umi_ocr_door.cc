// POST /api/ocr: the HTTP interface of Umi-OCR (its docs/http/api_ocr.md). Base64 in, the codes of PaddleOCR-json out,
// always with status 200 as there.
#include <algorithm>
#include <chrono>
#include <utility>

#include "base/status.h"
#include "server/door.h"
#include "server/json_text.h"
#include "server/line_json.h"

namespace inkread {
namespace {

constexpr int kGood = 100, kNoText = 101, kBadBase64 = 300, kBadImage = 301, kBadJson = 800, kFailed = 902;

struct Asked {
  double timestamp_s = 0;
  bool as_text = false;
  std::vector<Bounds> ignored;
  int code = kBadJson;  // of an error at this stage
};

// "tbpu.ignoreArea": [[[left, top], [right, bottom]], ...]
Result<std::vector<Bounds>> AreasOf(const OrderedJson& json) {
  std::vector<Bounds> areas;
  if (!json.is_array()) return InvalidArgument("tbpu.ignoreArea: expected an array");
  for (const OrderedJson& area : json) {
    const auto is_point = [](const OrderedJson& p) {
      return p.is_array() && p.size() == 2 && p[0].is_number() && p[1].is_number();
    };
    if (!area.is_array() || area.size() != 2 || !is_point(area[0]) || !is_point(area[1]))
      return InvalidArgument("tbpu.ignoreArea: expected [[left, top], [right, bottom]]");
    const auto number = [&](size_t i, size_t j) {
      return static_cast<int>(std::clamp(area[i][j].get<double>(), -1e9, 1e9));
    };
    areas.push_back({number(0, 0), number(0, 1), number(1, 0), number(1, 1)});
  }
  return areas;
}

Result<ReadInput> Parse(HttpRequest* request, Asked* asked) {
  const std::string body = std::move(request->body);
  INKREAD_ASSIGN_OR_RETURN(const OrderedJson json, ParseJsonObject(body));
  const auto image = json.find("base64");
  if (image == json.end() || !image->is_string()) return InvalidArgument("expected the image in the member \"base64\"");
  ReadInput input;
  if (const auto options = json.find("options"); options != json.end() && options->is_object()) {
    if (const auto format = options->find("data.format"); format != options->end()) asked->as_text = *format == "text";
    if (const auto areas = options->find("tbpu.ignoreArea"); areas != options->end()) {
      INKREAD_ASSIGN_OR_RETURN(asked->ignored, AreasOf(*areas));
    }
  }
  asked->code = kBadBase64;
  INKREAD_ASSIGN_OR_RETURN(input.bytes, DecodeBase64(image->get_ref<const std::string&>()));
  asked->code = kFailed;
  return input;
}

bool IsInside(const Bounds& box, const Bounds& area) {
  return box.left >= area.left && box.top >= area.top && box.right <= area.right && box.bottom <= area.bottom;
}

HttpResponse Respond(const Asked& asked, int code, OrderedJson data, double seconds) {
  HttpResponse response;
  response.body =
      JsonText({{"code", code}, {"data", std::move(data)}, {"time", seconds}, {"timestamp", asked.timestamp_s}}) + "\n";
  return response;
}

HttpResponse AnswerOf(const Asked& asked, const ReadOutput& output) {
  OrderedJson lines = OrderedJson::array();
  std::string text;
  for (const Page& page : output.pages) {
    for (const Line& line : page.reading.lines) {
      const Bounds box = BoundsOf(line.quad);
      const bool is_ignored = std::any_of(asked.ignored.begin(), asked.ignored.end(),
                                          [&](const Bounds& area) { return IsInside(box, area); });
      if (line.text.empty() || is_ignored) continue;
      text += line.text + "\n";
      lines.push_back(
          {{"text", line.text}, {"score", ScoreNumber(line.score)}, {"box", QuadJson(line.quad)}, {"end", "\n"}});
    }
  }
  if (lines.empty()) return Respond(asked, kNoText, "No text found in image.", output.seconds);
  return Respond(asked, kGood, asked.as_text ? OrderedJson(text) : std::move(lines), output.seconds);
}

HttpResponse Refuse(const Asked& asked, const Refusal& refusal) {
  const bool is_bad_image = refusal.http_status == 415 || refusal.http_status == 422;
  return Respond(asked, is_bad_image ? kBadImage : asked.code, refusal.message, 0);
}

}  // namespace

ReadQueue::Job UmiOcrJob(RequestPtr request, const RunInfo&, Reply reply) {
  auto asked = std::make_shared<Asked>();
  asked->timestamp_s = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  ReadQueue::Job job;
  job.parse = [request, asked] { return Parse(request.get(), asked.get()); };
  job.done = ReplyWith(
      std::move(reply), [asked](const ReadOutput& output) { return AnswerOf(*asked, output); },
      [asked](const Refusal& refusal) { return Refuse(*asked, refusal); });
  return job;
}

std::string UmiOcrOptionsText() {
  const OrderedJson format = {
      {"title", "Format of the answer"},
      {"type", "enum"},
      {"default", "dict"},
      {"optionsList", OrderedJson::array({OrderedJson::array({"dict", "lines with their places"}),
                                          OrderedJson::array({"text", "plain text"})})}};
  const OrderedJson ignored = {{"title", "Areas to ignore"},
                               {"type", "var"},
                               {"default", OrderedJson::array()},
                               {"toolTip", "[[[left, top], [right, bottom]], ...] in px"}};
  return JsonText({{"tbpu.ignoreArea", ignored}, {"data.format", format}}) + "\n";
}

}  // namespace inkread
