// A TCP server for clients that send one line and get one back, after which the connection ends.
#ifndef INKREAD_SERVER_LINE_SERVER_H_
#define INKREAD_SERVER_LINE_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "inkread/status.h"
#include "server/http_server.h"

namespace inkread {

class LineServer {
 public:
  using Reply = std::function<void(std::string)>;
  // line  without its end, '\n' or '\0'. Called on the server's thread; must return soon. The reply is called once.
  using Handle = std::function<void(std::string line, Reply reply)>;

  // limits  max_body_bytes, max_clients and request_seconds count; a client that exceeds one is disconnected
  // Errors  as HttpServer::Listen
  static Result<std::unique_ptr<LineServer>> Listen(const std::string& address, int port, const HttpLimits& limits,
                                                    Handle handle);
  ~LineServer();  // as Stop

  int port() const;

  // Accepts no more connections and returns once every line that was taken is answered.
  void Stop();

 private:
  struct Impl;
  explicit LineServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace inkread

#endif  // INKREAD_SERVER_LINE_SERVER_H_
