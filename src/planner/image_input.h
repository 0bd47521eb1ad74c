// The schedule by which a device turns an image into a network's input.
#ifndef INKREAD_PLANNER_IMAGE_INPUT_H_
#define INKREAD_PLANNER_IMAGE_INPUT_H_

#include "image/image_rule.h"
#include "schedule/schedule.h"

namespace inkread {

// An image_warp step where the rule has a crop, then an image_resize step.
//
// input    the image, rule.source_height x rule.source_width pixels of rule.format, as bytes
// output   [1, rule.height, rule.row_width, 3] f32
// weights  CubicWarpWeights()
Schedule PlanImageInput(const ImageRule& rule);

}  // namespace inkread

#endif  // INKREAD_PLANNER_IMAGE_INPUT_H_
