#include "image/image_rule.h"

#include "base/status.h"

namespace inkread {
namespace {

// The same pixels with the roles of B and R exchanged, so that a conversion to BGR yields R, G, B.
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

void ResizeNormalise(const ImageView& image, const ImageRule& rule, float* out) {
  INKREAD_CHECK(!rule.crop && rule.quarter_turns == 0);
  const ResizePlan plan(image.width_px, image.height_px, rule.width, rule.height);
  ResizeNormalise(rule.is_red_first ? WithRedFirst(image) : image, plan, rule.normalisation, 0, rule.height,
                  rule.row_width, out);
}

}  // namespace inkread
