// Result files of benchmarks, written by `inkread bench` and read to compare two of them. bench/result_format.md has
// the format.
#ifndef INKREAD_APPS_BENCH_RESULT_H_
#define INKREAD_APPS_BENCH_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/bench/run.h"
#include "apps/line_match.h"
#include "apps/machine.h"
#include "formats/reading_json.h"
#include "inkread/ocr.h"

namespace inkread {

// The lines of one image; of the truth or of a result.
struct ImageLines {
  std::string file;
  std::vector<PlacedLine> lines;
  std::string kind = {};  // of the image, where the truth tells it
};

// The name by which results and truths identify an image: its file's, without the folder.
std::string FileNameOf(const std::string& path);

// The lines that inkread found, in the form that scoring takes.
std::vector<PlacedLine> PlacedLines(const std::vector<Line>& lines);

// How the images were read, and on which machine.
struct BenchSetup {
  Machine machine;
  EngineInfo engine;
  ReadOptions read;
  BenchRunOptions run;
  std::optional<int64_t> resident_after_load_bytes;
  std::optional<int64_t> resident_peak_bytes;
};

// The document of a benchmark.
//
// images  at least one; times.images has one for each
// truth   the lines of each image; nothing when there is no truth
Json BenchDocument(const BenchSetup& setup, const std::vector<BenchImage>& images, const BenchTimes& times,
                   const std::optional<std::vector<ImageLines>>& truth);

// One line of text for each image, so that two files can be compared line by line. Bytes that are not UTF-8 become
// U+FFFD.
std::string BenchDocumentText(const Json& document);

struct BenchResult {
  std::string path;
  Json machine;
  Json engine;
  Json summary;
  std::vector<ImageLines> images;
};

// Errors  kNotFound (the file cannot be read), kInvalidArgument (not a result of a benchmark, or it names an image
//         twice: says where, what was expected and what was found)
Result<BenchResult> LoadBenchResult(const std::string& path);

// The images of a truth.json; errors as LoadBenchResult's.
Result<std::vector<ImageLines>> LoadTruth(const std::string& path);

}  // namespace inkread

#endif  // INKREAD_APPS_BENCH_RESULT_H_
