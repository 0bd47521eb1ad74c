// Listening at an address, for both servers.
#ifndef INKREAD_SERVER_LISTEN_H_
#define INKREAD_SERVER_LISTEN_H_

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "inkread/status.h"

namespace inkread {

// Opens `acceptor`. Errors are those of HttpServer::Listen.
Status ListenAt(const std::string& address, int port, boost::asio::ip::tcp::acceptor* acceptor);

}  // namespace inkread

#endif  // INKREAD_SERVER_LISTEN_H_
