#include "apps/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace inkread {
namespace {

constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr int kMinBarColumns = 5, kMaxBarColumns = 30;
constexpr int kFallbackColumns = 80;
// A rate of less than this much time says little.
constexpr double kMinSeconds = 2;

int TerminalColumns() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kFallbackColumns;
}

std::string Printed(const char* format, double a, double b = 0) {
  char text[64];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

std::string Amount(const Progress& progress) {
  if (progress.unit == ProgressBar::Unit::kCount) {
    return std::to_string(progress.done) + " / " + std::to_string(progress.total);
  }
  return Printed("%.1f / %.1f MB", static_cast<double>(progress.done) * 1e-6,
                 static_cast<double>(progress.total) * 1e-6);
}

std::string Rate(const Progress& progress) {
  if (progress.unit == ProgressBar::Unit::kBytes) return Printed("%.1f MB/s", progress.per_second * 1e-6);
  return Printed(progress.per_second < 100 ? "%.1f/s" : "%.0f/s", progress.per_second);
}

// Two blanks between the parts that are not empty.
std::string Joined(const std::vector<std::string>& parts) {
  std::string line;
  for (const std::string& part : parts) {
    if (!part.empty()) line += (line.empty() ? "" : "  ") + part;
  }
  return line;
}

}  // namespace

std::string DurationText(double seconds) {
  if (seconds >= 48 * 3600) return Printed("%.0f days", seconds / (24 * 3600));
  const int64_t s = static_cast<int64_t>(seconds + 0.5);
  char text[64];
  if (s >= 3600) {
    std::snprintf(text, sizeof text, "%d:%02d:%02d", static_cast<int>(s / 3600), static_cast<int>(s / 60 % 60),
                  static_cast<int>(s % 60));
  } else {
    std::snprintf(text, sizeof text, "%d:%02d", static_cast<int>(s / 60), static_cast<int>(s % 60));
  }
  return text;
}

std::string ProgressLine(const Progress& progress, int width_columns) {
  // One column short: a full line would wrap, and the next redraw would not cover it.
  const size_t columns = static_cast<size_t>(std::max(0, width_columns - 1));
  const std::string amount = Amount(progress);
  std::string rate, left;
  if (progress.per_second > 0 && progress.done < progress.total) {
    rate = Rate(progress);
    left = DurationText(static_cast<double>(progress.total - progress.done) / progress.per_second) + " left";
  }
  const size_t without_bar = Joined({progress.label, "[]", amount, rate, left}).size();
  if (without_bar + kMinBarColumns <= columns) {
    const int size = static_cast<int>(std::min<size_t>(columns - without_bar, kMaxBarColumns));
    const double share =
        progress.total <= 0 ? 0 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
    const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * size);
    const std::string bar = "[" + std::string(filled, '#') + std::string(size - filled, '.') + "]";
    return Joined({progress.label, bar, amount, rate, left});
  }
  std::string line = Joined({progress.label, amount, rate, left});
  if (line.size() > columns) line = Joined({amount, rate, left});
  if (line.size() > columns) line = Joined({amount, left});
  if (line.size() > columns) line.resize(columns);
  return line;
}

bool ProgressBar::HasTerminal() { return ::isatty(STDERR_FILENO) == 1; }

bool ProgressBar::SharesTerminal() { return ::isatty(STDOUT_FILENO) == 1; }

void ProgressBar::Update(const std::string& label, int64_t done, int64_t total, int64_t done_before) {
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && label == label_ && done < total && now - last_ < kRedrawEvery) return;
  if (drawn_ && label != label_) End();
  if (label != label_) start_ = now;
  drawn_ = true;
  label_ = label;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double per_second = seconds < kMinSeconds ? 0 : static_cast<double>(done - done_before) / seconds;
  std::fprintf(stderr, "\r\033[K%s", ProgressLine({unit_, label, done, total, per_second}, TerminalColumns()).c_str());
  std::fflush(stderr);
}

void ProgressBar::Hide() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressBar::End() {
  if (drawn_) std::fputc('\n', stderr);
  drawn_ = false;
}

}  // namespace inkread
