// Whether two results of benchmarks have the same texts, whatever their times.
#ifndef INKREAD_APPS_BENCH_COMPARE_H_
#define INKREAD_APPS_BENCH_COMPARE_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "apps/bench/result.h"

namespace inkread {

// One image of which the two results differ.
struct ImageDifference {
  std::string file;
  int64_t edits = 0;
  // The line with most edits, as each result has it; both empty where the image is missing in one of them.
  std::string worst_a;
  std::string worst_b;
  std::string missing_in;  // the path of the result that lacks the image
};

struct TextDifference {
  int64_t num_images = 0;                     // in one of them or both
  int64_t edits = 0;                          // characters edited, over all images
  std::vector<ImageDifference> images;        // those with edits, most edits first
  std::vector<std::string> in_another_order;  // files with the lines of both, but not in the same order
};

// Lines are set against each other by where they are (MatchLines, with `a` as the truth). Those left over are compared
// in their order, with as few edits as that allows. A line or image that only one side has counts all its characters;
// a missing image counts at least one.
TextDifference CompareTexts(const BenchResult& a, const BenchResult& b);

// Most edits that pass. With neither given none do.
struct CompareGates {
  std::optional<int64_t> max_edits;
  std::optional<int64_t> max_edits_per_image;
};

// What is wrong, one sentence for each gate that fails, with the worst image named; none when all is well.
std::vector<std::string> FailedGates(const TextDifference& difference, const CompareGates& gates);

// How the texts differ: totals, then the images with most edits.
void PrintTextDifference(const TextDifference& difference, std::ostream* out);

}  // namespace inkread

#endif  // INKREAD_APPS_BENCH_COMPARE_H_
