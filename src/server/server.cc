#include "inkread/server.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/status.h"
#include "server/door.h"
#include "server/http_server.h"
#include "server/json_text.h"
#include "server/kserve_door.h"
#include "server/metrics.h"
#include "server/read_queue.h"

namespace inkread {

extern const std::string_view kOpenApi, kPageHtml, kPageCss, kPageJs;

namespace {

// What a path answers at once, on the server's thread; or the door that it is.
using Answer = std::function<HttpResponse(const HttpRequest&)>;
struct Route {
  std::string method;
  std::string path;
  bool is_open = false;   // needs no token
  bool is_probe = false;  // is answered above the limit of clients too
  Answer answer;
  Door door = nullptr;
};

HttpResponse Plain(std::string body, std::string content_type = "application/json") {
  HttpResponse response;
  response.content_type = std::move(content_type);
  response.body = std::move(body);
  return response;
}

// A file of the page at /. It loads nothing from elsewhere, runs no script but its own, and cannot be put in a frame.
HttpResponse PageFile(std::string_view text, const char* content_type) {
  HttpResponse response = Plain(std::string(text), content_type);
  response.headers = {{"Content-Security-Policy",
                       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
                       "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"}};
  return response;
}

bool IsIpAddress(std::string_view host) {
  const bool is_v4 = !host.empty() && host.find_first_not_of("0123456789.") == host.npos;
  return is_v4 || (host.size() > 2 && host.front() == '[' && host.back() == ']');
}

// "name:80" and "[::1]:80" without the port.
std::string_view WithoutPort(std::string_view host) {
  const size_t colon = host.rfind(':');
  if (colon == host.npos || host.find(']', colon) != host.npos) return host;
  return host.substr(0, colon);
}

Status CheckOptions(const ServerOptions& options) {
  const auto check = [](const char* name, auto value, auto min, auto max) {
    if (value >= min && value <= max) return Status();
    return InvalidArgument("ServerOptions::", name, " is ", value, ", expected ", min, " to ", max);
  };
  INKREAD_RETURN_IF_ERROR(check("port", options.port, 0, 65535));
  INKREAD_RETURN_IF_ERROR(check("num_workers", options.num_workers, 0, 1024));
  INKREAD_RETURN_IF_ERROR(check("max_body_bytes", options.max_body_bytes, int64_t{1}, int64_t{1} << 40));
  INKREAD_RETURN_IF_ERROR(check("max_held_bytes", options.max_held_bytes, options.max_body_bytes, int64_t{1} << 50));
  INKREAD_RETURN_IF_ERROR(check("max_pixels", options.max_pixels, int64_t{1}, int64_t{INT32_MAX}));
  INKREAD_RETURN_IF_ERROR(check("max_pages", options.max_pages, 1, 1'000'000));
  INKREAD_RETURN_IF_ERROR(check("max_waiting", options.max_waiting, 1, 1'000'000));
  INKREAD_RETURN_IF_ERROR(check("max_clients", options.max_clients, 1, 1'000'000));
  INKREAD_RETURN_IF_ERROR(check("time_limit_s", options.time_limit_s, 1e-3, 1e6));
  return check("request_time_s", options.request_time_s, 1e-3, 1e6);
}

}  // namespace

struct Server::Impl {
  const Engine& engine;
  const ServerOptions options;
  RunInfo run;
  std::vector<Route> routes;
  RequestCounts counts;
  std::atomic<bool> is_stopping = false;
  std::unique_ptr<ReadQueue> queue;
  std::unique_ptr<HttpServer> http;
  std::atomic<const HttpServer*> listening = nullptr;  // `http`, for requests that come while it is being set

  Impl(const Engine& read_by, const ServerOptions& chosen) : engine(read_by), options(chosen) {}

  Status Start();
  void AddRoutes();
  HttpResponse Ready() const;
  HttpResponse Models() const;
  const Route* FindRoute(const HttpRequest& request) const;
  std::optional<HttpResponse> Admit(const HttpRequest& request) const;
  std::optional<HttpResponse> CheckSource(const HttpRequest& request) const;
  bool IsKnownHost(std::string_view host) const;
  void Handle(RequestPtr request, Reply reply);
};

Status Server::Impl::Start() {
  const EngineInfo info = engine.Info();
  run.version = VersionString();
  run.size = info.size;
  run.precision = info.precision;
  AddRoutes();
  QueueLimits queue_limits;
  queue_limits.num_workers = options.num_workers > 0 ? options.num_workers : info.num_threads;
  queue_limits.max_waiting = options.max_waiting;
  queue_limits.max_pages = options.max_pages;
  queue_limits.max_pixels = options.max_pixels;
  queue_limits.time_limit_s = options.time_limit_s;
  queue = std::make_unique<ReadQueue>(
      [this](const ImageView& image, const ReadOptions& read) { return engine.Read(image, read); }, queue_limits);
  HttpLimits limits;
  limits.max_body_bytes = options.max_body_bytes;
  limits.max_held_bytes = options.max_held_bytes;
  limits.max_clients = options.max_clients;
  limits.request_seconds = options.request_time_s;
  HttpServer::Callbacks callbacks;
  callbacks.admit = [this](const HttpRequest& request) { return Admit(request); };
  callbacks.handle = [this](RequestPtr request, Reply reply) { Handle(std::move(request), std::move(reply)); };
  callbacks.note_refusal = [this](const HttpResponse& response) { counts.Add("refused", response.status); };
  INKREAD_ASSIGN_OR_RETURN(http, HttpServer::Listen(options.address, options.port, limits, std::move(callbacks)));
  listening = http.get();
  return Status();
}

void Server::Impl::AddRoutes() {
  const auto probe = [&](const char* path, Answer answer) {
    routes.push_back({"GET", path, /*is_open=*/true, /*is_probe=*/true, std::move(answer)});
  };
  probe("/healthz", [](const HttpRequest&) { return Plain("ok\n", "text/plain"); });
  probe("/readyz", [this](const HttpRequest&) { return Ready(); });
  routes.push_back({"GET", "/metrics", false, true, [this](const HttpRequest&) {
                      const HttpServer* const server = listening;
                      const int num_clients = server == nullptr ? 0 : server->num_clients();
                      return Plain(MetricsText(counts, queue->Counts(), engine.Info(), num_clients),
                                   "text/plain; version=0.0.4");
                    }});
  const auto open = [&](const char* path, Answer answer) {
    routes.push_back({"GET", path, /*is_open=*/true, false, std::move(answer)});
  };
  open("/openapi.json", [](const HttpRequest&) { return Plain(std::string(kOpenApi)); });
  open("/", [](const HttpRequest&) { return PageFile(kPageHtml, "text/html; charset=utf-8"); });
  open("/page.css", [](const HttpRequest&) { return PageFile(kPageCss, "text/css; charset=utf-8"); });
  open("/page.js", [](const HttpRequest&) { return PageFile(kPageJs, "text/javascript; charset=utf-8"); });
  const auto get = [&](const char* path, Answer answer) {
    routes.push_back({"GET", path, false, false, std::move(answer)});
  };
  get("/v1/models", [this](const HttpRequest&) { return Models(); });
  get("/api/ocr/get_options", [](const HttpRequest&) { return Plain(UmiOcrOptionsText()); });
  probe("/v2/health/live", [](const HttpRequest&) { return Plain("", ""); });
  probe("/v2/health/ready", [this](const HttpRequest&) { return Ready(); });
  get("/v2", [this](const HttpRequest&) { return Plain(KserveServerText(run.version)); });
  const auto post = [&](const char* path, Door door) { routes.push_back({"POST", path, false, false, nullptr, door}); };
  post("/v1/ocr", OcrJob);
  post("/v1/image", ImageJob);
  post("/ocr", LiteparseJob);
  post("/api/ocr", UmiOcrJob);
  for (const char* model : {"/v2/models/ocr", "/v2/models/ocr/versions/1"}) {
    const std::string path = model;
    get(path.c_str(), [](const HttpRequest&) { return Plain(KserveModelText()); });
    get((path + "/ready").c_str(), [this](const HttpRequest&) { return Ready(); });
    post((path + "/infer").c_str(), KserveJob);
  }
}

HttpResponse Server::Impl::Ready() const {
  if (is_stopping) return RefusalResponse({503, "STOPPING", "the server is being stopped", "", 1});
  if (queue->IsFull()) return RefusalResponse({503, "LIMIT_EXCEEDED", "the queue is full", "queue", 1});
  return Plain("ok\n", "text/plain");
}

HttpResponse Server::Impl::Models() const {
  const EngineInfo info = engine.Info();
  OrderedJson devices = OrderedJson::array();
  for (const DeviceUse& device : info.devices) {
    devices.push_back({{"backend", BackendName(device.backend)},
                       {"name", device.name},
                       {"reads", device.num_reads},
                       {"fault", device.fault}});
  }
  const OrderedJson model = {{"size", ModelSizeName(info.size)},
                             {"precision", PrecisionName(info.precision)},
                             {"classifier", info.has_classifier},
                             {"threads", info.num_threads},
                             {"devices", std::move(devices)}};
  return Plain(JsonText({{"version", run.version}, {"models", OrderedJson::array({model})}}) + "\n");
}

const Route* Server::Impl::FindRoute(const HttpRequest& request) const {
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  const auto found = std::find_if(routes.begin(), routes.end(), [&](const Route& route) {
    return route.path == request.path && route.method == method;
  });
  return found == routes.end() ? nullptr : &*found;
}

bool Server::Impl::IsKnownHost(std::string_view host) const {
  const std::string name = LowerCase(WithoutPort(host));
  const auto is_name = [&](const std::string& known) { return known == "*" || LowerCase(known) == name; };
  return name == "localhost" || IsIpAddress(name) ||
         std::any_of(options.host_names.begin(), options.host_names.end(), is_name);
}

// Refuses what a page of another origin makes a browser send. Without this any page could have a server on its reader's
// own machine read images, and a page whose name is made to point to that machine could see the answers.
std::optional<HttpResponse> Server::Impl::CheckSource(const HttpRequest& request) const {
  const std::string_view host = request.Header("host"), origin = request.Header("origin");
  if (!host.empty() && !IsKnownHost(host))  // every browser names one
    return RefusalResponse(
        {403, "PERMISSION_DENIED", "the Host header names another server; --host-name allows a name", "", 0});
  const size_t slashes = origin.find("://");
  const bool is_other = !origin.empty() && (slashes == origin.npos || origin.substr(slashes + 3) != host);
  if (is_other)
    return RefusalResponse({403, "PERMISSION_DENIED", "the request comes from a page of another origin", "", 0});
  return std::nullopt;
}

std::optional<HttpResponse> Server::Impl::Admit(const HttpRequest& request) const {
  if (std::optional<HttpResponse> refusal = CheckSource(request)) return refusal;
  const Route* const route = FindRoute(request);
  if (request.over_client_limit && (route == nullptr || !route->is_probe))
    return RefusalResponse(
        {503, "LIMIT_EXCEEDED", StrCat("more than ", options.max_clients, " clients are connected"), "clients", 1});
  if (route == nullptr) {
    std::string allowed;
    for (const Route& other : routes) {
      if (other.path == request.path) allowed += (allowed.empty() ? "" : ", ") + other.method;
    }
    if (allowed.empty()) return RefusalResponse({404, "NOT_FOUND", "there is nothing at this path", "", 0});
    HttpResponse response = RefusalResponse({405, "INVALID_ARGUMENT", "the path has no such method", "", 0});
    response.headers.emplace_back("Allow", allowed);
    return response;
  }
  if (!route->is_open && !options.token.empty() &&
      !EqualInConstantTime(request.Header("authorization"), "Bearer " + options.token)) {
    HttpResponse response = RefusalResponse({401, "PERMISSION_DENIED", "the bearer token is missing or wrong", "", 0});
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
  }
  const std::string_view encoding = request.Header("content-encoding");
  if (!encoding.empty() && encoding != "identity")
    return RefusalResponse({415, "UNSUPPORTED", "bodies with a Content-Encoding are not read", "", 0});
  if (route->door != nullptr && queue->IsFull())
    return RefusalResponse(RefusalOf({Status(StatusCode::kUnsupported, "the queue is full"), "queue"}));
  return std::nullopt;
}

void Server::Impl::Handle(RequestPtr request, Reply reply) {
  const Route* const route = FindRoute(*request);
  Reply counted = [this, route, reply = std::move(reply)](HttpResponse response) {
    counts.Add(route->path, response.status);
    reply(std::move(response));
  };
  if (route->door == nullptr) return counted(route->answer(*request));
  ReadQueue::Job job = route->door(request, run, std::move(counted));
  job.cancel = &request->hung_up;
  // The flag lives as long as the request.
  job.done = [request, done = std::move(job.done)](ReadResult result) { done(std::move(result)); };
  queue->Submit(std::move(job));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { Stop(); }

Result<std::unique_ptr<Server>> Server::Start(const Engine& engine, const ServerOptions& options) {
  return WithoutExceptions([&]() -> Result<std::unique_ptr<Server>> {
    INKREAD_RETURN_IF_ERROR(CheckOptions(options));
    auto impl = std::make_unique<Impl>(engine, options);
    INKREAD_RETURN_IF_ERROR(impl->Start());
    return std::unique_ptr<Server>(new Server(std::move(impl)));
  });
}

int Server::port() const { return impl_->http->port(); }

void Server::Stop() {
  if (impl_->is_stopping.exchange(true)) return;
  impl_->http->Stop();
  impl_->queue->Stop();
}

}  // namespace inkread
