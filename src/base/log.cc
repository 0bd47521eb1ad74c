#include "base/log.h"

#include <cstdio>
#include <mutex>
#include <utility>

namespace inkread {
namespace {

std::mutex& Mutex() {
  static std::mutex mutex;
  return mutex;
}
LogSink& Sink() {
  static LogSink sink = [](const std::string& line) { std::fprintf(stderr, "inkread: %s\n", line.c_str()); };
  return sink;
}

}  // namespace

void SetLogSink(LogSink sink) {
  std::lock_guard lock(Mutex());
  Sink() = std::move(sink);
}

void LogWarning(const std::string& line) {
  std::lock_guard lock(Mutex());
  if (Sink()) Sink()(line);
}

}  // namespace inkread
