// What backends share that read pictures in host memory: the steps' params as image/ wants them, pictures, and jobs
// that make the inputs of others.
#ifndef INKREAD_SCHEDULE_HOST_PICTURES_H_
#define INKREAD_SCHEDULE_HOST_PICTURES_H_

#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "image/picture.h"
#include "image/resize.h"
#include "image/warp.h"
#include "schedule/backend.h"

namespace inkread {

// The caller's picture itself where its rows have no gaps, else a copy.
std::shared_ptr<const DevicePicture> PictureOnHost(const ImageView& picture);

// Read 0 of a step. A crop has four bytes a pixel.
ImageView PictureOf(const PictureResizeParams& p, const void* x);
ImageView PictureOf(const PictureWarpParams& p, const void* x);

// `picture` turned by p.quarter_turns; `turned` keeps the pixels where there is a turn.
ImageView Turned(const PictureResizeParams& p, const ImageView& picture, BgrPicture& turned);

Normalisation NormalisationOf(const PictureResizeParams& p);
Homography HomographyOf(const PictureWarpParams& p);

// Jobs with every input and output in host memory.
class HostJobs {
 public:
  // Whether there is something to do: a job that reads a picture or is fed.
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

#endif  // INKREAD_SCHEDULE_HOST_PICTURES_H_
