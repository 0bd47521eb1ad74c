// Any bytes as a PDF: pages that are images are unpacked or refused, never a crash. No page is drawn, since pdftoppm is
// a program of others.
#include <algorithm>
#include <cstdlib>

#include "base/status.h"
#include "inkread/document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int no_pdftoppm = setenv("PATH", "", 1);
  INKREAD_CHECK(no_pdftoppm == 0);
  if (!inkread::LooksLikePdf({data, size})) return 0;
  const auto document = inkread::Document::Open({data, size});
  if (!document.ok()) {
    INKREAD_CHECK(!document.status().message().empty());
    return 0;
  }
  inkread::DocumentOptions options;
  options.decode.max_pixels = 1 << 18;
  for (int page = 0; page < std::min((*document)->num_pages(), 3); ++page) {
    (*document)->HasText(page);
    const auto image = (*document)->Decode(page, options);
    if (!image.ok()) {
      INKREAD_CHECK(!image.status().message().empty());
      continue;
    }
    INKREAD_CHECK(image->width_px >= 1 && image->height_px >= 1);
    INKREAD_CHECK(int64_t{image->width_px} * image->height_px <= options.decode.max_pixels);
    INKREAD_CHECK(image->pixels.size() == static_cast<size_t>(image->stride_bytes) * image->height_px);
  }
  return 0;
}
