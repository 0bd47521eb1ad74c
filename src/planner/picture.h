// From how a network's input is made of a picture to the schedule that does it.
#ifndef INKREAD_PLANNER_PICTURE_H_
#define INKREAD_PLANNER_PICTURE_H_

#include "image/picture_rule.h"
#include "schedule/schedule.h"

namespace inkread {

// Its input is the picture, its output [1, height, row_width, 3] floats, its weights CubicWarpWeights().
Schedule PlanPicture(const PictureRule& rule);

}  // namespace inkread

#endif  // INKREAD_PLANNER_PICTURE_H_
