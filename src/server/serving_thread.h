// The thread of a server: it accepts connections and runs all that waits for them.
#ifndef INKREAD_SERVER_SERVING_THREAD_H_
#define INKREAD_SERVER_SERVING_THREAD_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <string>
#include <thread>

#include "inkread/status.h"

namespace inkread {

class ServingThread {
 public:
  using Take = std::function<void(boost::asio::ip::tcp::socket)>;

  // Listens and begins to accept. `take` is called on the thread with each connection.
  //
  // Errors  of HttpServer::Listen
  Status Start(const std::string& address, int port, Take take);

  int port() const { return port_; }

  // Accepts no more, calls `on_thread` on the thread, and returns when nothing waits any more. Does nothing where the
  // thread has not started or is stopped.
  void Stop(const std::function<void()>& on_thread);

 private:
  void Accept();
  void AcceptLater();
  void Run();

  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  Take take_;
  std::thread thread_;
  int port_ = 0;
};

}  // namespace inkread

#endif  // INKREAD_SERVER_SERVING_THREAD_H_
