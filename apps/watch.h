// Files that come into folders while a command runs.
#ifndef INKREAD_APPS_WATCH_H_
#define INKREAD_APPS_WATCH_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "apps/inputs.h"

namespace inkread {

// Looks into the folders again and again, since no other way works on every file system: the system tells of changes in
// a network folder only if this machine made them. Each path is given once.
class Watch {
 public:
  Watch(std::vector<std::string> arguments, const Shard& shard) : arguments_(std::move(arguments)), shard_(shard) {}

  // Returns  the files that are new and complete: of the same size and time of change as when this was last asked.
  //          Nothing if that is less than `interval` ago. Where listing the folders takes long, the interval is ten
  //          times that.
  InputList Poll(std::chrono::milliseconds interval = std::chrono::seconds(1));

 private:
  struct State {
    int64_t size_bytes = 0;
    int64_t changed_ns = 0;
    bool operator==(const State&) const = default;
  };
  static std::optional<State> StateOf(const std::string& path);

  const std::vector<std::string> arguments_;
  const Shard shard_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, State> growing_;  // files that may not be complete
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace inkread

#endif  // INKREAD_APPS_WATCH_H_
