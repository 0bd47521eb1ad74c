// Lines as the JSON of PaddleOCR-json and of the servers that follow it.
#ifndef INKREAD_SERVER_LINE_JSON_H_
#define INKREAD_SERVER_LINE_JSON_H_

#include "inkread/ocr.h"
#include "server/json_text.h"

namespace inkread {

// [[x, y], ...]: four corners, clockwise from the top left of the text, px.
inline OrderedJson QuadJson(const std::array<Point, 4>& quad) {
  OrderedJson json = OrderedJson::array();
  for (const Point& point : quad) json.push_back({point.x, point.y});
  return json;
}

// A score in double, without the digits that only the conversion from float adds.
inline double ScoreNumber(float score) { return static_cast<double>(static_cast<int64_t>(score * 1e6 + 0.5)) / 1e6; }

}  // namespace inkread

#endif  // INKREAD_SERVER_LINE_JSON_H_
