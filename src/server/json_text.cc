#include "server/json_text.h"

#include <algorithm>

#include "base/status.h"

namespace inkread {

Result<OrderedJson> ParseJsonObject(std::string_view text, size_t max_values) {
  const auto num_values =
      std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{' || c == ':'; });
  if (static_cast<size_t>(num_values) > max_values) return InvalidArgument("JSON: more than ", max_values, " values");
  OrderedJson json = OrderedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return InvalidArgument("JSON: the text cannot be parsed");
  if (!json.is_object()) return InvalidArgument("JSON: expected an object");
  return json;
}

std::string JsonText(const OrderedJson& json, bool ascii) {
  return json.dump(-1, ' ', ascii, OrderedJson::error_handler_t::replace);
}

}  // namespace inkread
