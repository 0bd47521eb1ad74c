// The Model Context Protocol over standard input and output: JSON-RPC 2.0, a message a line, with one tool.
#include "server/mcp.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>

#include "base/status.h"
#include "inkread/server.h"
#include "server/http_message.h"
#include "server/local_file.h"

namespace inkread {
namespace {

// Revisions with the same messages, as far as tools go; the newest last.
constexpr const char* kVersions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoMethod = -32601, kInvalidParams = -32602;
constexpr char kTool[] = "ocr_image";

OrderedJson ToolDescription() {
  const OrderedJson properties = {
      {"path", {{"type", "string"}, {"description", "Path of an image or a PDF on this machine"}}},
      {"base64", {{"type", "string"}, {"description", "The image or PDF itself, in base64, in place of a path"}}},
      {"format",
       {{"type", "string"},
        {"enum", {"text", "json"}},
        {"description", "text (default): the lines in reading order; json: also scores and corners in px"}}}};
  return {{"name", kTool},
          {"title", "Read the text of an image"},
          {"description",
           "Finds and reads the text in an image (JPEG, PNG, WebP, TIFF, BMP, GIF, JPEG 2000) or a PDF. "
           "Give either path or base64."},
          {"inputSchema", {{"type", "object"}, {"properties", properties}}},
          {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}};
}

OrderedJson Respond(const OrderedJson& id, OrderedJson result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

OrderedJson ErrorResponse(const OrderedJson& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

OrderedJson Initialize(const OrderedJson& params, const std::string& version) {
  const auto asked = params.find("protocolVersion");
  const auto is_asked = [&](const char* known) { return asked != params.end() && *asked == known; };
  const auto known = std::find_if(std::begin(kVersions), std::end(kVersions), is_asked);
  return {{"protocolVersion", known == std::end(kVersions) ? *std::prev(known) : *known},
          {"capabilities", {{"tools", {{"listChanged", false}}}}},
          {"serverInfo", {{"name", "inkread"}, {"version", version}}}};
}

// What is wrong with an image is a result too, which a language model can read.
OrderedJson ToolResult(const std::string& text, bool is_error) {
  return {{"content", OrderedJson::array({{{"type", "text"}, {"text", text}}})}, {"isError", is_error}};
}

RunInfo RunInfoOf(const Engine& engine) {
  const EngineInfo info = engine.Info();
  RunInfo run;
  run.version = VersionString();
  run.size = info.size;
  run.precision = info.precision;
  run.times = false;
  return run;
}

}  // namespace

McpServer::McpServer(ReadFunction read, RunInfo run, int64_t max_bytes)
    : run_(std::move(run)), max_bytes_(max_bytes), queue_(std::move(read), {}) {}

std::optional<OrderedJson> McpServer::Answer(const std::string& line) {
  const Result<OrderedJson> message = ParseJsonObject(line);
  if (!message.ok()) return ErrorResponse(nullptr, kParseError, message.status().message());
  const auto id = message->find("id"), method = message->find("method");
  if (method == message->end() || !method->is_string()) {
    if (message->contains("result") || message->contains("error")) return std::nullopt;  // we ask nothing
    return ErrorResponse(id == message->end() ? OrderedJson() : *id, kInvalidRequest, "there is no method");
  }
  if (id == message->end()) return std::nullopt;  // a notification
  const auto given = message->find("params");
  const OrderedJson params = given != message->end() && given->is_object() ? *given : OrderedJson::object();
  const std::string name = method->get<std::string>();
  if (name == "initialize") return Respond(*id, Initialize(params, run_.version));
  if (name == "ping") return Respond(*id, OrderedJson::object());
  if (name == "tools/list") return Respond(*id, {{"tools", OrderedJson::array({ToolDescription()})}});
  if (name != "tools/call") return ErrorResponse(*id, kNoMethod, "there is no method " + name);
  const auto tool = params.find("name");
  if (tool == params.end() || *tool != kTool) return ErrorResponse(*id, kInvalidParams, "the only tool is ocr_image");
  const auto arguments = params.find("arguments");
  return Respond(*id, Call(arguments == params.end() ? OrderedJson::object() : *arguments));
}

Result<ReadInput> McpServer::InputOf(const OrderedJson& arguments) const {
  const auto path = arguments.find("path"), base64 = arguments.find("base64");
  if ((path == arguments.end()) == (base64 == arguments.end()))
    return InvalidArgument("expected either path or base64");
  const OrderedJson& given = path == arguments.end() ? *base64 : *path;
  if (!given.is_string()) return InvalidArgument("path and base64 are strings");
  ReadInput input;
  if (path == arguments.end()) {
    INKREAD_ASSIGN_OR_RETURN(input.bytes, DecodeBase64(given.get_ref<const std::string&>()));
  } else {
    input.name = given.get<std::string>();
    INKREAD_ASSIGN_OR_RETURN(input.bytes, ReadLocalFile(input.name, max_bytes_));
  }
  return input;
}

OrderedJson McpServer::Call(const OrderedJson& arguments) {
  if (!arguments.is_object()) return ToolResult("arguments: expected an object", true);
  const auto format = arguments.find("format");
  const bool as_json = format != arguments.end() && *format == "json";
  if (format != arguments.end() && !as_json && *format != "text") return ToolResult("format is text or json", true);
  Result<ReadInput> input = InputOf(arguments);
  if (!input.ok()) return ToolResult(input.status().message(), true);
  std::ostringstream text;
  const std::unique_ptr<PageWriter> writer = as_json ? MakeJsonWriter(run_, &text) : MakeTextWriter(false, &text);
  const ReadResult result = queue_.ReadNow(std::move(*input), [&](const Page& page) { writer->Write(page); });
  if (const auto* const failure = std::get_if<ReadFailure>(&result)) return ToolResult(failure->status.message(), true);
  writer->End();
  return ToolResult(text.str(), false);
}

void ServeMcp(const Engine& engine, int64_t max_bytes, std::istream* in, std::ostream* out) {
  McpServer server([&engine](const ImageView& image, const ReadOptions& read) { return engine.Read(image, read); },
                   RunInfoOf(engine), max_bytes);
  for (std::string line; std::getline(*in, line) && *out;) {
    if (line.empty() || line == "\r") continue;
    if (const std::optional<OrderedJson> answer = server.Answer(line)) *out << JsonText(*answer) << std::endl;
  }
}

}  // namespace inkread
