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

  // Redraws the line at most ten times a second, and for a new label and the end. A new label starts a new line.
  void Update(const std::string& label, int64_t done, int64_t total);

  // Removes the bar from the screen, for a message. The next Update draws it again.
  void Hide();

  // Keeps the last state on the screen and ends its line.
  void End();

 private:
  Unit unit_;
  bool visible_;
  bool drawn_ = false;
  std::string label_;
  std::chrono::steady_clock::time_point last_;
};

// The line that Update draws: `small/rec.onnx  [#####.....]  10.6 / 21.2 MB`, no wider than width_columns - 1.
std::string ProgressLine(ProgressBar::Unit unit, const std::string& label, int64_t done, int64_t total,
                         int width_columns);

}  // namespace inkread

#endif  // INKREAD_APPS_PROGRESS_BAR_H_
