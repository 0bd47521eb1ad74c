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
#include <iosfwd>
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

// PaddleOCR-json's interface: a line of JSON with image_path or image_base64 in, a line with code and data out.
struct PaddleOcrJsonOptions {
  bool ascii = true;              // other characters as \uXXXX
  int64_t max_bytes = 128 << 20;  // of a line over a port, and of a file
};

// Answers line by line until the end of `in` or the line `exit`.
INKREAD_API void ServePaddleOcrJson(const Engine& engine, const PaddleOcrJsonOptions& options, std::istream* in,
                                    std::ostream* out);
// The answer for one file, without the line's end.
INKREAD_API std::string PaddleOcrJsonFile(const Engine& engine, const std::string& path,
                                          const PaddleOcrJsonOptions& options);

// The same over a port: one line for each connection. Files cannot be named and `exit` ends nothing.
class PaddleOcrJsonServer {
 public:
  // Errors  of Server::Start
  INKREAD_API static Result<std::unique_ptr<PaddleOcrJsonServer>> Start(const Engine& engine,
                                                                        const std::string& address, int port,
                                                                        const PaddleOcrJsonOptions& options);
  INKREAD_API ~PaddleOcrJsonServer();  // as Stop
  PaddleOcrJsonServer(const PaddleOcrJsonServer&) = delete;
  PaddleOcrJsonServer& operator=(const PaddleOcrJsonServer&) = delete;

  INKREAD_API int port() const;
  // Returns when every line that was taken is answered.
  INKREAD_API void Stop();

 private:
  struct Impl;
  explicit PaddleOcrJsonServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The Model Context Protocol over two streams, with the tool ocr_image. Ends with `in`.
//
// max_bytes  of a file
INKREAD_API void ServeMcp(const Engine& engine, int64_t max_bytes, std::istream* in, std::ostream* out);

}  // namespace inkread

#endif  // INKREAD_SERVER_H_
