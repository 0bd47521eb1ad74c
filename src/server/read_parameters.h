// The options of a read as text: in a query, in the fields of a form or in the members of a JSON object.
#ifndef INKREAD_SERVER_READ_PARAMETERS_H_
#define INKREAD_SERVER_READ_PARAMETERS_H_

#include <string>
#include <string_view>

#include "inkread/formats.h"
#include "inkread/status.h"
#include "server/http_message.h"
#include "server/json_text.h"
#include "server/read_queue.h"

namespace inkread {

struct ReadParameters {
  ReadInput input;
  OutputFormat format = OutputFormat::kJson;  // of the answer
  bool times = true;                          // in JSON
};

// Sets the parameters that `fields` name. docs/server.md lists the names; those of `inkread read` have its meaning.
//
// Errors  kInvalidArgument (no such name, or a value that it cannot have: both are named)
Status SetParameters(const Fields& fields, ReadParameters* parameters);

// The members of an object, without `left_out`, as fields: an array gives its name several times, except that an array
// of four numbers is "1,2,3,4".
//
// Errors  kInvalidArgument (a member that is an object or null)
Result<Fields> FieldsOf(const OrderedJson& object, std::string_view left_out);

// The format for a header such as "text/plain, application/json;q=0.5": the first that is known. Nothing if none is.
std::optional<OutputFormat> FormatFor(std::string_view accept);

const char* MediaTypeOf(OutputFormat format);

}  // namespace inkread

#endif  // INKREAD_SERVER_READ_PARAMETERS_H_
