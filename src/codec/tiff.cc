// Reads TIFF with libtiff's RGBA interface, one strip or tile at a time, so that a damaged one does not affect the
// others.
#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

// Limits the number of pages. libtiff detects cycles of directories itself.
constexpr size_t kMaxPages = 65535;
// Number of strips or tiles that may fail before the reader gives up, so that a short file with millions of them is
// fast.
constexpr int kMaxFailures = 64;

struct Messages {
  int num_errors = 0;
  char first_error[256] = "";
};

// The file as libtiff reads it, and the messages of libtiff.
struct Source {
  std::span<const uint8_t> bytes;
  uint64_t offset = 0;
  Messages messages;
};

tmsize_t Read(thandle_t handle, void* out, tmsize_t size) {
  auto* s = static_cast<Source*>(handle);
  const uint64_t left = s->offset < s->bytes.size() ? s->bytes.size() - s->offset : 0;
  const uint64_t n = std::min<uint64_t>(left, static_cast<uint64_t>(size));
  if (n > 0) std::memcpy(out, s->bytes.data() + s->offset, n);
  s->offset += n;
  return static_cast<tmsize_t>(n);
}
tmsize_t Write(thandle_t, void*, tmsize_t) { return 0; }
toff_t Seek(thandle_t handle, toff_t offset, int whence) {
  auto* s = static_cast<Source*>(handle);
  const uint64_t base = whence == SEEK_CUR ? s->offset : whence == SEEK_END ? s->bytes.size() : 0;
  s->offset = base + offset;  // modulo 2^64; Read returns nothing beyond the end
  return s->offset;
}
int Close(thandle_t) { return 0; }
toff_t Size(thandle_t handle) { return static_cast<Source*>(handle)->bytes.size(); }

int OnError(TIFF*, void* user, const char* module, const char* format, va_list args) {
  auto* messages = static_cast<Messages*>(user);
  if (messages->num_errors++ == 0) {
    char text[200] = "";
    std::vsnprintf(text, sizeof(text), format, args);
    std::snprintf(messages->first_error, sizeof(messages->first_error), "%.50s: %s", module ? module : "", text);
  }
  return 1;  // handled: libtiff prints nothing to stderr
}
int OnWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

struct TiffCloser {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffPtr = std::unique_ptr<TIFF, TiffCloser>;

// max_alloc_bytes limits the memory of one field or strip.
TiffPtr OpenTiff(Source* source, int64_t max_alloc_bytes) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  if (options == nullptr) return nullptr;
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), OnError, &source->messages);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), OnWarning, nullptr);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(max_alloc_bytes));
  // r: read; h: no directory yet; m: no memory mapping. The name is for messages only.
  return TiffPtr(
      TIFFClientOpenExt("file", "rhm", source, Read, Write, Seek, Close, Size, nullptr, nullptr, options.get()));
}

// Ends an RGBA image.
struct RgbaImage : TIFFRGBAImage {
  RgbaImage() : TIFFRGBAImage() {}
  RgbaImage(const RgbaImage&) = delete;
  RgbaImage& operator=(const RgbaImage&) = delete;
  ~RgbaImage() {
    if (begun) TIFFRGBAImageEnd(this);
  }
  bool begun = false;
};

struct Block {
  int width_px;
  int height_px;
};

Block BlockSize(TIFF* tiff, int width, int height) {
  uint32_t w = 0;
  uint32_t h = 0;
  if (TIFFIsTiled(tiff)) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &w);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &h);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &h);
  }
  const auto clamp = [](uint32_t side, int whole) {
    return side == 0 || side > static_cast<uint32_t>(whole) ? whole : static_cast<int>(side);
  };
  return {clamp(w, width), clamp(h, height)};
}

// Copies libtiff's 32-bit pixels of one block, top row first, to its position on the raster.
void StoreBlock(const std::vector<uint32_t>& rgba, int x0, int y0, int width, int height, Raster* raster) {
  const size_t pixel = static_cast<size_t>(raster->channels);
  for (int y = 0; y < height; ++y) {
    const uint32_t* in = rgba.data() + static_cast<size_t>(y) * width;
    uint8_t* out = raster->row(y0 + y) + x0 * pixel;
    for (int x = 0; x < width; ++x, out += pixel) {
      out[0] = static_cast<uint8_t>(TIFFGetB(in[x]));
      out[1] = static_cast<uint8_t>(TIFFGetG(in[x]));
      out[2] = static_cast<uint8_t>(TIFFGetR(in[x]));
      if (pixel == 4) out[3] = static_cast<uint8_t>(TIFFGetA(in[x]));
    }
  }
}

// libtiff treats extra samples of unknown meaning as alpha. Only samples that are declared as alpha count here.
bool SaysAlpha(TIFF* tiff) {
  uint16_t num_extra = 0;
  uint16_t* kinds = nullptr;
  if (!TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &num_extra, &kinds) || num_extra == 0) return false;
  return kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA;
}

bool IsBlank(const std::vector<uint32_t>& rgba) {
  return std::all_of(rgba.begin(), rgba.end(), [&](uint32_t p) { return p == rgba.front(); });
}

struct Tally {
  int num_blocks = 0;
  int num_failed = 0;
  int num_useful = 0;  // blocks that were read, at least in part
  int first_failed_row = 0;
};

Tally ReadBlocks(TIFF* tiff, TIFFRGBAImage* image, const Messages& messages, Raster* raster) {
  const Block block = BlockSize(tiff, raster->width_px, raster->height_px);
  Tally tally;
  std::vector<uint32_t> rgba;
  for (int y = 0; y < raster->height_px && tally.num_failed < kMaxFailures; y += block.height_px) {
    const int height = std::min(block.height_px, raster->height_px - y);
    for (int x = 0; x < raster->width_px && tally.num_failed < kMaxFailures; x += block.width_px) {
      const int width = std::min(block.width_px, raster->width_px - x);
      rgba.assign(static_cast<size_t>(width) * height, 0);
      image->row_offset = y;
      image->col_offset = x;
      const int errors_before = messages.num_errors;
      const bool ok = TIFFRGBAImageGet(image, rgba.data(), static_cast<uint32_t>(width), static_cast<uint32_t>(height));
      const bool whole = ok && messages.num_errors == errors_before;
      ++tally.num_blocks;
      if (!whole && tally.num_failed++ == 0) tally.first_failed_row = y;
      if (whole || !IsBlank(rgba)) {
        ++tally.num_useful;
        StoreBlock(rgba, x, y, width, height, raster);
      }
    }
  }
  return tally;
}

}  // namespace

Result<std::vector<uint64_t>> ListTiffPages(std::span<const uint8_t> bytes) {
  Source source{bytes, 0, {}};
  const TiffPtr tiff = OpenTiff(&source, int64_t{64} << 20);
  if (tiff == nullptr) return CorruptImage("TIFF header: ", source.messages.first_error);
  std::vector<uint64_t> pages;
  std::vector<uint64_t> others;  // reduced copies and masks, used if there are no pages
  while (pages.size() + others.size() < kMaxPages && TIFFReadDirectory(tiff.get())) {
    uint32_t kind = 0;
    TIFFGetField(tiff.get(), TIFFTAG_SUBFILETYPE, &kind);
    const bool page = (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0;
    (page ? pages : others).push_back(TIFFCurrentDirOffset(tiff.get()));
  }
  if (pages.empty()) pages.swap(others);
  if (pages.empty()) return CorruptImage("TIFF: no page can be read (", source.messages.first_error, ")");
  return pages;
}

Result<Raster> ReadTiff(std::span<const uint8_t> bytes, uint64_t directory, const DecodeOptions& options) {
  Source source{bytes, 0, {}};
  // Allows a strip of the largest image with five samples of 16 bits.
  const int64_t max_alloc_bytes = std::clamp<int64_t>(options.max_pixels, 1 << 20, int64_t{1} << 40) * 10;
  const TiffPtr tiff = OpenTiff(&source, max_alloc_bytes);
  if (tiff == nullptr || !TIFFSetSubDirectory(tiff.get(), directory)) {
    return CorruptImage("TIFF directory at byte ", directory, ": ", source.messages.first_error);
  }
  uint32_t width = 0;
  uint32_t height = 0;
  TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
  INKREAD_RETURN_IF_ERROR(CheckSize("TIFF", width, height, options.max_pixels));
  char reason[1024] = "";
  if (!TIFFRGBAImageOK(tiff.get(), reason)) return Unsupported("TIFF: ", reason);
  RgbaImage image;
  image.begun = TIFFRGBAImageBegin(&image, tiff.get(), 0, reason) != 0;
  if (!image.begun) {
    const char* why = reason[0] != '\0' ? reason : source.messages.first_error;
    return CorruptImage("TIFF: cannot be decoded (", why, ")");
  }
  Raster raster;
  raster.orientation = image.orientation;
  float resolution = 0;
  uint16_t unit = RESUNIT_INCH;
  TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &resolution);
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_RESOLUTIONUNIT, &unit);
  if (unit == RESUNIT_INCH) raster.dpi = resolution;
  if (unit == RESUNIT_CENTIMETER) raster.dpi = resolution * kCentimetresPerInch;
  image.req_orientation = image.orientation;  // as stored; Finish() applies the orientation
  raster.premultiplied = true;                // always true for libtiff's RGBA
  const bool alpha = options.alpha != AlphaMode::kDrop && image.alpha != 0 && SaysAlpha(tiff.get());
  Allocate(static_cast<int>(width), static_cast<int>(height), alpha ? 4 : 3, alpha ? 0 : 255, &raster);
  const Tally tally = ReadBlocks(tiff.get(), &image, source.messages, &raster);
  if (tally.num_useful == 0) return CorruptImage("TIFF: truncated or damaged (", source.messages.first_error, ")");
  if (tally.num_failed > 0) {
    raster.warnings.push_back(StrCat("TIFF: truncated or damaged from row ", tally.first_failed_row, " of ", height,
                                     ", ", tally.num_failed, " of ", tally.num_blocks, " blocks (",
                                     source.messages.first_error, ")"));
  }
  return raster;
}

}  // namespace inkread::codec
