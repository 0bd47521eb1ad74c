// What backends that compute in host memory share for images: reading an image, the params of image steps in the form
// that image/ takes, and jobs whose inputs are images or outputs of other jobs.
#ifndef INKREAD_SCHEDULE_HOST_IMAGES_H_
#define INKREAD_SCHEDULE_HOST_IMAGES_H_

#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "image/image.h"
#include "image/resize.h"
#include "image/warp.h"
#include "schedule/backend.h"

namespace inkread {

// Reads the caller's image in place if its rows have no gaps; otherwise copies it.
std::shared_ptr<const DeviceImage> ImageOnHost(const ImageView& image);

// The image at `x`, which is read 0 of a step. A crop has four bytes per pixel.
ImageView ImageOf(const ImageResizeParams& p, const void* x);
ImageView ImageOf(const ImageWarpParams& p, const void* x);

// `image` turned by p.quarter_turns. `turned` holds the pixels of the result if there is a turn.
ImageView Turned(const ImageResizeParams& p, const ImageView& image, BgrImage& turned);

Normalisation NormalisationOf(const ImageResizeParams& p);
Homography HomographyOf(const ImageWarpParams& p);

// The jobs of a run, rewritten so that every input and output is in host memory.
class HostJobs {
 public:
  // False if all inputs are in host memory already; the jobs can then run as they are.
  static bool AreNeeded(std::span<const Job> jobs);
  // Errors  kOutOfMemory
  static Result<HostJobs> Make(std::span<const Job> jobs);
  std::span<const Job> sources() const { return sources_; }  // parts of other jobs' inputs; run these first
  std::span<const Job> rest() const { return rest_; }

 private:
  std::vector<Job> sources_, rest_;
  std::vector<AlignedBuffer> inputs_;  // of the jobs whose inputs consist of parts
};

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_HOST_IMAGES_H_
