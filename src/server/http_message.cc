#include "server/http_message.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/status.h"

namespace inkread {
namespace {

constexpr size_t kMaxParts = 1000;
constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Value of each character; -1: none.
constexpr std::array<int8_t, 256> Base64Values() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (int i = 0; i < 64; ++i) values[static_cast<uint8_t>(kBase64[i])] = static_cast<int8_t>(i);
  values['-'] = 62;
  values['_'] = 63;
  return values;
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string DecodeUrl(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? HexValue(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : HexValue(text[i + 2]);
    if (low >= 0) {
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// The headers of a part, up to the empty line that ends them.
FormPart ParsePartHeaders(std::string_view head) {
  FormPart part;
  while (!head.empty()) {
    const size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end == head.npos ? head.size() : end + 2);
    const size_t colon = line.find(':');
    if (colon == line.npos) continue;
    const std::string name = LowerCase(Trimmed(line.substr(0, colon)));
    const std::string_view value = Trimmed(line.substr(colon + 1));
    if (name == "content-type") part.content_type = value;
    if (name != "content-disposition") continue;
    part.name = HeaderParameter(value, "name").value_or("");
    part.file_name = HeaderParameter(value, "filename");
  }
  return part;
}

}  // namespace

const std::string* FindField(const Fields& fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; });
  return found == fields.end() ? nullptr : &found->second;
}

std::string_view HttpRequest::Header(std::string_view lower_case_name) const {
  const std::string* const value = FindField(headers, lower_case_name);
  return value == nullptr ? std::string_view() : *value;
}

HttpResponse RefusalResponse(const Refusal& refusal) {
  nlohmann::ordered_json error = {{"code", refusal.code}, {"message", refusal.message}};
  if (!refusal.limit.empty()) error["limit"] = refusal.limit;
  const nlohmann::ordered_json body = {{"error", std::move(error)}};
  HttpResponse response;
  response.status = refusal.http_status;
  response.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (refusal.retry_after_s > 0) response.headers.emplace_back("Retry-After", std::to_string(refusal.retry_after_s));
  return response;
}

Fields ParseForm(std::string_view text) {
  Fields fields;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    fields.emplace_back(DecodeUrl(pair.substr(0, equals)),
                        equals == pair.npos ? "" : DecodeUrl(pair.substr(equals + 1)));
  }
  return fields;
}

std::string MediaType(std::string_view content_type) {
  return LowerCase(Trimmed(content_type.substr(0, content_type.find(';'))));
}

std::optional<std::string> HeaderParameter(std::string_view header, std::string_view name) {
  size_t at = header.find(';');
  while (at != header.npos) {
    ++at;
    while (at < header.size() && IsSpace(header[at])) ++at;
    const size_t equals = header.find_first_of("=;", at);
    if (equals == header.npos) return std::nullopt;
    if (header[equals] == ';') {
      at = equals;
      continue;
    }
    const bool is_wanted = LowerCase(Trimmed(header.substr(at, equals - at))) == name;
    std::string value;
    size_t end = equals + 1;
    if (end < header.size() && header[end] == '"') {
      for (++end; end < header.size() && header[end] != '"'; ++end) {
        const bool is_escape =
            header[end] == '\\' && end + 1 < header.size() && (header[end + 1] == '"' || header[end + 1] == '\\');
        if (is_escape) ++end;
        value += header[end];
      }
    } else {
      end = std::min(header.find(';', end), header.size());
      value = Trimmed(header.substr(equals + 1, end - equals - 1));
    }
    if (is_wanted) return value;
    at = header.find(';', end);
  }
  return std::nullopt;
}

Result<std::vector<FormPart>> ParseMultipart(std::string_view content_type, std::string_view body) {
  const std::optional<std::string> boundary = HeaderParameter(content_type, "boundary");
  if (!boundary || boundary->empty()) return InvalidArgument("multipart/form-data: no boundary in Content-Type");
  const std::string delimiter = "\r\n--" + *boundary;
  std::vector<FormPart> parts;
  // The first delimiter may stand at the very beginning, without its line break.
  const std::string_view first = std::string_view(delimiter).substr(2);
  size_t at = body.substr(0, first.size()) == first ? first.size() : body.find(delimiter);
  if (at == body.npos) return InvalidArgument("multipart/form-data: the boundary of Content-Type is not in the body");
  if (body.substr(0, first.size()) != first) at += delimiter.size();
  while (body.substr(at, 2) != "--") {
    const size_t line_end = body.find("\r\n", at);
    const size_t head_end = line_end == body.npos ? body.npos : body.find("\r\n\r\n", line_end);
    const size_t end = head_end == body.npos ? body.npos : body.find(delimiter, head_end + 2);
    if (end == body.npos) return InvalidArgument("multipart/form-data: part ", parts.size() + 1, " does not end");
    if (parts.size() == kMaxParts) return InvalidArgument("multipart/form-data: more than ", kMaxParts, " parts");
    FormPart part;
    if (head_end > line_end) part = ParsePartHeaders(body.substr(line_end + 2, head_end - line_end - 2));
    part.content = end < head_end + 4 ? std::string_view() : body.substr(head_end + 4, end - head_end - 4);
    parts.push_back(std::move(part));
    at = end + delimiter.size();
  }
  return parts;
}

Result<std::string> DecodeBase64(std::string_view text) {
  static constexpr std::array<int8_t, 256> kValues = Base64Values();
  text = Trimmed(text);
  if (text.substr(0, 5) == "data:") {
    const size_t comma = text.find(',');
    if (comma == text.npos || text.substr(0, comma).find(";base64") == text.npos)
      return InvalidArgument("base64: a data URI without \";base64,\"");
    text.remove_prefix(comma + 1);
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  uint32_t bits = 0;
  int num_values = 0, num_padding = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsSpace(c)) continue;
    if (c == '=') {
      ++num_padding;
      continue;
    }
    const int value = kValues[static_cast<uint8_t>(c)];
    if (value < 0) return InvalidArgument("base64: character ", i + 1, " is not of its alphabet");
    if (num_padding > 0) return InvalidArgument("base64: character ", i + 1, " stands after the padding");
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++num_values < 4) continue;
    bytes += static_cast<char>(bits >> 16);
    bytes += static_cast<char>(bits >> 8);
    bytes += static_cast<char>(bits);
    bits = 0;
    num_values = 0;
  }
  if (num_values == 1 || num_padding > 2) return InvalidArgument("base64: its length cannot be");
  if (num_values == 2) bytes += static_cast<char>(bits >> 4);
  if (num_values == 3) {
    bytes += static_cast<char>(bits >> 10);
    bytes += static_cast<char>(bits >> 2);
  }
  return bytes;
}

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view three = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < three.size() ? static_cast<uint8_t>(three[j]) : 0u);
    for (size_t j = 0; j < 4; ++j) text += j <= three.size() ? kBase64[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char differences = 0;  // volatile: the loop must not end at the first
  for (size_t i = 0; i < a.size(); ++i) differences = differences | static_cast<unsigned char>(a[i] ^ b[i]);
  return differences == 0;
}

}  // namespace inkread
