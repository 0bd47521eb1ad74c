// What a run says when it ends.
#ifndef INKREAD_APPS_READ_SUMMARY_H_
#define INKREAD_APPS_READ_SUMMARY_H_

#include <cstdint>
#include <map>
#include <string>

namespace inkread {

struct ReadSummary {
  int64_t num_read = 0;                     // images, of this run and of earlier ones
  int64_t num_read_before = 0;              // of these, by earlier ones
  std::map<std::string, int64_t> failures;  // number of failures by the name of their code
  double seconds = 0;                       // that this run took
};

// "998 images read, 498 by an earlier run; took 1:40 (5.0 a second); 2 failed: 1 CORRUPT_IMAGE, 1 NOT_FOUND"
std::string SummaryText(const ReadSummary& summary);

}  // namespace inkread

#endif  // INKREAD_APPS_READ_SUMMARY_H_
