// Draws the lines that were found onto their image.
#ifndef INKREAD_APPS_OVERLAY_H_
#define INKREAD_APPS_OVERLAY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {

// Draws the quads as outlines and, at each top left corner, the number of the line in reading order, from 1.
//
// Returns  a PNG in the size of the image
// Errors   as EncodePng
Result<std::vector<uint8_t>> DrawOverlay(const DecodedImage& image, std::span<const Line> lines);

}  // namespace inkread

#endif  // INKREAD_APPS_OVERLAY_H_
