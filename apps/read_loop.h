// Reads images in batches and prints them in order: the part of `inkread read` that needs no model.
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
  int batch_images = 1;               // at most, read together
  int64_t batch_pixels = 50'000'000;  // a batch ends once it holds this many; one image may have more
  // Where images with their boxes drawn on them go: a PNG file, or a folder with one PNG a page. Empty: nowhere.
  std::string overlay_path;
  bool overlay_is_folder = false;  // else decided by the file: more than one page makes it a folder
  FilesInUse in_use;               // that no overlay may overwrite
  std::string run_warning;         // told by the caller, and not on `errors` for each reading that has it
};

struct ReadLoopResult {
  int num_read = 0;
  int num_failed = 0;  // images, and overlays that could not be written
  bool device_lost = false;
};

// While one batch is read, the next is decoded on another thread.
//
// errors    one line for each file that failed: `inkread: FILE: reason`; warnings too where `output` has no place
ReadLoopResult RunReadLoop(ImageSource* source, size_t num_inputs, const ReadImages& read,
                           const ReadLoopOptions& options, Output* output, ProgressBar* bar, std::ostream* errors);

}  // namespace inkread

#endif  // INKREAD_APPS_READ_LOOP_H_
