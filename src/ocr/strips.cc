#include "ocr/strips.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "image/image.h"
#include "ocr/det_input.h"

namespace inkread {
namespace {

// Longer maps are made in strips. No map of the official pipeline is.
constexpr int kMaxWhole = 4000;

bool RunsAlongRows(const Size& map) { return map.width > map.height; }

}  // namespace

bool NeedsStrips(const Size& map) { return std::max(map.height, map.width) > kMaxWhole; }

std::vector<Strip> MakeStrips(int length) {
  constexpr int kLength = 1280, kContext = 128;
  if (length <= kLength) return {{0, length, 0, length}};
  const int most = kLength - 2 * kContext;
  const int count = (length - 2 * kContext + most - 1) / most;
  std::vector<Strip> strips;
  for (int i = 0; i < count; ++i) {
    const double at = double{1} * (length - kLength) * i / (count - 1);
    const int begin = static_cast<int>(at) / kDetMultiple * kDetMultiple;
    Strip strip{begin, begin + kLength, 0, length};
    if (i > 0) {
      strip.own_begin = (strips.back().end + begin) / 2;
      strips.back().own_end = strip.own_begin;
    }
    strips.push_back(strip);
  }
  return strips;
}

Size SizeOf(const Strip& strip, const Size& map) {
  const int length = strip.end - strip.begin;
  return RunsAlongRows(map) ? Size{map.height, length} : Size{length, map.width};
}

ImageView PartOf(const ImageView& image, const Size& map, const Strip& strip) {
  const bool along_rows = RunsAlongRows(map);
  const double scale = along_rows ? double{1} * image.width_px / map.width : double{1} * image.height_px / map.height;
  const int begin = static_cast<int>(std::lrint(strip.begin * scale)),
            end = static_cast<int>(std::lrint(strip.end * scale));
  ImageView part = image;
  if (along_rows) {
    part.pixels = image.pixels + ptrdiff_t{begin} * BytesPerPixel(image.format);
    part.width_px = end - begin;
  } else {
    part.pixels = image.row(begin);
    part.height_px = end - begin;
  }
  return part;
}

void CopyOwnPart(std::span<const float> values, const Strip& strip, const Size& map, std::span<float> whole) {
  const Size size = SizeOf(strip, map);
  const int skipped = strip.own_begin - strip.begin, kept = strip.own_end - strip.own_begin;
  const bool along_rows = RunsAlongRows(map);
  const int num_rows = along_rows ? size.height : kept;
  const size_t row = static_cast<size_t>(along_rows ? kept : size.width);
  for (int y = 0; y < num_rows; ++y) {
    const size_t from = along_rows ? size_t{1} * y * size.width + skipped : size_t{1} * (y + skipped) * size.width;
    const size_t to =
        along_rows ? size_t{1} * y * map.width + strip.own_begin : size_t{1} * (y + strip.own_begin) * map.width;
    std::copy_n(values.begin() + static_cast<ptrdiff_t>(from), row, whole.begin() + static_cast<ptrdiff_t>(to));
  }
}

}  // namespace inkread
