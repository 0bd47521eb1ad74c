// Draws the lines that were found onto their image.
#ifndef INKREAD_APPS_OVERLAY_H_
#define INKREAD_APPS_OVERLAY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {

// Draws the quads of the lines, and of their words and characters where they have any, as outlines, and at each top
// left corner of a line its number in reading order, from 1.
//
// Returns  a PNG in the size of the image
// Errors   as EncodePng
Result<std::vector<uint8_t>> DrawOverlay(const DecodedImage& image, std::span<const Line> lines);

}  // namespace inkread

#endif  // INKREAD_APPS_OVERLAY_H_
