#include "apps/reading_json.h"

#include <cmath>

namespace inkread {
namespace {

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

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace inkread
