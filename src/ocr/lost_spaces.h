// Spaces that the recogniser missed by little.
#ifndef INKREAD_OCR_LOST_SPACES_H_
#define INKREAD_OCR_LOST_SPACES_H_

#include <vector>

#include "ocr/ctc.h"
#include "ocr/dictionary.h"

namespace inkread {

// Between two characters the recogniser may find a blank hardly more probable than a space. Where a space has 0.05 of
// the blank's probability or more, the step becomes a space. None is added at an end of the line, beside another one,
// between two characters of a script that is written without spaces, between digits, which displays set far apart,
// between letters as close as those of a word, before a point or comma, or between a point and a small letter, as in
// the name of a file.
//
// Nothing is added where the dictionary has no space. An added space has the mean probability of the line's characters,
// so that the line keeps its score.
void AddLostSpaces(const Dictionary& dictionary, std::vector<CtcStep>& steps);

}  // namespace inkread

#endif  // INKREAD_OCR_LOST_SPACES_H_
