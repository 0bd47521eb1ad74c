// Strips of an image that is too long for one input of the detector: receipts, banners, screenshots of whole pages.
//
// The strips overlap. Of each one only its own part is taken, up to the middles of the overlaps, so the parts together
// are a map of the whole image. Lines that cross a border are found in that map, each whole and once.
#ifndef INKREAD_OCR_STRIPS_H_
#define INKREAD_OCR_STRIPS_H_

#include <span>
#include <vector>

#include "inkread/image.h"
#include "ocr/det_input.h"

namespace inkread {

// px of the map, along its longer side.
struct Strip {
  int begin = 0, end = 0;          // what the detector sees
  int own_begin = 0, own_end = 0;  // what is taken of it
  friend bool operator==(const Strip&, const Strip&) = default;
};

// Whether a map of this size is made in strips.
bool NeedsStrips(const Size& map);

// The strips of a map that is `length` px long, a multiple of 32, each of the same length; one for a short map. Their
// own parts follow each other without a gap. Each strip sees further than its own part, except at the ends of the map.
std::vector<Strip> MakeStrips(int length);

// The size of a strip of the map.
Size SizeOf(const Strip& strip, const Size& map);

// What a strip sees of the image, whose map has the size `map`.
ImageView PartOf(const ImageView& image, const Size& map, const Strip& strip);

// Copies the strip's own part of its values, [SizeOf(strip, map)], into `whole`, [map].
void CopyOwnPart(std::span<const float> values, const Strip& strip, const Size& map, std::span<float> whole);

}  // namespace inkread

#endif  // INKREAD_OCR_STRIPS_H_
