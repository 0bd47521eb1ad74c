#include "server/line_server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

#include "base/status.h"
#include "server/serving_thread.h"

namespace inkread {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

constexpr size_t kBlockBytes = 64 << 10;

struct Shared {
  HttpLimits limits;
  LineServer::Handle handle;
  int num_clients = 0;  // of the server's thread only
};

// A connection. It lives as long as one of its operations waits.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Shared* shared)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), shared_(shared) {
    ++shared_->num_clients;
  }
  ~Session() { --shared_->num_clients; }

  void Begin() {
    timer_.expires_after(std::chrono::nanoseconds(static_cast<int64_t>(shared_->limits.request_seconds * 1e9)));
    timer_.async_wait([weak = weak_from_this()](Error error) {
      if (const std::shared_ptr<Session> self = weak.lock(); !error && self != nullptr) self->Close();
    });
    Read();
  }

 private:
  using Guard = asio::executor_work_guard<tcp::socket::executor_type>;

  void Read() {
    const size_t at = line_.size();
    line_.resize(at + kBlockBytes);
    socket_.async_read_some(
        asio::buffer(line_.data() + at, kBlockBytes), [self = shared_from_this(), at](Error error, size_t num_bytes) {
          self->line_.resize(at + num_bytes);
          const size_t end = self->line_.find_first_of(std::string_view("\n\0", 2), at);
          if (end != self->line_.npos) return self->Take(end);
          const bool is_long = static_cast<int64_t>(self->line_.size()) > self->shared_->limits.max_body_bytes;
          error || is_long ? self->Close() : self->Read();
        });
  }

  void Take(size_t end) {
    timer_.cancel();
    line_.resize(end);
    // As in HttpServer: the session ends on the server's thread, which lasts as long as it waits.
    auto waiting = std::make_shared<std::pair<std::shared_ptr<Session>, Guard>>(
        shared_from_this(), asio::make_work_guard(socket_.get_executor()));
    shared_->handle(std::move(line_), [waiting](std::string answer) {
      const auto executor = waiting->second.get_executor();
      asio::post(executor, [waiting = std::move(*waiting), answer = std::move(answer)]() mutable {
        waiting.first->Write(std::move(answer));
      });
    });
  }

  void Write(std::string answer) {
    line_ = std::move(answer);
    timer_.expires_after(std::chrono::nanoseconds(static_cast<int64_t>(shared_->limits.request_seconds * 1e9)));
    timer_.async_wait([weak = weak_from_this()](Error error) {
      if (const std::shared_ptr<Session> self = weak.lock(); !error && self != nullptr) self->Close();
    });
    asio::async_write(socket_, asio::buffer(line_), [self = shared_from_this()](Error, size_t) { self->Close(); });
  }

  void Close() {
    Error ignored;
    timer_.cancel();
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  Shared* const shared_;
  std::string line_;
};

}  // namespace

struct LineServer::Impl {
  Shared shared;
  ServingThread thread;  // ends first, and the sessions with it
};

LineServer::LineServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LineServer::~LineServer() { Stop(); }

Result<std::unique_ptr<LineServer>> LineServer::Listen(const std::string& address, int port, const HttpLimits& limits,
                                                       Handle handle) {
  auto impl = std::make_unique<Impl>();
  impl->shared.limits = limits;
  impl->shared.handle = std::move(handle);
  INKREAD_RETURN_IF_ERROR(impl->thread.Start(address, port, [shared = &impl->shared](tcp::socket socket) {
    if (shared->num_clients < shared->limits.max_clients) std::make_shared<Session>(std::move(socket), shared)->Begin();
  }));
  return std::unique_ptr<LineServer>(new LineServer(std::move(impl)));
}

int LineServer::port() const { return impl_->thread.port(); }

void LineServer::Stop() {
  impl_->thread.Stop([] {});
}

}  // namespace inkread
