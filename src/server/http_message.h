// HTTP requests and answers as plain data, and the parts of them that several doors of the server read.
#ifndef INKREAD_SERVER_HTTP_MESSAGE_H_
#define INKREAD_SERVER_HTTP_MESSAGE_H_

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inkread/status.h"

namespace inkread {

// Names and values in the order in which they came. A name may be there several times.
using Fields = std::vector<std::pair<std::string, std::string>>;

// The first value of a name; null where there is none.
const std::string* FindField(const Fields& fields, std::string_view name);

struct HttpRequest {
  std::string method;  // "POST"
  std::string path;    // without the query, as sent: routes need no escapes
  Fields query;        // decoded
  Fields headers;      // names in lower case
  std::string body;
  bool over_client_limit = false;  // more clients are connected than the limit allows
  // Set once the client has closed the connection, which makes the work for it pointless.
  std::atomic<bool> hung_up = false;

  // The header's value; empty where there is none.
  std::string_view Header(std::string_view lower_case_name) const;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  Fields headers;  // besides Content-Type and Content-Length
};

// Why a request was not answered as asked.
struct Refusal {
  int http_status = 500;
  std::string code;     // "LIMIT_EXCEEDED", or a StatusCodeName
  std::string message;  // for people
  std::string limit;    // the limit that was reached: "body", "pixels", "queue", "time", "clients"; empty: none
  int retry_after_s = 0;
};

// {"error": {"code", "message"}}, with "limit" where there is one, and Retry-After.
HttpResponse RefusalResponse(const Refusal& refusal);

// "a=1&b=two+words": percent escapes and + are decoded.
Fields ParseForm(std::string_view text);

// "image/png; name=x" without its parameters, in lower case.
std::string MediaType(std::string_view content_type);

// The parameter of a header such as `form-data; name="file"`; nothing where it has none.
std::optional<std::string> HeaderParameter(std::string_view header, std::string_view name);

// One part of multipart/form-data. `content` points into the body.
struct FormPart {
  std::string name;
  std::optional<std::string> file_name;
  std::string content_type;
  std::string_view content;
};

// Errors  kInvalidArgument (no boundary, a part that does not end, more than 1000 parts)
Result<std::vector<FormPart>> ParseMultipart(std::string_view content_type, std::string_view body);

// Base64, also of the alphabet for URLs, with or without padding, with white space and with a prefix
// "data:image/png;base64,".
//
// Errors  kInvalidArgument (another character, characters after the padding, a length that cannot be)
Result<std::string> DecodeBase64(std::string_view text);

// With padding, on one line.
std::string EncodeBase64(std::string_view bytes);

std::string LowerCase(std::string_view text);

// Whether two secrets are equal. The time depends on their lengths only.
bool EqualInConstantTime(std::string_view a, std::string_view b);

}  // namespace inkread

#endif  // INKREAD_SERVER_HTTP_MESSAGE_H_
