// Which way up a page is: how its lines run, from their boxes alone, and where the scores of the recogniser leave a
// doubt, what second readings of a few lines say. ocr/second_look.h makes those readings.
//
// Angles are in degrees clockwise; a line from left to right has the direction 0.
#ifndef INKREAD_OCR_PAGE_TURN_H_
#define INKREAD_OCR_PAGE_TURN_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "image/geometry.h"
#include "ocr/ctc.h"
#include "ocr/line_crop.h"
#include "ocr/rec_input.h"

namespace inkread {

// How most of a page's text runs. Only boxes whose sides differ by half or more say something about it.
struct PageAxis {
  enum class Kind {
    kNone,      // no half of the text has one direction in common, to within 10 degrees
    kLying,     // along tilt_deg, which is within +-67.5
    kStanding,  // at right angles to tilt_deg, which is within +-22.5
  };
  Kind kind = Kind::kNone;
  double tilt_deg = 0;
};

PageAxis FindPageAxis(std::span<const Quad> boxes);

// Whether the line runs along the axis, in either direction.
bool IsAlong(const LineShape& line, const PageAxis& axis);

// Whether the scores suggest that the page is not the right way up: less than half of the text along the axis, by
// length, was read with a score of 0.9 or more. Texts of a page on its head score 0.4 to 0.8.
bool MayBeUpsideDown(const PageAxis& axis, std::span<const LineShape> lines, std::span<const CtcText> texts);

// Up to five of the longest lines along the axis; indices, the longest first.
std::vector<size_t> LinesToJudgeBy(const PageAxis& axis, std::span<const LineShape> lines);

enum class Verdict { kAsRead, kTurned, kOpen };

// Compares two readings of the same lines by their mean scores, weighted by the lines' lengths. Turned lines must have
// a mean of 0.8 or more: on pages that are too blurred, or of a script that the model does not know, neither reading
// means anything. Texts of upright pages of the data set have 0.95 and more, except kana with tiny.
//
// turned  what was read with half a turn more
Verdict CompareReadings(std::span<const LineShape> lines, std::span<const CtcText> as_read,
                        std::span<const CtcText> turned);

// Whether CompareReadings may still say kTurned, whatever is read of the lines that have no text in `turned` yet.
//
// turned  of the first lines, one or more
bool MayStillBeTurned(std::span<const LineShape> lines, std::span<const CtcText> as_read,
                      std::span<const CtcText> turned);

// Whether at least one text has three characters. Less, such as a lone narrow digit, does not show how a page lies.
bool HasEvidence(std::span<const CtcText> texts);

// Whether half or more of the characters are of scripts that are written downwards too: Han, kana and their signs.
bool IsVerticalScript(std::string_view text);

// A character of a line, cut out so that it is upright if the line is vertical writing.
struct CharacterCell {
  LineShape shape;
  int32_t index = 0;  // the class that was read within the line
};

// Cells of characters of vertical scripts that were read with a probability of 0.9 or more and have a neighbour of that
// kind: at most five.
//
// width  of the line's input when `steps` were read
std::vector<CharacterCell> CutCells(const LineShape& line, RecWidth width, std::span<const CtcStep> steps,
                                    const Dictionary& dictionary);

// Where a point of an image that was turned by so many quarters counter-clockwise is in the image before that.
//
// width, height  px, of the image before it was turned
Point BeforeTurn(Point point, int quarter_turns, int width, int height);

// By how much the content of an image is turned: the quarter turns that set it upright and the tilt that was left then.
// In (-45, 315], so that a page that lies almost straight has a value close to 0, 90, 180 or 270.
double TurnedDegrees(int quarter_turns, double tilt_deg);

}  // namespace inkread

#endif  // INKREAD_OCR_PAGE_TURN_H_
