// Reads lines whose places the caller knows: nothing is detected.
#ifndef INKREAD_OCR_GIVEN_LINES_H_
#define INKREAD_OCR_GIVEN_LINES_H_

#include <span>

#include "ocr/pipeline.h"

namespace inkread {

// Reads each box as one line, in the direction of the edge from its first corner to its second. A box that is higher
// than wide by half may be a column, a narrow character or a short word: it is read downwards and to the right, and the
// better score counts. With PipelineOptions::find_turn false the boxes are cropped and read as the official pipeline
// does with those that it detects.
//
// boxes    corners inside the image
// Returns  one line for each box, in their order, with the box as its quad and without text where the box is thinner
//          than a pixel; score_thresh does not apply
Result<PipelineResult> ReadGivenLines(const ImageView& image, std::span<const Quad> boxes,
                                      const PipelineOptions& options, const Networks& networks,
                                      const Cancellation* cancellation);

// Reads the whole image as one line, as ReadGivenLines does with a box around it. The official pipeline does not turn
// it.
Result<PipelineResult> ReadAsOneLine(const ImageView& image, const PipelineOptions& options, const Networks& networks,
                                     const Cancellation* cancellation);

}  // namespace inkread

#endif  // INKREAD_OCR_GIVEN_LINES_H_
