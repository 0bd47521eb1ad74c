// JSON from strangers, and JSON as the doors write it.
#ifndef INKREAD_SERVER_JSON_TEXT_H_
#define INKREAD_SERVER_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "inkread/status.h"

namespace inkread {

using OrderedJson = nlohmann::ordered_json;

// A value that is parsed takes some fifty bytes, its text perhaps two.
inline constexpr size_t kMaxJsonValues = 10'000;

// Errors  kInvalidArgument (no JSON object; may have more than max_values values, counted by commas and brackets)
Result<OrderedJson> ParseJsonObject(std::string_view text, size_t max_values = kMaxJsonValues);

// On one line. Bytes that are no UTF-8 become U+FFFD.
std::string JsonText(const OrderedJson& json, bool ascii = false);

}  // namespace inkread

#endif  // INKREAD_SERVER_JSON_TEXT_H_
