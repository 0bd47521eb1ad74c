// Boxes of one line that the detector cut in two.
#ifndef INKREAD_OCR_JOINED_BOXES_H_
#define INKREAD_OCR_JOINED_BOXES_H_

#include <vector>

#include "ocr/det_boxes.h"

namespace inkread {

// Boxes that overlap along one baseline by 0.4 of their height or more become one: letters in the overlap would be read
// twice. Boxes of neighbouring words or cells overlap less, since a box is only wider than its text by a third of its
// height at either end.
//
// Returns  the boxes in their order; a joined one is where its first part was, with the mean score by length
std::vector<DetBox> JoinOverlappingBoxes(std::vector<DetBox> boxes);

}  // namespace inkread

#endif  // INKREAD_OCR_JOINED_BOXES_H_
