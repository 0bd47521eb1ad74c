#include "apps/read_summary.h"

#include <cstdio>

#include "apps/progress_bar.h"

namespace inkread {

std::string SummaryText(const ReadSummary& summary) {
  const int64_t num_now = summary.num_read - summary.num_read_before;
  std::string text = std::to_string(summary.num_read) + (summary.num_read == 1 ? " image read" : " images read");
  if (summary.num_read_before > 0) text += ", " + std::to_string(summary.num_read_before) + " by an earlier run";
  char rate[64];
  std::snprintf(rate, sizeof rate, " (%.1f a second)", static_cast<double>(num_now) / summary.seconds);
  text += "; took " + DurationText(summary.seconds);
  if (num_now > 0 && summary.seconds > 0) text += rate;
  std::string kinds;
  int64_t num_failed = 0;
  for (const auto& [code, count] : summary.failures) {
    num_failed += count;
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + code;
  }
  return text + (num_failed == 0 ? "; none failed" : "; " + std::to_string(num_failed) + " failed: " + kinds);
}

}  // namespace inkread
