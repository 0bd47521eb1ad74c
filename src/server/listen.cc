#include "server/listen.h"

#include "base/status.h"

namespace inkread {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

Status ListenAt(const std::string& address, int port, tcp::acceptor* acceptor) {
  boost::system::error_code error;
  const asio::ip::address ip = asio::ip::make_address(address, error);
  if (error) return InvalidArgument("'", address, "' is not an IP address such as 127.0.0.1 or ::1");
  const tcp::endpoint endpoint(ip, static_cast<uint16_t>(port));
  acceptor->open(endpoint.protocol(), error);
  if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor->bind(endpoint, error);
  if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
  if (!error) return Status();
  const std::string message = StrCat("cannot listen at ", address, " port ", port, ": ", error.message());
  if (error == asio::error::address_in_use)
    return Unsupported(message, "; another --port, or 0 for a free one, will do");
  if (error == asio::error::access_denied) return Status(StatusCode::kPermissionDenied, message);
  return NotFound(message);
}

}  // namespace inkread
