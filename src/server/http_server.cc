#include "server/http_server.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <unordered_set>
#include <utility>

#include "base/status.h"
#include "server/serving_thread.h"

namespace inkread {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

// Connections above the limit that are still served, so that they are told why and probes are answered.
constexpr int kSpareClients = 64;
constexpr std::chrono::seconds kSpareTime(2);
// How long a client that was refused may go on sending before the connection is closed. Closed at once, the refusal
// would be lost: the system drops what was not read yet together with what was written.
constexpr std::chrono::seconds kLingerTime(2);
constexpr std::chrono::milliseconds kAskAgain(100);
constexpr size_t kBlockBytes = 64 << 10;

std::chrono::nanoseconds Seconds(double seconds) {
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

HttpResponse LimitResponse(int status, std::string limit, std::string message, int retry_after_s = 0) {
  return RefusalResponse({status, "LIMIT_EXCEEDED", std::move(message), std::move(limit), retry_after_s});
}

class Session;

// What the sessions of a server share. Except for the counters, of its thread only.
struct Shared {
  HttpLimits limits;
  HttpServer::Callbacks callbacks;
  std::unordered_set<Session*> sessions;
  std::atomic<int> num_clients = 0;
  int64_t held_bytes = 0;
  bool is_stopping = false;
};

// A connection. It lives as long as one of its operations waits.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Shared* shared, bool over_limit)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), shared_(shared), over_limit_(over_limit) {
    shared_->sessions.insert(this);
    ++shared_->num_clients;
  }
  ~Session() {
    Release();
    shared_->sessions.erase(this);
    --shared_->num_clients;
  }

  void Begin() {
    if (buffer_.size() > 0) return ReadHeader();
    if (shared_->is_stopping) return Close();
    is_idle_ = true;
    SetDeadline(over_limit_ ? kSpareTime : Seconds(shared_->limits.idle_seconds));
    socket_.async_read_some(buffer_.prepare(kBlockBytes), [self = shared_from_this()](Error error, size_t num_bytes) {
      self->is_idle_ = false;
      if (error) return self->Close();
      self->buffer_.commit(num_bytes);
      self->ReadHeader();
    });
  }

  // Ends a connection that has no request.
  void CloseIfIdle() {
    if (is_idle_) Close();
  }

 private:
  using Parser = http::request_parser<http::string_body>;
  using Guard = asio::executor_work_guard<tcp::socket::executor_type>;

  // The operation that waits then fails, and is_late_ is set. (Beast's own stream closes the connection instead, and
  // there would be no answer.)
  void SetDeadline(std::chrono::nanoseconds time) {
    is_late_ = false;
    timer_.expires_after(time);
    WaitForDeadline();
  }
  void WaitForDeadline() {
    timer_.async_wait([weak = weak_from_this()](Error error) {
      const std::shared_ptr<Session> self = weak.lock();
      if (error || self == nullptr) return;
      if (self->timer_.expiry() > std::chrono::steady_clock::now()) return;  // there is a later one by now
      self->is_late_ = true;
      self->socket_.cancel(self->ignored_);
      // An operation of several reads may just have been between two of them.
      self->timer_.expires_after(kAskAgain);
      self->WaitForDeadline();
    });
  }

  void ReadHeader() {
    parser_.emplace();
    parser_->header_limit(shared_->limits.max_header_bytes);
    parser_->body_limit(static_cast<uint64_t>(shared_->limits.max_body_bytes));
    request_ = std::make_shared<HttpRequest>();
    may_keep_alive_ = false;  // until the header says so
    SetDeadline(over_limit_ ? kSpareTime : Seconds(shared_->limits.request_seconds));
    http::async_read_header(socket_, buffer_, *parser_, [self = shared_from_this()](Error error, size_t) {
      error ? self->FailToRead(error) : self->TakeHeader();
    });
  }

  void TakeHeader() {
    const auto& message = parser_->get();
    may_keep_alive_ = message.keep_alive() && !over_limit_;
    http_version_ = message.version();
    is_head_ = message.method() == http::verb::head;
    request_->method = std::string(message.method_string());
    const std::string target(message.target());
    const size_t question = target.find('?');
    request_->path = target.substr(0, question);
    if (question != target.npos) request_->query = ParseForm(std::string_view(target).substr(question + 1));
    for (const auto& field : message)
      request_->headers.emplace_back(LowerCase(std::string(field.name_string())), std::string(field.value()));
    request_->over_client_limit = over_limit_;
    if (std::optional<HttpResponse> refusal = shared_->callbacks.admit(*request_)) return Refuse(std::move(*refusal));
    if (const auto length = parser_->content_length(); length && !Hold(static_cast<int64_t>(*length)))
      return RefuseForMemory();
    if (LowerCase(request_->Header("expect")) == "100-continue" && !parser_->is_done()) return Continue();
    ReadBody();
  }

  // Counts the bytes of a body that is kept; false if there are too many of all requests.
  bool Hold(int64_t num_bytes) {
    if (num_bytes <= held_bytes_) return true;
    const int64_t more = num_bytes - held_bytes_;
    if (shared_->held_bytes + more > shared_->limits.max_held_bytes) return false;
    shared_->held_bytes += more;
    held_bytes_ = num_bytes;
    return true;
  }
  void Release() { shared_->held_bytes -= std::exchange(held_bytes_, 0); }

  void RefuseForMemory() {
    Refuse(LimitResponse(
        503, "memory",
        StrCat("the requests in progress have more than ", shared_->limits.max_held_bytes, " bytes together"), 1));
  }

  void Continue() {
    auto answer = std::make_shared<http::response<http::empty_body>>(http::status::continue_, http_version_);
    http::async_write(socket_, *answer, [self = shared_from_this(), answer](Error error, size_t) {
      error ? self->Close() : self->ReadBody();
    });
  }

  void ReadBody() {
    if (parser_->is_done()) return TakeRequest();
    http::async_read_some(socket_, buffer_, *parser_, [self = shared_from_this()](Error error, size_t) {
      if (error) return self->FailToRead(error);
      if (!self->Hold(static_cast<int64_t>(self->parser_->get().body().size()))) return self->RefuseForMemory();
      self->ReadBody();
    });
  }

  void FailToRead(Error error) {
    const HttpLimits& limits = shared_->limits;
    if (error == http::error::body_limit)
      return Refuse(LimitResponse(413, "body", StrCat("the body has more than ", limits.max_body_bytes, " bytes")));
    if (error == http::error::header_limit)
      return Refuse(
          LimitResponse(431, "headers", StrCat("the headers have more than ", limits.max_header_bytes, " bytes")));
    if (is_late_)
      return Refuse(
          LimitResponse(408, "time", StrCat("the request took longer than ", limits.request_seconds, " s to arrive")));
    if (error == http::error::buffer_overflow)
      return Refuse(LimitResponse(431, "headers", StrCat("a line has more than ", buffer_.max_size(), " bytes")));
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message)
      return Refuse(RefusalResponse({400, "INVALID_ARGUMENT", "not HTTP/1.1: " + error.message(), "", 0}));
    Close();  // the client has gone
  }

  void TakeRequest() {
    request_->body = std::move(parser_->get().body());
    // What follows a request that was read whole is the next one, and a refusal of it ends nothing.
    timer_.cancel();
    is_waiting_ = true;
    WatchForHangUp();
    // The session moves from the function to the server's thread, so that it ends there. While it waits, the server
    // must not stop.
    auto waiting = std::make_shared<std::pair<std::shared_ptr<Session>, Guard>>(
        shared_from_this(), asio::make_work_guard(socket_.get_executor()));
    shared_->callbacks.handle(request_, [waiting](HttpResponse response) {
      const auto executor = waiting->second.get_executor();
      asio::post(executor, [waiting = std::move(*waiting), response = std::move(response)]() mutable {
        Session* const self = waiting.first.get();
        self->is_waiting_ = false;
        self->socket_.cancel(self->ignored_);  // the watch
        self->Release();
        self->Write(std::move(response), /*linger=*/false);
      });
    });
  }

  // A client that closes its connection needs no answer. One that sends its next request already does.
  void WatchForHangUp() {
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](Error error) {
      if (error || !self->is_waiting_) return;
      char byte = 0;
      Error peeked;
      self->socket_.non_blocking(true, self->ignored_);
      self->socket_.receive(asio::buffer(&byte, 1), tcp::socket::message_peek, peeked);
      if (peeked && peeked != asio::error::would_block) self->request_->hung_up = true;
    });
  }

  // Answers without having read the whole request.
  void Refuse(HttpResponse response) {
    shared_->callbacks.note_refusal(response);
    Release();
    const bool is_whole = parser_->is_done();
    if (!is_whole) may_keep_alive_ = false;
    Write(std::move(response), /*linger=*/!is_whole);
  }

  void Write(HttpResponse response, bool linger) {
    const bool keep_alive = may_keep_alive_ && !shared_->is_stopping;
    auto message =
        std::make_shared<http::response<http::string_body>>(static_cast<http::status>(response.status), http_version_);
    message->set(http::field::server, "inkread");
    if (!response.content_type.empty()) message->set(http::field::content_type, response.content_type);
    message->set("X-Content-Type-Options", "nosniff");
    if (message->find(http::field::cache_control) == message->end())
      message->set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : response.headers) message->set(name, value);
    message->keep_alive(keep_alive);
    message->body() = std::move(response.body);
    message->prepare_payload();
    if (is_head_) message->body().clear();  // Content-Length stays that of GET
    request_.reset();
    SetDeadline(Seconds(shared_->limits.request_seconds));
    http::async_write(socket_, *message, [self = shared_from_this(), message, keep_alive, linger](Error error, size_t) {
      if (error || (!keep_alive && !linger)) return self->Close();
      if (!linger) return self->Begin();
      self->socket_.shutdown(tcp::socket::shutdown_send, self->ignored_);
      self->SetDeadline(kLingerTime);
      self->Drain();
    });
  }

  void Drain() {
    buffer_.clear();
    socket_.async_read_some(buffer_.prepare(kBlockBytes), [self = shared_from_this()](Error error, size_t) {
      error || self->is_late_ ? self->Close() : self->Drain();
    });
  }

  void Close() {
    timer_.cancel();
    socket_.shutdown(tcp::socket::shutdown_both, ignored_);
    socket_.close(ignored_);
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  Shared* const shared_;
  const bool over_limit_;
  beast::flat_buffer buffer_{2 * kBlockBytes};  // bounded: the head of a chunk has no limit of its own
  std::optional<Parser> parser_;
  std::shared_ptr<HttpRequest> request_;
  unsigned http_version_ = 11;
  int64_t held_bytes_ = 0;
  bool is_idle_ = false;     // waits for the first byte of a request
  bool is_waiting_ = false;  // for the answer
  bool may_keep_alive_ = false;
  bool is_head_ = false;
  bool is_late_ = false;  // the deadline has passed
  Error ignored_;
};

}  // namespace

struct HttpServer::Impl {
  Shared shared;
  ServingThread thread;  // ends first, and the sessions with it

  void Take(tcp::socket socket) {
    const int num_clients = shared.num_clients;
    if (num_clients >= shared.limits.max_clients + kSpareClients) return;  // closes it
    Error ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<Session>(std::move(socket), &shared, num_clients >= shared.limits.max_clients)->Begin();
  }
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() { Stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(const std::string& address, int port, const HttpLimits& limits,
                                                       Callbacks callbacks) {
  auto impl = std::make_unique<Impl>();
  impl->shared.limits = limits;
  impl->shared.callbacks = std::move(callbacks);
  INKREAD_RETURN_IF_ERROR(
      impl->thread.Start(address, port, [impl = impl.get()](tcp::socket socket) { impl->Take(std::move(socket)); }));
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

int HttpServer::port() const { return impl_->thread.port(); }
int HttpServer::num_clients() const { return impl_->shared.num_clients; }

void HttpServer::Stop() {
  impl_->thread.Stop([&shared = impl_->shared] {
    shared.is_stopping = true;
    for (Session* session : std::vector<Session*>(shared.sessions.begin(), shared.sessions.end()))
      session->CloseIfIdle();
  });
}

}  // namespace inkread
