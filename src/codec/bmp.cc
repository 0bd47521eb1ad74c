// Reads BMP without a library, because Debian has none that detects truncated files. Supports the headers of OS/2 and
// Windows, 1 to 32 bits per pixel, run-length coding, bit fields, and rows in either direction.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

enum Compression : uint32_t {
  kRgb = 0,
  kRle8 = 1,
  kRle4 = 2,
  kBitFields = 3,
  kJpeg = 4,
  kPng = 5,
  kAlphaBitFields = 6
};

struct Header {
  int64_t width = 0;
  int64_t height = 0;
  bool top_down = false;
  uint32_t bits = 0;
  uint32_t compression = kRgb;
  size_t palette_at = 0;
  size_t palette_entry_bytes = 4;
  size_t num_colours = 0;
  size_t pixels_at = 0;
  std::array<uint32_t, 4> masks = {};  // blue, green, red, alpha
};

uint32_t U16(std::span<const uint8_t> b, size_t at) { return b[at] | b[at + 1] << 8; }
uint32_t U32(std::span<const uint8_t> b, size_t at) { return U16(b, at) | U16(b, at + 2) << 16; }

Status CheckMasks(const Header& h) {
  for (size_t c = 0; c < 4; ++c) {
    const uint32_t run = h.masks[c] == 0 ? 0 : h.masks[c] >> std::countr_zero(h.masks[c]);
    if ((run & (run + 1)) != 0 || (c < 3 && run == 0)) {
      return CorruptImage("BMP header: bit mask ", c, " (of blue, green, red, alpha) is ", h.masks[c],
                          ", expected consecutive bits");
    }
  }
  return Status();
}

constexpr size_t kFileHeaderBytes = 14;

// Reads the fields of the header of `header_bytes` bytes; the whole header is in `b`.
Header ReadFields(std::span<const uint8_t> b, uint32_t header_bytes) {
  Header h;
  h.pixels_at = U32(b, 10);
  h.palette_at = kFileHeaderBytes + header_bytes;
  if (header_bytes == 12) {
    h.width = U16(b, 18);
    h.height = U16(b, 20);
    h.bits = U16(b, 24);
    h.palette_entry_bytes = 3;
  } else {
    h.width = static_cast<int32_t>(U32(b, 18));
    h.height = static_cast<int32_t>(U32(b, 22));
    h.bits = U16(b, 28);
    if (header_bytes >= 40) {
      h.compression = U32(b, 30);
      h.num_colours = U32(b, 46);
    }
  }
  h.top_down = h.height < 0;
  if (h.top_down) h.height = -h.height;
  return h;
}

// Checks the bits per pixel and sets the default masks.
Status SetMasksByBits(Header* h) {
  switch (h->bits) {
    case 1:
    case 2:
    case 4:
    case 8:
      return Status();
    case 16:
      h->masks = {0x1F, 0x1F << 5, 0x1F << 10, 0};
      return Status();
    case 24:
    case 32:
      h->masks = {0xFF, 0xFF00, 0xFF0000, 0};
      return Status();
    default:
      return Unsupported("BMP: ", h->bits, " bits per pixel, expected 1, 2, 4, 8, 16, 24 or 32");
  }
}

// Reads the masks of a file with bit fields; the palette then begins behind them.
Status ReadMasks(std::span<const uint8_t> b, uint32_t header_bytes, Header* h) {
  // The masks are part of the header from version 2 on and follow the 40 bytes of version 1: the same position.
  const size_t num_masks = header_bytes >= 56 || (header_bytes == 40 && h->compression == kAlphaBitFields) ? 4 : 3;
  constexpr size_t kMasksAt = kFileHeaderBytes + 40;
  if (b.size() < kMasksAt + 4 * num_masks) return CorruptImage("BMP: truncated within its bit masks");
  for (size_t c = 0; c < 3; ++c) h->masks[2 - c] = U32(b, kMasksAt + 4 * c);
  if (num_masks == 4) h->masks[3] = U32(b, kMasksAt + 12);
  if (header_bytes == 40) h->palette_at += 4 * num_masks;
  return CheckMasks(*h);
}

Result<Header> ReadHeader(std::span<const uint8_t> b) {
  if (b.size() < kFileHeaderBytes + 12) return CorruptImage("BMP: truncated within its header");
  const uint32_t header_bytes = U32(b, kFileHeaderBytes);
  if (b.size() - kFileHeaderBytes < header_bytes) return CorruptImage("BMP: truncated within its header");
  Header h = ReadFields(b, header_bytes);
  constexpr uint32_t kOs2HeaderBytes = 64;  // with other numbers for compression
  if ((h.compression == kJpeg || h.compression == kPng) && header_bytes != kOs2HeaderBytes) {
    return Unsupported("BMP: its pixels are a ", h.compression == kJpeg ? "JPEG" : "PNG",
                       " file, which is not decoded");
  }
  INKREAD_RETURN_IF_ERROR(SetMasksByBits(&h));
  const bool fields = h.compression == kBitFields || h.compression == kAlphaBitFields;
  const bool fits = h.compression == kRgb || (h.compression == kRle8 && h.bits == 8) ||
                    (h.compression == kRle4 && h.bits == 4) || (fields && (h.bits == 16 || h.bits == 32));
  if (!fits) return Unsupported("BMP: compression ", h.compression, " with ", h.bits, " bits per pixel");
  if (fields) INKREAD_RETURN_IF_ERROR(ReadMasks(b, header_bytes, &h));
  if (h.bits <= 8) {
    const size_t max_colours = size_t{1} << h.bits;
    if (h.num_colours == 0 || h.num_colours > max_colours) h.num_colours = max_colours;
  } else {
    h.num_colours = 0;
  }
  if (h.pixels_at == 0) h.pixels_at = h.palette_at + h.num_colours * h.palette_entry_bytes;
  if (h.pixels_at >= b.size()) {
    return CorruptImage("BMP: pixels begin at byte ", h.pixels_at, ", the file ends at ", b.size());
  }
  return h;
}

using Palette = std::array<std::array<uint8_t, 3>, 256>;

// Reads the palette. Entries beyond the end of the file or of the palette are black.
Palette ReadPalette(const Header& h, std::span<const uint8_t> b) {
  Palette palette = {};
  for (size_t i = 0; i < h.num_colours; ++i) {
    const size_t at = h.palette_at + i * h.palette_entry_bytes;
    if (at + 3 > b.size()) break;
    std::memcpy(palette[i].data(), b.data() + at, 3);
  }
  return palette;
}

// The value of a bit field, scaled to 0..255.
class Field {
 public:
  explicit Field(uint32_t mask)
      : mask_(mask), shift_(mask == 0 ? 0 : std::countr_zero(mask)), max_(mask == 0 ? 1 : mask >> shift_) {}
  uint8_t Of(uint32_t pixel) const {
    return static_cast<uint8_t>((uint64_t{(pixel & mask_) >> shift_} * 255 + max_ / 2) / max_);
  }

 private:
  uint32_t mask_;
  int shift_;
  uint32_t max_;
};

// Reads rows of fixed length. Returns the number of rows in the file.
int ReadPlainRows(const Header& h, const Palette& palette, std::span<const uint8_t> data, Raster* raster) {
  const size_t row_bytes = (static_cast<size_t>(h.width) * h.bits + 31) / 32 * 4;
  const size_t used_bytes = (static_cast<size_t>(h.width) * h.bits + 7) / 8;
  const std::array<Field, 4> fields = {Field(h.masks[0]), Field(h.masks[1]), Field(h.masks[2]), Field(h.masks[3])};
  for (int i = 0; i < raster->height_px; ++i) {
    // The padding of the last row may be missing.
    const size_t at = static_cast<size_t>(i) * row_bytes;
    if (at > data.size() || data.size() - at < used_bytes) return i;
    const uint8_t* in = data.data() + at;
    uint8_t* out = raster->row(h.top_down ? i : raster->height_px - 1 - i);
    for (int x = 0; x < raster->width_px; ++x, out += raster->channels) {
      if (h.bits <= 8) {
        const uint32_t bit = static_cast<uint32_t>(x) * h.bits;
        const uint32_t index = in[bit / 8] >> (8 - h.bits - bit % 8) & ((1u << h.bits) - 1);
        std::memcpy(out, palette[index].data(), 3);
      } else if (h.bits == 24) {
        std::memcpy(out, in + 3 * static_cast<size_t>(x), 3);
      } else {
        const uint8_t* p = in + static_cast<size_t>(x) * (h.bits / 8);
        const uint32_t pixel =
            h.bits == 16 ? p[0] | p[1] << 8
                         : static_cast<uint32_t>(p[0] | p[1] << 8 | p[2] << 16) | static_cast<uint32_t>(p[3]) << 24;
        for (size_t c = 0; c < static_cast<size_t>(raster->channels); ++c) out[c] = fields[c].Of(pixel);
      }
    }
  }
  return raster->height_px;
}

// Reads run-length coding with 4 or 8 bits per pixel. Returns the number of complete rows; all rows if the end mark was
// found.
int ReadRuns(const Header& h, const Palette& palette, std::span<const uint8_t> data, Raster* raster) {
  int x = 0;
  int y = 0;  // counted in file order
  size_t at = 0;
  const auto put = [&](uint32_t index) {
    if (x >= raster->width_px) return;
    uint8_t* row = raster->row(h.top_down ? y : raster->height_px - 1 - y);
    std::memcpy(row + 3 * static_cast<size_t>(x++), palette[index].data(), 3);
  };
  const auto index_of = [&](uint8_t byte, uint32_t i) {
    return h.bits == 8 ? uint32_t{byte} : (i % 2 == 0 ? byte >> 4 : byte & 15u);
  };
  while (y < raster->height_px) {
    if (data.size() - at < 2) return y;
    const uint32_t count = data[at];
    const uint8_t value = data[at + 1];
    at += 2;
    if (count > 0) {
      for (uint32_t i = 0; i < count; ++i) put(index_of(value, i));
    } else if (value == 0) {  // end of the row
      x = 0;
      ++y;
    } else if (value == 1) {  // end of the image
      return raster->height_px;
    } else if (value == 2) {  // move right and to a later row
      if (data.size() - at < 2) return y;
      x = std::min(x + data[at], raster->width_px);
      y += data[at + 1];
      at += 2;
    } else {  // `value` literal pixels, padded to 16 bits
      const size_t bytes = h.bits == 8 ? value : (value + 1u) / 2;
      if (data.size() - at < bytes) return y;
      for (uint32_t i = 0; i < value; ++i) put(index_of(data[at + (h.bits == 8 ? i : i / 2)], i));
      at = std::min(at + bytes + bytes % 2, data.size());
    }
  }
  return raster->height_px;
}

// True if alpha is zero everywhere. Such a file is meant to have no alpha.
bool AllClear(const Raster& raster) {
  for (size_t i = 3; i < raster.pixels.size(); i += 4) {
    if (raster.pixels[i] != 0) return false;
  }
  return true;
}

}  // namespace

Result<Raster> ReadBmp(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  INKREAD_ASSIGN_OR_RETURN(const Header header, ReadHeader(bytes));
  INKREAD_RETURN_IF_ERROR(CheckSize("BMP", header.width, header.height, options.max_pixels));
  const bool alpha = header.masks[3] != 0 && options.alpha != AlphaMode::kDrop;
  const bool runs = header.compression == kRle8 || header.compression == kRle4;
  const Palette palette = ReadPalette(header, bytes);
  Raster raster;
  Allocate(static_cast<int>(header.width), static_cast<int>(header.height), alpha ? 4 : 3, alpha ? 0 : 255, &raster);
  const std::span<const uint8_t> data = bytes.subspan(header.pixels_at);
  const int rows = runs ? ReadRuns(header, palette, data, &raster) : ReadPlainRows(header, palette, data, &raster);
  if (rows == 0) return CorruptImage("BMP: truncated before its first row");
  if (alpha && AllClear(raster)) {
    for (size_t i = 3; i < raster.pixels.size(); i += 4) raster.pixels[i] = 255;
  }
  if (rows < raster.height_px) {
    raster.warnings.push_back(StrCat("BMP: truncated at row ", rows, " of ", raster.height_px,
                                     header.top_down ? "" : ", counted from the bottom", "; the rest is blank"));
  }
  return raster;
}

}  // namespace inkread::codec
