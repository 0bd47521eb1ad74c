// Reads images repeatedly and measures the time: the part of `inkread bench` that needs no model.
#ifndef INKREAD_APPS_BENCH_RUN_H_
#define INKREAD_APPS_BENCH_RUN_H_

#include <functional>
#include <string>
#include <vector>

#include "apps/machine.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {

// Engine::Read, or a stand-in. Called from several threads.
using ReadImage = std::function<Result<Reading>(const ImageView&)>;

struct BenchImage {
  std::string file;
  DecodedImage image;  // without pixels where there is `decode`
  // Decodes the image each time that it is read, before the clock of its own time starts; may be empty. Called from
  // several threads.
  std::function<Result<DecodedImage>()> decode;
};

struct BenchRunOptions {
  int num_workers = 1;  // threads, each with one image in flight
  int num_warmups = 1;  // rounds over all images that do not count
  int num_rounds = 1;
};

struct TimedImage {
  Reading reading;                // its lines; `ms` holds the median over the rounds of each time
  std::vector<double> rounds_ms;  // wall clock around the whole call
};

struct BenchTimes {
  std::vector<TimedImage> images;  // in the order of the arguments
  std::vector<double> rounds_ms;   // from a round's first image to its last
  ProcessUse used;                 // in these rounds
};

// progress  called with the number of images done and of all, warm-up rounds included, on the calling thread
// Errors    those of `decode` or `read` for the first image that failed, beginning with its file; kInternal (two rounds
//           gave different lines for the same image)
Result<BenchTimes> RunBench(const std::vector<BenchImage>& images, const ReadImage& read,
                            const BenchRunOptions& options, const std::function<void(int64_t, int64_t)>& progress);

double Mean(const std::vector<double>& values);
double Median(std::vector<double> values);  // of at least one
// Nearest rank: the smallest value that at least this share of the values, (0, 1], does not exceed.
double Percentile(std::vector<double> values, double share);

}  // namespace inkread

#endif  // INKREAD_APPS_BENCH_RUN_H_
