// A bar on standard error for work that takes long. Prints nothing when standard error is not a terminal.
#ifndef INKREAD_APPS_PROGRESS_BAR_H_
#define INKREAD_APPS_PROGRESS_BAR_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace inkread {

class ProgressBar {
 public:
  enum class Unit { kBytes, kCount };

  // Shows from the first Update on, and only on a terminal.
  explicit ProgressBar(Unit unit) : ProgressBar(unit, HasTerminal()) {}
  ProgressBar(Unit unit, bool visible) : unit_(unit), visible_(visible) {}
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { End(); }

  // Whether standard error is a terminal.
  static bool HasTerminal();

  bool visible() const { return visible_; }

  // Whether standard output is the same terminal, so that the bar must be hidden while something is written there.
  static bool SharesTerminal();

  // Redraws the line at most ten times a second, and for a new label and the end. A new label starts a new line.
  //
  // done_before  the part of `done` that took no time, such as what an earlier run has done
  void Update(const std::string& label, int64_t done, int64_t total, int64_t done_before = 0);

  // Removes the bar from the screen, for a message. The next Update draws it again.
  void Hide();

  // Keeps the last state on the screen and ends its line.
  void End();

 private:
  Unit unit_;
  bool visible_;
  bool drawn_ = false;
  std::string label_;
  std::chrono::steady_clock::time_point start_;  // of the label
  std::chrono::steady_clock::time_point last_;
};

struct Progress {
  ProgressBar::Unit unit = ProgressBar::Unit::kCount;
  std::string label;
  int64_t done = 0;
  int64_t total = 0;
  double per_second = 0;  // 0: not known yet
};

// The line that Update draws, no wider than width_columns - 1: `reading  [####....]  31 / 80  4.1/s  0:12 left`. Where it
// does not fit, the bar gets shorter; then it is left out, then the label, then the rate.
std::string ProgressLine(const Progress& progress, int width_columns);

// "0:07", "2:05:00" or "3 days".
std::string DurationText(double seconds);

}  // namespace inkread

#endif  // INKREAD_APPS_PROGRESS_BAR_H_
