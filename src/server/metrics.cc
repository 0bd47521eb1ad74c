#include "server/metrics.h"

#include <unistd.h>

#include <fstream>
#include <locale>
#include <sstream>

namespace inkread {
namespace {

// Label values: backslash, quote and line end are escaped.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\\' || c == '"') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

void Head(std::ostream& out, const char* name, const char* type, const char* help) {
  out << "# HELP " << name << ' ' << help << "\n# TYPE " << name << ' ' << type << '\n';
}

void Histogram(std::ostream& out, const char* name, const char* stage, const QueueCounts::Stage& counts) {
  uint64_t sum = 0;
  const auto row = [&](const std::string& bound) {
    out << name << "_bucket{stage=\"" << stage << "\",le=\"" << bound << "\"} " << sum << '\n';
  };
  for (size_t i = 0; i < counts.counts.size(); ++i) {
    sum += counts.counts[i];
    std::ostringstream bound;
    bound.imbue(std::locale::classic());
    if (i < QueueCounts::Stage::kBounds.size()) bound << QueueCounts::Stage::kBounds[i];
    row(i < QueueCounts::Stage::kBounds.size() ? bound.str() : "+Inf");
  }
  out << name << "_sum{stage=\"" << stage << "\"} " << counts.sum_s << '\n';
  out << name << "_count{stage=\"" << stage << "\"} " << sum << '\n';
}

// 0 where the system does not tell.
int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t all = 0, resident = 0;
  statm >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

void RequestCounts::Add(const std::string& route, int status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++counts_[{route, status}];
}

std::map<std::pair<std::string, int>, uint64_t> RequestCounts::Values() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_;
}

std::string MetricsText(const RequestCounts& requests, const QueueCounts& queue, const EngineInfo& engine,
                        int num_clients) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  Head(out, "inkread_requests_total", "counter", "Requests answered, by route and status.");
  for (const auto& [key, count] : requests.Values())
    out << "inkread_requests_total{route=" << Quoted(key.first) << ",status=\"" << key.second << "\"} " << count
        << '\n';
  Head(out, "inkread_pages_total", "counter", "Pages read, and pages that could not be.");
  out << "inkread_pages_total{outcome=\"read\"} " << queue.num_pages << '\n';
  out << "inkread_pages_total{outcome=\"failed\"} " << queue.num_failed_pages << '\n';
  Head(out, "inkread_queue_length", "gauge", "Requests that wait for a worker.");
  out << "inkread_queue_length " << queue.num_waiting << '\n';
  Head(out, "inkread_reads_in_progress", "gauge", "Pages that are being read.");
  out << "inkread_reads_in_progress " << queue.num_reading << '\n';
  Head(out, "inkread_clients", "gauge", "Connections.");
  out << "inkread_clients " << num_clients << '\n';
  constexpr char kSeconds[] = "inkread_stage_seconds";
  Head(out, kSeconds, "histogram",
       "Seconds of each stage: wait, load, detect, recognise, read (of the engine) and answer (all of a request).");
  const std::pair<const char*, const QueueCounts::Stage*> stages[] = {
      {"wait", &queue.wait},           {"load", &queue.load}, {"detect", &queue.detect},
      {"recognise", &queue.recognise}, {"read", &queue.read}, {"answer", &queue.answer}};
  for (const auto& [stage, counts] : stages) Histogram(out, kSeconds, stage, *counts);
  Head(out, "inkread_device_reads_total", "counter", "Pages read by each device.");
  for (size_t i = 0; i < engine.devices.size(); ++i) {
    const DeviceUse& device = engine.devices[i];
    out << "inkread_device_reads_total{device=\"" << i << "\",backend=" << Quoted(BackendName(device.backend))
        << ",name=" << Quoted(device.name) << "} " << device.num_reads << '\n';
  }
  Head(out, "process_resident_memory_bytes", "gauge", "Resident memory.");
  out << "process_resident_memory_bytes " << ResidentBytes() << '\n';
  return out.str();
}

}  // namespace inkread
