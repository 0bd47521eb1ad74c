// What backends share that read images in host memory: the steps' params as image/ wants them, images, and jobs
// that make the inputs of others.
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

// The caller's image itself where its rows have no gaps, else a copy.
std::shared_ptr<const DeviceImage> ImageOnHost(const ImageView& image);

// Read 0 of a step. A crop has four bytes a pixel.
ImageView ImageOf(const ImageResizeParams& p, const void* x);
ImageView ImageOf(const ImageWarpParams& p, const void* x);

// `image` turned by p.quarter_turns; `turned` keeps the pixels where there is a turn.
ImageView Turned(const ImageResizeParams& p, const ImageView& image, BgrImage& turned);

Normalisation NormalisationOf(const ImageResizeParams& p);
Homography HomographyOf(const ImageWarpParams& p);

// Jobs with every input and output in host memory.
class HostJobs {
 public:
  // Whether there is something to do: a job that reads an image or is fed.
  static bool AreNeeded(std::span<const Job> jobs);
  // Errors  kOutOfMemory
  static Result<HostJobs> Make(std::span<const Job> jobs);
  std::span<const Job> feeding() const { return feeding_; }  // to be run first
  std::span<const Job> rest() const { return rest_; }

 private:
  std::vector<Job> feeding_, rest_;
  std::vector<AlignedBuffer> inputs_;
};

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_HOST_IMAGES_H_
