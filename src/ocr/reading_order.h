// The order in which lines are read: from top to bottom, and from left to right at almost the same height.
#ifndef INKREAD_OCR_READING_ORDER_H_
#define INKREAD_OCR_READING_ORDER_H_

#include <vector>

#include "ocr/det_boxes.h"

namespace inkread {

// Sorts by the top left corners (y, then x; ties keep their order). Then, in one pass down the list, moves each box up
// past neighbours on its right whose top left corners are less than 10 px of the source higher or lower.
void SortInReadingOrder(std::vector<DetBox>* boxes);

}  // namespace inkread

#endif  // INKREAD_OCR_READING_ORDER_H_
