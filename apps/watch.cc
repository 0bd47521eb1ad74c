#include "apps/watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace inkread {

// Nothing for a file that has gone or cannot be asked.
std::optional<Watch::State> Watch::StateOf(const std::string& path) {
  struct stat about;
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return State{int64_t{about.st_size}, int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec};
}

InputList Watch::Poll(std::chrono::milliseconds interval) {
  InputList complete;
  const auto start = std::chrono::steady_clock::now();
  if (start < next_look_) return complete;
  std::unordered_map<std::string, State> growing;
  for (const Input& input : ExpandInputs(arguments_, {shard_, /*empty_is_error=*/false}).files) {
    if (given_.contains(input.path)) continue;
    const bool is_file = input.error.ok() && !input.is_stdin;
    if (is_file) {
      const std::optional<State> state = StateOf(input.path);
      const auto before = growing_.find(input.path);
      if (!state.has_value()) continue;
      if (before == growing_.end() || before->second != *state) {
        growing.emplace(input.path, *state);
        continue;
      }
    }
    given_.insert(input.path);
    complete.Add(input);
  }
  growing_ = std::move(growing);
  const auto end = std::chrono::steady_clock::now();
  next_look_ = end + std::max<std::chrono::steady_clock::duration>(interval, 10 * (end - start));
  return complete;
}

}  // namespace inkread
