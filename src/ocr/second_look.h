// Second readings, of lines whose boxes or scores leave it open which way up they are. The rules are in page_turn.h.
#ifndef INKREAD_OCR_SECOND_LOOK_H_
#define INKREAD_OCR_SECOND_LOOK_H_

#include <span>
#include <vector>

#include "ocr/page_turn.h"
#include "ocr/pipeline.h"

namespace inkread {

// The quarter turns, counter-clockwise, that set the page upright.
//
// If the scores are low, a few lines are read upside down too. If lines that stand are Chinese or Japanese, a few of
// their characters are read by themselves, since columns of vertical writing and a page that lies on its side look the
// same otherwise. Any other page costs nothing.
//
// lines, recognised, texts  of the page as it lies
Result<int> FindPageTurn(SourceImage& image, const PageAxis& axis, std::span<const LineShape> lines,
                         std::span<const RecognisedLine> recognised, std::span<const CtcText> texts,
                         const RecParams& params, const Networks& networks);

// Reads lines again that may be upside down, and changes those that are clearly read better so: lines that stand on a
// page whose other lines lie, if their score is low, and lines that the classifier finds upside down.
//
// use_classifier  networks.cls is there
// Returns         the lines that were changed; indices
Result<std::vector<size_t>> TurnSingleLines(SourceImage& image, const PageAxis& axis, bool use_classifier,
                                            const RecParams& params, const Networks& networks,
                                            std::vector<LineShape>& lines, std::vector<RecognisedLine>& recognised,
                                            std::vector<CtcText>& texts);

}  // namespace inkread

#endif  // INKREAD_OCR_SECOND_LOOK_H_
