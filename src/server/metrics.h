// What the server has done, as the text that Prometheus reads.
#ifndef INKREAD_SERVER_METRICS_H_
#define INKREAD_SERVER_METRICS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "inkread/ocr.h"
#include "server/read_queue.h"

namespace inkread {

// Threads  safe from several
class RequestCounts {
 public:
  // route  the path of the route, not of the request: strangers must not make up names
  void Add(const std::string& route, int status);
  std::map<std::pair<std::string, int>, uint64_t> Values() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, uint64_t> counts_;
};

// Text format 0.0.4.
std::string MetricsText(const RequestCounts& requests, const QueueCounts& queue, const EngineInfo& engine,
                        int num_clients);

}  // namespace inkread

#endif  // INKREAD_SERVER_METRICS_H_
