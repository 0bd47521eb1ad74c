// The parts of a reading that the JSON of `inkread read` and the result files of `inkread bench` have in common.
#ifndef INKREAD_FORMATS_READING_JSON_H_
#define INKREAD_FORMATS_READING_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "inkread/ocr.h"

namespace inkread {

using Json = nlohmann::ordered_json;

// Rounded: scores and times are not more exact than this, and shorter numbers read better.
Json ScoreJson(float score);
Json MillisecondsJson(double ms);
Json DegreesJson(float deg);

// [[x, y], ...]
Json QuadJson(const std::array<Point, 4>& quad);

// [{"text", "score", "quad"}, ...]
Json WordsJson(const std::vector<Word>& words);

// All but the total.
Json StagesJson(const StageTimes& ms);

// The name of which FileNameText makes this text.
std::string FileNameFromText(std::string_view text);

// The profile that a read with these options follows.
inline Profile ProfileOf(const ReadOptions& read) {
  return read.official && read.profile == Profile::kAuto ? Profile::kPipeline : read.profile;
}

// On one line. Bytes that are no UTF-8 become U+FFFD.
std::string Dump(const Json& json);

}  // namespace inkread

#endif  // INKREAD_FORMATS_READING_JSON_H_
