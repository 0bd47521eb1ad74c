// The profile `auto`: at which sizes the detector looks at a page.
//
// A page is looked at in a small size first. Where that look finds text that is too small for it, or nothing, a second
// one in full size follows, and where both find nothing, a third one, smaller than the first. Images that are too long
// for one input are looked at in strips (ocr/strips.h), so they need not shrink to nothing.
#ifndef INKREAD_OCR_DETECTOR_SIZE_H_
#define INKREAD_OCR_DETECTOR_SIZE_H_

#include <optional>
#include <span>
#include <vector>

#include "ocr/det_boxes.h"
#include "ocr/det_input.h"

namespace inkread {

// The size of the look that counts for small text, for a source of height x width px, both >= 1. It is that of
// DetInputSize, unless that shrinks the image because one side is above params.max_side_limit: the shorter side then
// keeps up to 960 px, as long as the whole has no more pixels than the square of the limit. Multiples of 32.
Size FullLookSize(int height, int width, const DetParams& params);

// The size of the look before it; nothing where the full one is hardly larger.
std::optional<Size> FirstLookSize(const Size& full);

// The size of a look after both, for a page in which they found nothing: its longer side is 800 px.
Size LastLookSize(const Size& full);

// True if the boxes of a first look are not enough.
bool NeedsFullLook(std::span<const DetBox> boxes, const MapReport& report);

// The boxes of the full look, and those of the first look that are where the full one found nothing: the detector
// misses a line at one size or another, above all a single one on a large page.
std::vector<DetBox> BothLooks(std::vector<DetBox> full, std::span<const DetBox> first);

}  // namespace inkread

#endif  // INKREAD_OCR_DETECTOR_SIZE_H_
