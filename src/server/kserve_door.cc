#include "server/kserve_door.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "base/status.h"
#include "server/json_text.h"

namespace inkread {
namespace {

static_assert(std::endian::native == std::endian::little, "binary tensors are little-endian");

constexpr char kHeaderLength[] = "inference-header-content-length";
constexpr size_t kMaxPixelValues = 12'000'000;  // of an image in JSON: each takes 16 bytes
constexpr const char* kOutputs[] = {"boxes", "txts", "scores"};

struct WantedOutput {
  std::string name;
  bool is_binary = false;
};

// What the answer repeats of the request.
struct Asked {
  std::string id;
  std::vector<WantedOutput> outputs;
};

bool Flag(const OrderedJson& object, const char* name, bool otherwise) {
  const auto parameters = object.find("parameters");
  if (parameters == object.end() || !parameters->is_object()) return otherwise;
  const auto value = parameters->find(name);
  return value != parameters->end() && value->is_boolean() ? value->get<bool>() : otherwise;
}

// The dimensions of an image; nothing for another shape. Their product fits int64_t.
std::optional<std::pair<int, int>> HeightAndWidth(const OrderedJson& input) {
  const auto shape = input.find("shape");
  if (shape == input.end() || !shape->is_array() || shape->size() < 3 || shape->size() > 4) return std::nullopt;
  std::array<int64_t, 4> sizes{1, 0, 0, 0};
  for (size_t i = 0; i < shape->size(); ++i) {
    if (!(*shape)[i].is_number_integer()) return std::nullopt;
    sizes[i + 4 - shape->size()] = (*shape)[i].get<int64_t>();
  }
  const auto fits = [](int64_t size) { return size >= 1 && size <= INT32_MAX / 4; };
  if (sizes[0] != 1 || !fits(sizes[1]) || !fits(sizes[2]) || sizes[3] != 3) return std::nullopt;
  return std::pair(static_cast<int>(sizes[1]), static_cast<int>(sizes[2]));
}

// The numbers of `data`, which may be nested as the shape is.
bool TakeBytes(const OrderedJson& data, std::vector<uint8_t>* bytes) {
  if (data.is_array()) {
    return std::all_of(data.begin(), data.end(), [&](const OrderedJson& part) { return TakeBytes(part, bytes); });
  }
  if (!data.is_number_integer() || data < 0 || data > 255) return false;
  bytes->push_back(data.get<uint8_t>());
  return true;
}

Result<DecodedImage> ImageOf(const OrderedJson& input, std::string_view binary) {
  const std::optional<std::pair<int, int>> size = HeightAndWidth(input);
  if (!size || input.value("datatype", "") != "UINT8")
    return InvalidArgument("input image: expected datatype UINT8 and shape [1, height, width, 3]");
  const int64_t num_pixels = int64_t{size->first} * size->second;
  std::vector<uint8_t> pixels;
  if (const auto data = input.find("data"); data != input.end()) {
    pixels.reserve(std::min(static_cast<size_t>(num_pixels) * 3, kMaxPixelValues));
    if (!TakeBytes(*data, &pixels)) return InvalidArgument("input image: its data are not numbers from 0 to 255");
  } else {
    pixels.assign(binary.begin(), binary.end());
  }
  if (static_cast<int64_t>(pixels.size()) != num_pixels * 3)
    return InvalidArgument("input image: ", pixels.size(), " values, its shape has ", num_pixels * 3);
  for (size_t i = 0; i + 2 < pixels.size(); i += 3) std::swap(pixels[i], pixels[i + 2]);  // what decoders give is BGR
  DecodedImage image;
  image.width_px = size->second;
  image.height_px = size->first;
  image.stride_bytes = ptrdiff_t{3} * size->second;
  image.pixels = std::move(pixels);
  return image;
}

// The bytes of an input that come after the header; empty for one with its data in JSON.
Result<std::string_view> TakeBinary(const OrderedJson& input, std::string_view* rest) {
  const auto parameters = input.find("parameters");
  if (parameters == input.end() || !parameters->is_object()) return std::string_view();
  const auto size = parameters->find("binary_data_size");
  if (size == parameters->end()) {
    if (parameters->contains("shared_memory_region")) return Unsupported("shared memory is not supported");
    return std::string_view();
  }
  if (!size->is_number_unsigned() || size->get<uint64_t>() > rest->size())
    return InvalidArgument("binary_data_size is more than what follows the header");
  const std::string_view taken = rest->substr(0, size->get<size_t>());
  rest->remove_prefix(taken.size());
  return taken;
}

Status TakeOutputs(const OrderedJson& json, Asked* asked) {
  const bool all_binary = Flag(json, "binary_data_output", false);
  const auto outputs = json.find("outputs");
  if (outputs == json.end()) {
    for (const char* name : kOutputs) asked->outputs.push_back({name, all_binary});
    return Status();
  }
  if (!outputs->is_array()) return InvalidArgument("outputs: expected an array");
  for (const OrderedJson& output : *outputs) {
    const std::string name = output.is_object() ? output.value("name", "") : "";
    if (std::find(std::begin(kOutputs), std::end(kOutputs), name) == std::end(kOutputs))
      return InvalidArgument("outputs: '", name, "' is none of boxes, txts, scores");
    const bool is_there = std::any_of(asked->outputs.begin(), asked->outputs.end(),
                                      [&](const WantedOutput& other) { return other.name == name; });
    if (is_there) return InvalidArgument("outputs: ", name, " is there twice");
    asked->outputs.push_back({name, Flag(output, "binary_data", all_binary)});
  }
  return Status();
}

Result<ReadInput> ParseChecked(HttpRequest* request, Asked* asked) {
  const std::string body = std::move(request->body);
  std::string_view header = body, rest;
  if (const std::string_view length = request->Header(kHeaderLength); !length.empty()) {
    size_t bytes = 0;
    const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
    if (error != std::errc() || end != length.data() + length.size() || bytes > body.size())
      return InvalidArgument("Inference-Header-Content-Length is not a length within the body");
    header = header.substr(0, bytes);
    rest = std::string_view(body).substr(bytes);
  }
  INKREAD_ASSIGN_OR_RETURN(const OrderedJson json, ParseJsonObject(header, kMaxPixelValues));
  if (const auto id = json.find("id"); id != json.end() && id->is_string()) asked->id = id->get<std::string>();
  INKREAD_RETURN_IF_ERROR(TakeOutputs(json, asked));
  const auto inputs = json.find("inputs");
  if (inputs == json.end() || !inputs->is_array()) return InvalidArgument("inputs: expected an array");
  ReadInput read;
  for (const OrderedJson& input : *inputs) {
    if (!input.is_object()) return InvalidArgument("inputs: expected objects");
    INKREAD_ASSIGN_OR_RETURN(const std::string_view binary, TakeBinary(input, &rest));
    const std::string name = input.value("name", "");
    if (name == "image") {
      INKREAD_ASSIGN_OR_RETURN(read.pixels, ImageOf(input, binary));
    } else if (name != "lang_type") {
      return InvalidArgument("input '", name, "' is none of image, lang_type");
    }
  }
  if (!read.pixels) return InvalidArgument("inputs: there is no input named image");
  return read;
}

// A member of another type than expected is an exception of the library.
Result<ReadInput> Parse(HttpRequest* request, Asked* asked) try {
  return ParseChecked(request, asked);
} catch (const OrderedJson::exception&) {
  return InvalidArgument("JSON: a member has not the type that the protocol gives it");
}

void AppendRaw(const void* value, size_t size, std::string* bytes) {
  bytes->append(static_cast<const char*>(value), size);
}

// The values of an output, in JSON and as bytes.
void FillOutput(const std::string& name, const std::vector<Line>& lines, OrderedJson* data, std::string* bytes) {
  for (const Line& line : lines) {
    if (name == "scores") {
      data->push_back(line.score);
      AppendRaw(&line.score, sizeof(line.score), bytes);
    } else if (name == "txts") {
      data->push_back(line.text);
      const auto length = static_cast<uint32_t>(line.text.size());
      AppendRaw(&length, sizeof(length), bytes);
      *bytes += line.text;
    } else {
      for (const Point& point : line.quad) {
        for (const int coordinate : {point.x, point.y}) {
          const auto value = static_cast<float>(coordinate);
          data->push_back(coordinate);
          AppendRaw(&value, sizeof(value), bytes);
        }
      }
    }
  }
}

HttpResponse AnswerOf(const Asked& asked, const Reading& reading) {
  const size_t n = reading.lines.size();
  OrderedJson outputs = OrderedJson::array();
  std::string all_bytes;
  for (const WantedOutput& wanted : asked.outputs) {
    OrderedJson data = OrderedJson::array();
    std::string bytes;
    FillOutput(wanted.name, reading.lines, &data, &bytes);
    OrderedJson output = {{"name", wanted.name},
                          {"datatype", wanted.name == "txts" ? "BYTES" : "FP32"},
                          {"shape", wanted.name == "boxes" ? OrderedJson{n, 4, 2} : OrderedJson::array({n})}};
    if (wanted.is_binary) {
      output["parameters"] = {{"binary_data_size", bytes.size()}};
      all_bytes += bytes;
    } else {
      output["data"] = std::move(data);
    }
    outputs.push_back(std::move(output));
  }
  OrderedJson json = {{"model_name", kKserveModel}, {"model_version", "1"}};
  if (!asked.id.empty()) json["id"] = asked.id;
  json["outputs"] = std::move(outputs);
  HttpResponse response;
  response.body = JsonText(json);
  const bool is_binary = std::any_of(asked.outputs.begin(), asked.outputs.end(),
                                     [](const WantedOutput& output) { return output.is_binary; });
  if (is_binary) {
    response.headers.emplace_back("Inference-Header-Content-Length", std::to_string(response.body.size()));
    response.content_type = "application/octet-stream";
    response.body += all_bytes;
  }
  return response;
}

}  // namespace

ReadQueue::Job KserveJob(RequestPtr request, const RunInfo&, Reply reply) {
  auto asked = std::make_shared<Asked>();
  ReadQueue::Job job;
  job.parse = [request, asked] { return Parse(request.get(), asked.get()); };
  job.done = ReplyWith(
      std::move(reply), [asked](const ReadOutput& output) { return AnswerOf(*asked, output.pages.at(0).reading); },
      MessageResponse);
  return job;
}

std::string KserveServerText(const std::string& version) {
  return JsonText({{"name", "inkread"}, {"version", version}, {"extensions", {"binary_tensor_data"}}}) + "\n";
}

std::string KserveModelText() {
  const auto tensor = [](const char* name, const char* type, OrderedJson shape) {
    return OrderedJson{{"name", name}, {"datatype", type}, {"shape", std::move(shape)}};
  };
  const OrderedJson inputs = {tensor("image", "UINT8", OrderedJson::array({1, -1, -1, 3})),
                              tensor("lang_type", "BYTES", OrderedJson::array({-1, -1}))};
  const OrderedJson outputs = {tensor("boxes", "FP32", OrderedJson::array({-1, 4, 2})),
                               tensor("txts", "BYTES", OrderedJson::array({-1})),
                               tensor("scores", "FP32", OrderedJson::array({-1}))};
  return JsonText({{"name", kKserveModel},
                   {"versions", OrderedJson::array({"1"})},
                   {"platform", "inkread"},
                   {"inputs", inputs},
                   {"outputs", outputs}}) +
         "\n";
}

}  // namespace inkread
