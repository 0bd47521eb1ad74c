#include "apps/machine.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace inkread {
namespace {

std::string TextOf(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A value such as "1234 kB".
std::optional<int64_t> BytesField(const char* path, std::string_view name) {
  const std::optional<std::string> value = FieldOf(TextOf(path), name);
  if (!value.has_value()) return std::nullopt;
  return std::strtoll(value->c_str(), nullptr, 10) * 1024;
}

}  // namespace

std::optional<std::string> FieldOf(std::string_view text, std::string_view name) {
  constexpr std::string_view kBlanks = " \t";
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, colon);
    if (key.substr(0, key.find_last_not_of(kBlanks) + 1) != name) continue;
    const std::string_view value = line.substr(colon + 1);
    const size_t first = value.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string() : std::string(value.substr(first));
  }
  return std::nullopt;
}

Machine ThisMachine() {
  Machine machine;
  machine.cpu = FieldOf(TextOf("/proc/cpuinfo"), "model name").value_or(machine.cpu);
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0) machine.num_cores = CPU_COUNT(&cpus);
  machine.memory_bytes = BytesField("/proc/meminfo", "MemTotal").value_or(0);
#ifdef __clang__
  machine.compiler = __VERSION__;
#else
  machine.compiler = "GCC " __VERSION__;
#endif
  return machine;
}

std::optional<int64_t> ResidentBytes() { return BytesField("/proc/self/status", "VmRSS"); }
std::optional<int64_t> PeakResidentBytes() { return BytesField("/proc/self/status", "VmHWM"); }

ProcessUse UseOfProcess() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(use.ru_utime) + seconds(use.ru_stime), use.ru_nvcsw, use.ru_minflt + use.ru_majflt};
}

}  // namespace inkread
