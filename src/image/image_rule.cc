#include "image/image_rule.h"

#include <utility>

#include "base/status.h"
#include "image/warp.h"

namespace inkread {
namespace {

// The same pixels with B and R exchanged, so that a resize gives the channels as R, G, B.
ImageView WithRedFirst(ImageView view) {
  switch (view.format) {
    case PixelFormat::kBgr24:
      view.format = PixelFormat::kRgb24;
      break;
    case PixelFormat::kRgb24:
      view.format = PixelFormat::kBgr24;
      break;
    case PixelFormat::kBgra32:
      view.format = PixelFormat::kRgba32;
      break;
    case PixelFormat::kRgba32:
      view.format = PixelFormat::kBgra32;
      break;
    case PixelFormat::kGray8:
      break;
  }
  return view;
}

}  // namespace

BgrImage CutOut(const ImageView& image, const ImageRule& rule) {
  if (rule.crop)
    return Turned(WarpQuad(image, rule.crop->corners, rule.crop->width, rule.crop->height), rule.quarter_turns);
  BgrImage copy(image.width_px, image.height_px);
  CopyBgr(image, 0, 0, image.width_px, image.height_px, copy.pixels.data(), static_cast<ptrdiff_t>(image.width_px) * 3);
  return Turned(std::move(copy), rule.quarter_turns);
}

BgrImage Turned(BgrImage image, int quarter_turns) {
  INKREAD_CHECK(quarter_turns >= 0 && quarter_turns < 4);
  if (quarter_turns % 2 == 1) image = RotatedCounterClockwise(image);
  if (quarter_turns >= 2) image = RotatedHalfTurn(image);
  return image;
}

InputRows::InputRows(const ImageView& cut_out, const ImageRule& rule)
    : cut_out_(rule.is_red_first ? WithRedFirst(cut_out) : cut_out),
      plan_(cut_out.width_px, cut_out.height_px, rule.width, rule.height),
      normalisation_(rule.normalisation),
      row_width_(rule.row_width) {}

void InputRows::Fill(int row_begin, int row_end, float* out) const {
  ResizeNormalise(cut_out_, plan_, normalisation_, row_begin, row_end, row_width_, out);
}

}  // namespace inkread
