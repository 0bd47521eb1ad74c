#include "apps/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace inkread {
namespace {

constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr int kBarColumns = 30;
constexpr int kFallbackColumns = 80;

int TerminalColumns() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kFallbackColumns;
}

std::string Amount(ProgressBar::Unit unit, int64_t done, int64_t total) {
  char text[64];
  if (unit == ProgressBar::Unit::kBytes) {
    std::snprintf(text, sizeof text, "%.1f / %.1f MB", static_cast<double>(done) * 1e-6,
                  static_cast<double>(total) * 1e-6);
  } else {
    std::snprintf(text, sizeof text, "%lld / %lld", static_cast<long long>(done), static_cast<long long>(total));
  }
  return text;
}

}  // namespace

std::string ProgressLine(ProgressBar::Unit unit, const std::string& label, int64_t done, int64_t total,
                         int width_columns) {
  const int filled =
      total <= 0 ? 0 : static_cast<int>(std::clamp<double>(static_cast<double>(done) / total, 0, 1) * kBarColumns);
  const std::string bar = std::string(filled, '#') + std::string(kBarColumns - filled, '.');
  std::string line = label + "  [" + bar + "]  " + Amount(unit, done, total);
  // One column short: a full line would wrap, and the next redraw would not cover it.
  if (const size_t room = static_cast<size_t>(std::max(0, width_columns - 1)); line.size() > room) line.resize(room);
  return line;
}

bool ProgressBar::HasTerminal() { return ::isatty(STDERR_FILENO) == 1; }

void ProgressBar::Update(const std::string& label, int64_t done, int64_t total) {
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && label == label_ && done < total && now - last_ < kRedrawEvery) return;
  if (drawn_ && label != label_) End();
  drawn_ = true;
  label_ = label;
  last_ = now;
  std::fprintf(stderr, "\r\033[K%s", ProgressLine(unit_, label, done, total, TerminalColumns()).c_str());
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
