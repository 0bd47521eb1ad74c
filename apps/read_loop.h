// Reads images in batches and prints the results in order: the part of `inkread read` that needs no model.
#ifndef INKREAD_APPS_READ_LOOP_H_
#define INKREAD_APPS_READ_LOOP_H_

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "apps/image_source.h"
#include "apps/output.h"
#include "apps/output_file.h"
#include "apps/progress_bar.h"

namespace inkread {

// Engine::ReadMany, or a stand-in.
using ReadImages = std::function<std::vector<Result<Reading>>(std::span<const ImageView>)>;

struct ReadLoopOptions {
  int batch_images = 1;               // maximum in a batch
  int64_t batch_pixels = 50'000'000;  // a batch ends once it has this many; a single image may have more
  // Where overlays are written: a PNG file, or a folder with a PNG for each page. Empty: none are.
  std::string overlay_path;
  bool overlay_is_folder = false;            // false: only for a file with more than one page
  FilesInUse in_use;                         // that no overlay may overwrite
  const std::ostream* written_to = nullptr;  // by the output; the loop ends once writing has failed
  std::string run_warning;                   // printed once by the caller, so not for each reading that has it
};

struct ReadLoopResult {
  int num_read = 0;
  int num_failed = 0;  // images, and overlays that could not be written
  bool device_lost = false;
};

// The next batch is decoded on another thread while one is read.
//
// errors    receives one line for each file that failed, `inkread: FILE: reason`, and warnings for which `output` has
//           no place
ReadLoopResult RunReadLoop(ImageSource* source, size_t num_inputs, const ReadImages& read,
                           const ReadLoopOptions& options, Output* output, ProgressBar* bar, std::ostream* errors);

}  // namespace inkread

#endif  // INKREAD_APPS_READ_LOOP_H_
