// From how a network's input is made of an image to the schedule that does it.
#ifndef INKREAD_PLANNER_IMAGE_H_
#define INKREAD_PLANNER_IMAGE_H_

#include "image/image_rule.h"
#include "schedule/schedule.h"

namespace inkread {

// Its input is the image, its output [1, height, row_width, 3] floats, its weights CubicWarpWeights().
Schedule PlanImage(const ImageRule& rule);

}  // namespace inkread

#endif  // INKREAD_PLANNER_IMAGE_H_
