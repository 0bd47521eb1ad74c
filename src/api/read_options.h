// Checks the options of a read and turns them into what the stages need.
#ifndef INKREAD_API_READ_OPTIONS_H_
#define INKREAD_API_READ_OPTIONS_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/cancellation.h"
#include "base/status.h"
#include "image/geometry.h"
#include "inkread/ocr.h"
#include "ocr/pipeline.h"

namespace inkread {

// Fails for a number that is not a value of its enum; `name` is the one that the public API gives it.
Status CheckEnum(const char* option, int number, const std::string& name);

// What can be checked without the image.
Status CheckOptions(const ReadOptions& read);

// The region of the options, or the whole image.
// Errors  kInvalidArgument (it is not inside the image)
Result<Rect> RegionOf(const ImageView& image, const ReadOptions& read);

// Errors  kInvalidArgument (more pixels than `max_pixels`)
Status CheckSize(const ImageView& image, int64_t max_pixels);

// The pixels of the region, in place.
ImageView PartOf(const ImageView& image, const Rect& region);

// The boxes, px of the region.
// Errors  kInvalidArgument (a corner is not inside the region)
Result<std::vector<Quad>> BoxesIn(const Rect& region, const std::vector<Quad>& boxes);

// From px of a region that begins at `origin` to px of the image.
void MoveBy(Point origin, PipelineResult& result);

// Nothing without a limit, and for one that is too far away for a clock.
std::optional<Cancellation::Clock::time_point> DeadlineOf(Cancellation::Clock::time_point start, double time_limit_ms);

}  // namespace inkread

#endif  // INKREAD_API_READ_OPTIONS_H_
