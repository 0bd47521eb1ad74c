// Requests to the doors of the server: parsing them must not crash, whatever their bytes. An input is
//
//   METHOD PATH?QUERY, then lines "name: value" of headers, an empty line and the body
//
// or a line of PaddleOCR-json (path "lines") or of the Model Context Protocol (path "mcp"). Nothing is read: a stand-in
// gives one line for every image.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/door.h"
#include "server/kserve_door.h"
#include "server/mcp.h"
#include "server/paddleocr_json.h"

namespace {

using inkread::Door;
using inkread::HttpRequest;
using inkread::HttpResponse;
using inkread::ReadQueue;

constexpr int64_t kMaxPixels = 100'000;

inkread::Result<inkread::Reading> StandIn(const inkread::ImageView& image, const inkread::ReadOptions&) {
  inkread::Reading reading;
  reading.width_px = image.width_px;
  reading.height_px = image.height_px;
  inkread::Line line;
  line.text = "text";
  line.quad = {{{0, 0}, {image.width_px, 0}, {image.width_px, image.height_px}, {0, image.height_px}}};
  reading.lines.push_back(line);
  return reading;
}

Door DoorAt(std::string_view path) {
  if (path == "/ocr") return inkread::LiteparseJob;
  if (path == "/api/ocr") return inkread::UmiOcrJob;
  if (path == "/v1/image") return inkread::ImageJob;
  if (path == "/v2/models/ocr/infer") return inkread::KserveJob;
  return inkread::OcrJob;
}

void Check(bool is_right, const char* what) {
  if (is_right) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

ReadQueue& Queue() {
  static ReadQueue* const queue = [] {
    inkread::QueueLimits limits;
    limits.num_workers = 1;
    limits.max_pixels = kMaxPixels;
    limits.max_pages = 3;
    return new ReadQueue(StandIn, limits);
  }();
  return *queue;
}

// Cuts the first line off.
std::string_view TakeLine(std::string_view* text) {
  const std::string_view line = text->substr(0, text->find('\n'));
  text->remove_prefix(std::min(text->size(), line.size() + 1));
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::string_view first = TakeLine(&rest);
  first.remove_prefix(std::min(first.size(), first.find(' ') + 1));
  auto request = std::make_shared<HttpRequest>();
  request->method = "POST";
  request->path = std::string(first.substr(0, first.find('?')));
  if (first.find('?') != first.npos) request->query = inkread::ParseForm(first.substr(first.find('?') + 1));
  while (!rest.empty()) {
    const std::string_view line = TakeLine(&rest);
    if (line.empty()) break;
    const size_t colon = line.find(": ");
    if (colon != line.npos)
      request->headers.emplace_back(inkread::LowerCase(line.substr(0, colon)), std::string(line.substr(colon + 2)));
  }
  request->body = rest;
  if (request->path == "lines") {
    const std::string answer = inkread::AnswerPaddleOcrJson(&Queue(), std::string(TakeLine(&rest)), {});
    Check(answer.find("\"code\":") != answer.npos, "PaddleOCR-json: an answer without a code");
    return 0;
  }
  if (request->path == "mcp") {
    static auto* const mcp = new inkread::McpServer(StandIn, {}, 1 << 20);
    (void)mcp->Answer(std::string(TakeLine(&rest)));
    return 0;
  }
  int num_replies = 0;
  HttpResponse response;
  ReadQueue::Job job = DoorAt(request->path)(request, {}, [&](HttpResponse answer) {
    ++num_replies;
    response = std::move(answer);
  });
  inkread::Result<inkread::ReadInput> input = job.parse();
  if (!input.ok()) {
    job.done(inkread::ReadFailure{input.status(), ""});
  } else {
    job.done(Queue().ReadNow(std::move(*input), job.take_page));
  }
  Check(num_replies == 1, "a door did not reply exactly once");
  Check(response.status >= 200 && response.status < 600 && response.status != 500,
        "a door replied with an internal error");
  return 0;
}
