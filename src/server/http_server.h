// An HTTP/1.1 server that knows nothing of images: connections, limits and time. One thread serves all connections, so a
// client that is slow, or waits for its answer, costs memory only.
#ifndef INKREAD_SERVER_HTTP_SERVER_H_
#define INKREAD_SERVER_HTTP_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "inkread/status.h"
#include "server/http_message.h"

namespace inkread {

struct HttpLimits {
  int64_t max_body_bytes = 64 << 20;
  int64_t max_held_bytes = int64_t{1} << 30;  // bodies of all requests together, until they are answered
  uint32_t max_header_bytes = 16 << 10;
  int max_clients = 512;        // connections
  double request_seconds = 30;  // for a request to arrive, first byte to last, and for an answer to be taken
  double idle_seconds = 75;     // for the next request of a connection to begin
};

class HttpServer {
 public:
  // Called once for each request, on any thread.
  using Reply = std::function<void(HttpResponse)>;
  // Called when the headers of a request are there, before its body: an answer ends the request, and the connection if
  // a body was to come. Both are called on the server's thread and must return soon.
  using Admit = std::function<std::optional<HttpResponse>(const HttpRequest&)>;
  using Handle = std::function<void(std::shared_ptr<HttpRequest>, Reply)>;
  // Told of each request that the server answered by itself.
  using Note = std::function<void(const HttpResponse&)>;

  struct Callbacks {
    Admit admit;
    Handle handle;
    Note note_refusal;
  };

  // Listens at once; connections are served by a thread of its own.
  //
  // address  an IP address: "127.0.0.1", "::1", "0.0.0.0"
  // port     0: a free one
  // Errors   kInvalidArgument (no IP address), kPermissionDenied, kNotFound (an address that this machine has not),
  //          kUnsupported (the port is in use)
  static Result<std::unique_ptr<HttpServer>> Listen(const std::string& address, int port, const HttpLimits& limits,
                                                    Callbacks callbacks);
  // As Stop.
  ~HttpServer();

  int port() const;
  int num_clients() const;

  // Accepts no more connections, closes those without a request, and returns once every request that has begun is
  // answered. Safe to be called twice.
  void Stop();

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace inkread

#endif  // INKREAD_SERVER_HTTP_SERVER_H_
