// The order in which the lines of a page are read.
#ifndef INKREAD_OCR_READING_ORDER_H_
#define INKREAD_OCR_READING_ORDER_H_

#include <span>
#include <vector>

#include "image/geometry.h"
#include "ocr/page_turn.h"

namespace inkread {

// The order in which people read lines: columns of prose one after another, with a headline over them first; tables,
// forms and receipts row by row; vertical writing in columns from the right.
//
// quads    four corners of each line in px, in clockwise or anticlockwise sense; the page is upright, or askew by less
//          than 45 degrees
// axis     FindPageAxis of the quads
// Returns  a permutation: the index into `quads` of the line that is read first, and so on. It does not depend on the
//          order of `quads`, except where two are equal.
// Time     about n log n
//
// The rules, with distances in heights of the lines concerned:
//
// 1. Frame.   The page is as askew as the axis says, which is how most of its lines lie. If few of them are long, it
//             lies so that most lines are in rows. A photographed page is straightened. The page is written vertically
//             if its tall lines are longer, all together, than its wide ones; then the frame is turned by a quarter, so
//             that text runs to the right and the next line is below in both cases. Lines that run in the other
//             direction (a sideways remark, the headline of a vertical page) go through rules 2 to 5 in a frame of
//             their own.
// 2. Pieces.  Boxes on one baseline with hardly a gap between them are one line, unless a column begins there.
// 3. Stacks.  Lines of like height that follow each other downwards, evenly, with nothing else beside them in the width
//             of the stack, form a stack. It is prose if it is wide and at least half of its lines are about as wide as
//             the widest. Short lines at its top are a heading, which is a stack of its own.
// 4. Rows.    A line and its neighbour on the right are of one row if they are on one baseline, and if the stacks that
//             they are in agree: three quarters of the lines of each that have a neighbour on that side have one on
//             their baseline that is not prose. Prose has no rows with prose; with other text only if most of the lines
//             beside it are not prose and go along most of its height, like the labels or numbers of a list. Then it is
//             not prose any more. Nor are two lines of which the first is in a row of three cells: they are the cell of
//             a table. Headings and captions in two columns of prose are not of one row; up to two short stacks may be
//             between a heading and its prose. Vertical writing has tiers instead of rows.
// 5. Blocks.  A stack without rows is a block, and so is each row, and each line that is left of a stack with rows.
// 6. Columns. Blocks are cut into bands, where a level gap goes across all of them, from the top down. Successive bands
//             are put together while the same gutters go through them and one continues a column of the other
//             without much of a gap. Each gutter cuts, and each column is cut into bands again.
//             If writing is vertical, or if there is nothing but sideways lines beyond a gutter, the gutter goes first.
//             If there is neither a gap nor a gutter, the topmost block is taken, or one on the left of all that are
//             higher, and the rest is cut again.
std::vector<int> ReadingOrder(std::span<const Quad> quads, const PageAxis& axis);

// The order of PaddleOCR's sorted_boxes: by the top left corners (y, then x; ties keep their order). Then, in one pass
// down the list, each box moves up past neighbours on its right whose top left corners are less than 10 px of the
// source higher or lower. Returns a permutation as above.
std::vector<int> OfficialOrder(std::span<const Quad> quads);

}  // namespace inkread

#endif  // INKREAD_OCR_READING_ORDER_H_
