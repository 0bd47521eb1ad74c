// The messages of the Model Context Protocol, without the streams.
#ifndef INKREAD_SERVER_MCP_H_
#define INKREAD_SERVER_MCP_H_

#include <cstdint>
#include <optional>
#include <string>

#include "inkread/formats.h"
#include "server/json_text.h"
#include "server/read_queue.h"

namespace inkread {

class McpServer {
 public:
  // run        what documents say about the engine
  // max_bytes  of a file
  McpServer(ReadFunction read, RunInfo run, int64_t max_bytes);

  // The answer to a message, a line of JSON; nothing for one that has none.
  std::optional<OrderedJson> Answer(const std::string& line);

 private:
  Result<ReadInput> InputOf(const OrderedJson& arguments) const;
  OrderedJson Call(const OrderedJson& arguments);

  const RunInfo run_;
  const int64_t max_bytes_;
  ReadQueue queue_;
};

}  // namespace inkread

#endif  // INKREAD_SERVER_MCP_H_
