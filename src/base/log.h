// The log. The engine writes few lines: that it fell back to another backend, and why.
#ifndef INKREAD_BASE_LOG_H_
#define INKREAD_BASE_LOG_H_

#include <functional>
#include <string>

namespace inkread {

using LogSink = std::function<void(const std::string& line)>;

// Sets where lines go from now on. The default is standard error. Safe from several threads.
void SetLogSink(LogSink sink);

void LogWarning(const std::string& line);

}  // namespace inkread

#endif  // INKREAD_BASE_LOG_H_
