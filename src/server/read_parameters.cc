#include "server/read_parameters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>

#include "base/status.h"

namespace inkread {
namespace {

struct FormatRow {
  OutputFormat format;
  const char* name;
  const char* media_type;
};
constexpr FormatRow kFormats[] = {
    {OutputFormat::kJson, "json", "application/json"},
    {OutputFormat::kJsonLines, "jsonl", "application/x-ndjson"},
    {OutputFormat::kText, "text", "text/plain; charset=utf-8"},
    {OutputFormat::kLayout, "layout", "text/plain; charset=utf-8"},
    {OutputFormat::kTsv, "tsv", "text/tab-separated-values; charset=utf-8"},
    {OutputFormat::kHocr, "hocr", "text/vnd.hocr+html; charset=utf-8"},
    {OutputFormat::kAlto, "alto", "application/xml"},
    {OutputFormat::kPdf, "pdf", "application/pdf"},
};

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text, Number min, Number max) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= min && number <= max))
    return std::nullopt;
  return number;
}

std::optional<bool> ParseBool(std::string_view text) {
  if (text == "true" || text == "1" || text.empty()) return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

// "10,20,300,40"; corners up to 2^30, so that their sums are ints.
std::optional<Rect> ParseRect(std::string_view text) {
  std::array<int, 4> numbers{};
  for (size_t i = 0; i < 4; ++i) {
    const std::string_view number = text.substr(0, i < 3 ? text.find(',') : text.npos);
    const std::optional<int> value = ParseNumber<int>(number, 0, 1 << 30);
    if (!value) return std::nullopt;
    numbers[i] = *value;
    text.remove_prefix(std::min(text.size(), number.size() + 1));
  }
  if (numbers[2] == 0 || numbers[3] == 0) return std::nullopt;
  return Rect{numbers[0], numbers[1], numbers[2], numbers[3]};
}

// What a parameter does with its value; false: it cannot have it.
using Setter = std::function<bool(const std::string&, ReadParameters*)>;

template <typename T>
bool Assign(const std::optional<T>& value, T* target) {
  if (value) *target = *value;
  return value.has_value();
}

template <typename Enum>
bool AssignName(const std::string& name, std::initializer_list<Enum> values, const char* (*name_of)(Enum),
                Enum* target) {
  for (const Enum value : values) {
    if (name != name_of(value)) continue;
    *target = value;
    return true;
  }
  return false;
}

bool SetBox(const std::string& text, ReadParameters* p) {
  const std::optional<Rect> r = ParseRect(text);
  if (!r) return false;
  const int right = r->x + r->width, bottom = r->y + r->height;
  p->input.options.boxes.push_back({{{r->x, r->y}, {right, r->y}, {right, bottom}, {r->x, bottom}}});
  return true;
}

bool SetFormat(const std::string& name, ReadParameters* p) {
  for (const FormatRow& row : kFormats) {
    if (name != row.name) continue;
    p->format = row.format;
    return true;
  }
  return false;
}

// A flag whose option is its opposite.
bool AssignNot(const std::string& text, bool* target) {
  const std::optional<bool> value = ParseBool(text);
  if (value) *target = !*value;
  return value.has_value();
}

struct Parameter {
  const char* expected;
  Setter set;
};

const std::map<std::string, Parameter, std::less<>>& Parameters() {
  static const auto* const kParameters = new std::map<std::string, Parameter, std::less<>>{
      {"words",
       {"true or false",
        [](const std::string& v, ReadParameters* p) { return Assign(ParseBool(v), &p->input.options.words); }}},
      {"chars",
       {"true or false",
        [](const std::string& v, ReadParameters* p) { return Assign(ParseBool(v), &p->input.options.chars); }}},
      {"official",
       {"true or false",
        [](const std::string& v, ReadParameters* p) { return Assign(ParseBool(v), &p->input.options.official); }}},
      {"detect_only",
       {"true or false",
        [](const std::string& v, ReadParameters* p) { return AssignNot(v, &p->input.options.recognise); }}},
      {"line",
       {"true or false",
        [](const std::string& v, ReadParameters* p) { return AssignNot(v, &p->input.options.detect); }}},
      {"times",
       {"true or false", [](const std::string& v, ReadParameters* p) { return Assign(ParseBool(v), &p->times); }}},
      {"profile",
       {"auto, pipeline or fast960",
        [](const std::string& v, ReadParameters* p) {
          return AssignName(v, {Profile::kAuto, Profile::kPipeline, Profile::kFast960}, ProfileName,
                            &p->input.options.profile);
        }}},
      {"order",
       {"reader or official",
        [](const std::string& v, ReadParameters* p) {
          return AssignName(v, {LineOrder::kReader, LineOrder::kOfficial}, LineOrderName, &p->input.options.order);
        }}},
      {"region",
       {"X,Y,WIDTH,HEIGHT",
        [](const std::string& v, ReadParameters* p) { return Assign(ParseRect(v), &p->input.options.region); }}},
      {"box", {"X,Y,WIDTH,HEIGHT", SetBox}},
      {"score_thresh",
       {"a number between 0 and 1",
        [](const std::string& v, ReadParameters* p) {
          return Assign(ParseNumber<float>(v, 0, 1), &p->input.options.score_thresh);
        }}},
      {"time_limit",
       {"seconds, above 0",
        [](const std::string& v, ReadParameters* p) {
          const std::optional<double> seconds = ParseNumber<double>(v, 1e-3, 1e6);
          if (seconds) p->input.options.time_limit_ms = *seconds * 1000;
          return seconds.has_value();
        }}},
      {"max_pixels",
       {"a number of pixels",
        [](const std::string& v, ReadParameters* p) {
          return Assign(ParseNumber<int64_t>(v, 1, INT32_MAX), &p->input.options.max_pixels);
        }}},
      {"dpi",
       {"10 to 2400", [](const std::string& v,
                         ReadParameters* p) { return Assign(ParseNumber<double>(v, 10, 2400), &p->input.dpi); }}},
      {"page",
       {"a page from 1 on",
        [](const std::string& v, ReadParameters* p) {
          const std::optional<int> page = ParseNumber<int>(v, 1, 1 << 20);
          if (page) p->input.pages.push_back(*page);
          return page.has_value();
        }}},
      {"name",
       {"the name of a file",
        [](const std::string& v, ReadParameters* p) {
          p->input.name = v;
          return true;
        }}},
      {"format", {"json, jsonl, text, layout, tsv, hocr, alto or pdf", SetFormat}},
  };
  return *kParameters;
}

}  // namespace

Status SetParameters(const Fields& fields, ReadParameters* parameters) {
  for (const auto& [name, value] : fields) {
    const auto found = Parameters().find(name);
    if (found == Parameters().end()) {
      std::string all;
      for (const auto& [known, ignored] : Parameters()) all += (all.empty() ? "" : ", ") + known;
      return InvalidArgument("parameter '", name, "' is none of ", all);
    }
    if (!found->second.set(value, parameters))
      return InvalidArgument("parameter ", name, ": '", value.substr(0, 100), "' is not ", found->second.expected);
  }
  return Status();
}

Result<Fields> FieldsOf(const OrderedJson& object, std::string_view left_out) {
  Fields fields;
  const auto text_of = [](const OrderedJson& value) {
    return value.is_string() ? value.get<std::string>() : JsonText(value);
  };
  for (const auto& [name, value] : object.items()) {
    if (name == left_out) continue;
    if (value.is_object() || value.is_null()) return InvalidArgument("parameter ", name, ": expected a plain value");
    const bool is_list = value.is_array() && (value.size() != 4 || !value[0].is_number());
    if (is_list) {
      for (const OrderedJson& element : value) {
        std::string text = text_of(element);
        if (element.is_array()) text = text.substr(1, text.size() - 2);
        fields.emplace_back(name, std::move(text));
      }
    } else {
      std::string text = text_of(value);
      if (value.is_array()) text = text.substr(1, text.size() - 2);
      fields.emplace_back(name, std::move(text));
    }
  }
  return fields;
}

std::optional<OutputFormat> FormatFor(std::string_view accept) {
  if (accept.empty()) return OutputFormat::kJson;
  while (!accept.empty()) {
    const std::string_view one = accept.substr(0, accept.find(','));
    accept.remove_prefix(std::min(accept.size(), one.size() + 1));
    const std::string type = MediaType(one);
    if (type == "*/*" || type == "application/*") return OutputFormat::kJson;
    if (type == "text/*") return OutputFormat::kText;
    if (type == "text/html") return OutputFormat::kHocr;
    for (const FormatRow& row : kFormats) {
      if (type == MediaType(row.media_type)) return row.format;
    }
  }
  return std::nullopt;
}

const char* MediaTypeOf(OutputFormat format) {
  return std::ranges::find(kFormats, format, &FormatRow::format)->media_type;
}

}  // namespace inkread
