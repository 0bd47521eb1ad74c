// Reads the images of a run on several threads and writes the results: the part of `inkread read` that needs no model.
#ifndef INKREAD_APPS_READ_LOOP_H_
#define INKREAD_APPS_READ_LOOP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>

#include "apps/image_source.h"
#include "apps/input_queue.h"
#include "apps/output_file.h"
#include "apps/progress_bar.h"
#include "inkread/formats.h"

namespace inkread {

// Engine::Read, or a stand-in. Called by several threads at once.
using ReadImage = std::function<Result<Reading>(const ImageView&)>;

struct ReadLoopOptions {
  int num_workers = 1;  // images read at once; a few more are decoded ahead
  LoadOptions load;
  bool keeps_images = false;  // until they are written: entries have their image and its JPEG

  // Whether results are written in the order of the inputs, otherwise as they come.
  bool keep_order = true;
  // Whether a run that is stopped may leave out an image before one that it writes. Without it what was read behind such
  // an image is given up, so that a later run can go on in order.
  bool may_leave_gaps = true;

  // Limits of memory. The pixels of one image may exceed the first; the second is for results that wait for an image
  // before them.
  int64_t max_pixel_bytes = 150'000'000;
  int64_t max_result_bytes = 64'000'000;

  // Asked ten times a second, on the calling thread. Once it is true no other image is begun; those that are being read
  // are finished and written.
  std::function<bool()> stop = [] { return false; };
  // Inputs that have been found meanwhile, asked as often. Without it the loop ends with its inputs.
  std::function<InputList()> more;

  // Whether a device that was lost ends the loop, without an entry for the images that it could not read.
  bool ends_with_device = false;

  // Where overlays are written: a file, or a folder with a file for each page. Empty: none are.
  std::string overlay_path;
  bool overlay_is_folder = false;
  OverlayFormat overlay_format = OverlayFormat::kPng;
  FilesInUse in_use;                            // that no overlay may overwrite
  std::vector<const std::ostream*> written_to;  // by the output; the loop ends once writing to one has failed
  std::string run_warning;                      // printed once by the caller, so not for each reading that has it
};

struct ReadLoopResult {
  int64_t num_read = 0;                     // images
  int64_t num_failed = 0;                   // images, and overlays that could not be written
  std::map<std::string, int64_t> failures;  // the same by the name of their code
  size_t num_inputs = 0;                    // all that were found
  size_t num_done = 0;                      // inputs whose images are all written, now or by an earlier run
  size_t num_passed = 0;                    // of these, by an earlier run
  bool stopped = false;                     // before the end
  bool device_lost = false;
};

// Each thread takes the next page, decodes it and reads it, so that a slow image holds up no other one. The results do
// not depend on the number of workers.
//
// errors    receives one line for each file that failed, `inkread: FILE: reason`, and warnings for which `output` has
//           no place
ReadLoopResult RunReadLoop(InputQueue inputs, const ReadImage& read, const ReadLoopOptions& options, PageWriter* output,
                           ProgressBar* bar, std::ostream* errors);

}  // namespace inkread

#endif  // INKREAD_APPS_READ_LOOP_H_
