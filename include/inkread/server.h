// An engine behind a port: HTTP with JSON, and the interfaces of other OCR servers, over one queue.
//
//   auto server = inkread::Server::Start(*engine);
//   if (!server) return Report(server.status());
//   std::printf("http://127.0.0.1:%d\n", (*server)->port());
//   WaitForSignal();
//   (*server)->Stop();  // finishes what was taken
//
// Link inkread::server. docs/server.md describes the requests, docs/security.md what is exposed and what is not.
#ifndef INKREAD_SERVER_H_
#define INKREAD_SERVER_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inkread/ocr.h"
#include "inkread/status.h"

namespace inkread {

struct ServerOptions {
  std::string address = "127.0.0.1";  // an IP address of this machine; "0.0.0.0" and "::" are all of them
  int port = 8000;                    // 0: a free one
  // Requests need "Authorization: Bearer TOKEN", except for the page, its files and the probes. Empty: they need none.
  std::string token;
  // Names in the Host header under which the server is known besides IP addresses and localhost. A request with another
  // name is refused: it comes from a page of that name in somebody's browser. "*": any name will do.
  std::vector<std::string> host_names;

  int num_workers = 0;  // images read at once; 0: as many as the engine has threads
  // Limits, each with the status of the answer when it is reached.
  int64_t max_body_bytes = 64 << 20;          // 413
  int64_t max_held_bytes = int64_t{1} << 30;  // 503: bodies of all requests together
  int64_t max_pixels = 100'000'000;           // 422: of an image or a page
  int max_pages = 500;                        // 422: of a document
  int max_waiting = 256;                      // 503: requests in the queue
  int max_clients = 512;                      // 503: connections
  double time_limit_s = 60;                   // 503: a page, in the queue and being read
  double request_time_s = 30;                 // 408: a request, from its first byte to its last
};

class Server {
 public:
  // Listens, and answers on threads of its own.
  //
  // engine  must outlive the server
  // Errors  kInvalidArgument (no IP address; a port or a limit out of range), kUnsupported (the port
  //         is in use), kPermissionDenied, kNotFound (the machine has no such address),
  //         kOutOfMemory
  INKREAD_API static Result<std::unique_ptr<Server>> Start(const Engine& engine, const ServerOptions& options = {});
  INKREAD_API ~Server();  // as Stop
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  INKREAD_API int port() const;

  // Takes no more requests and returns when those that have begun are answered.
  INKREAD_API void Stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace inkread

#endif  // INKREAD_SERVER_H_
