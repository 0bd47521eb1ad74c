#include "server/serving_thread.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "base/status.h"

namespace inkread {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

// Without a free descriptor or memory, asking again at once would keep the thread busy.
constexpr std::chrono::milliseconds kAcceptAgain(50);

Status ListenAt(const std::string& address, int port, tcp::acceptor* acceptor) {
  Error error;
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

}  // namespace

Status ServingThread::Start(const std::string& address, int port, Take take) {
  INKREAD_RETURN_IF_ERROR(ListenAt(address, port, &acceptor_));
  Error error;
  port_ = acceptor_.local_endpoint(error).port();
  take_ = std::move(take);
  Accept();
  thread_ = std::thread([this] { Run(); });
  return Status();
}

// Where memory runs out in what a connection waited for, that connection ends: nothing holds it any more.
void ServingThread::Run() {
  for (;;) {
    try {
      context_.run();
      return;
    } catch (const std::bad_alloc&) {
    }
  }
}

void ServingThread::Accept() {
  acceptor_.async_accept([this](Error error, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (error) return AcceptLater();
    try {
      take_(std::move(socket));
    } catch (const std::bad_alloc&) {
      return AcceptLater();
    }
    Accept();
  });
}

void ServingThread::AcceptLater() {
  auto timer = std::make_shared<asio::steady_timer>(context_, kAcceptAgain);
  timer->async_wait([this, timer](Error) {
    if (acceptor_.is_open()) Accept();
  });
}

void ServingThread::Stop(const std::function<void()>& on_thread) {
  if (!thread_.joinable()) return;
  asio::post(context_, [&] {
    Error ignored;
    acceptor_.close(ignored);
    on_thread();
  });
  thread_.join();
}

}  // namespace inkread
