#include "formats/reading_json.h"

#include <utf8proc.h>

#include <cmath>
#include <cstdint>

#include "inkread/formats.h"

namespace inkread {
namespace {

constexpr char kDigits[] = "0123456789ABCDEF";
constexpr char kReplacementText[] = "\xEF\xBF\xBD";

double Rounded(double value, double steps) { return std::round(value * steps) / steps; }

}  // namespace

Json ScoreJson(float score) { return Rounded(score, 1e6); }
Json MillisecondsJson(double ms) { return Rounded(ms, 1e3); }
Json DegreesJson(float deg) { return Rounded(deg, 10) + 0.0; }  // not -0.0

Json QuadJson(const std::array<Point, 4>& quad) {
  Json json = Json::array();
  for (const Point& p : quad) json.push_back({p.x, p.y});
  return json;
}

Json WordsJson(const std::vector<Word>& words) {
  Json json = Json::array();
  for (const Word& word : words) {
    json.push_back({{"text", word.text}, {"score", ScoreJson(word.score)}, {"quad", QuadJson(word.quad)}});
  }
  return json;
}

Json StagesJson(const StageTimes& ms) {
  return {{"detect_input", MillisecondsJson(ms.detect_input)},
          {"detect", MillisecondsJson(ms.detect)},
          {"boxes", MillisecondsJson(ms.boxes)},
          {"crop", MillisecondsJson(ms.crop)},
          {"recognise", MillisecondsJson(ms.recognise)},
          {"decode", MillisecondsJson(ms.decode)}};
}

std::string FileNameText(std::string_view name) {
  constexpr int32_t kReplacement = 0xFFFD;
  std::string text;
  for (size_t at = 0; at < name.size();) {
    const auto* rest = reinterpret_cast<const utf8proc_uint8_t*>(name.data() + at);
    int32_t code_point = -1;
    const utf8proc_ssize_t length =
        utf8proc_iterate(rest, static_cast<utf8proc_ssize_t>(name.size() - at), &code_point);
    if (length > 0 && code_point != kReplacement) {
      text += name.substr(at, static_cast<size_t>(length));
      at += static_cast<size_t>(length);
      continue;
    }
    const auto byte = static_cast<uint8_t>(name[at++]);  // the next round takes the others of a U+FFFD
    text += kReplacementText;
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string FileNameFromText(std::string_view text) {
  constexpr std::string_view kMark = kReplacementText;
  constexpr std::string_view kHex = kDigits;
  std::string name;
  for (size_t at = 0; at < text.size();) {
    const std::string_view digits = text.substr(at, kMark.size()) == kMark ? text.substr(at + kMark.size()) : "";
    const size_t high = digits.size() < 2 ? kHex.npos : kHex.find(digits[0]);
    const size_t low = digits.size() < 2 ? kHex.npos : kHex.find(digits[1]);
    if (high == kHex.npos || low == kHex.npos) {
      name += text[at++];
      continue;
    }
    name += static_cast<char>(high * 16 + low);
    at += kMark.size() + 2;
  }
  return name;
}

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace inkread
