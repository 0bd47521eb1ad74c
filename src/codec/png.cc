// Reads and writes PNG with libpng. Chunks that are not needed for the pixels are skipped.
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

constexpr size_t kMessageBytes = 200;

// All state that must survive a longjmp. The functions that call setjmp have no objects of their own.
struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const uint8_t> bytes;
  size_t offset = 0;
  bool is_truncated = false;
  char message[kMessageBytes] = "";
  char first_warning[kMessageBytes] = "";
  uint32_t num_frames = 1;  // of an animated PNG
  int num_passes = 1;
  int pass = 0;
  int row = 0;
  bool all_rows = false;
  Raster raster;

  PngReader() = default;
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] void OnError(png_structp png, png_const_charp message) {
  auto* r = static_cast<PngReader*>(png_get_error_ptr(png));
  std::snprintf(r->message, kMessageBytes, "%s", message);
  png_longjmp(png, 1);
}

void OnWarning(png_structp png, png_const_charp message) {
  auto* r = static_cast<PngReader*>(png_get_error_ptr(png));
  if (r->first_warning[0] == '\0') std::snprintf(r->first_warning, kMessageBytes, "%s", message);
}

void OnRead(png_structp png, png_bytep out, size_t size) {
  auto* r = static_cast<PngReader*>(png_get_io_ptr(png));
  if (size > r->bytes.size() - r->offset) {
    r->is_truncated = true;
    png_error(png, "the file ends");
  }
  std::memcpy(out, r->bytes.data() + r->offset, size);
  r->offset += size;
}

int OnUnknownChunk(png_structp png, png_unknown_chunkp chunk) {
  auto* r = static_cast<PngReader*>(png_get_user_chunk_ptr(png));
  if (std::memcmp(chunk->name, "acTL", 4) == 0 && chunk->size >= 8) r->num_frames = png_get_uint_32(chunk->data);
  const bool is_critical = (chunk->name[0] & 0x20) == 0;
  return is_critical ? 0 : 1;  // 1: done with it. 0 would keep an ancillary chunk, with a warning.
}

bool ReadHeader(PngReader* r) {
  r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, OnError, OnWarning);
  if (r->png == nullptr) return false;
  r->info = png_create_info_struct(r->png);
  if (r->info == nullptr) return false;
  if (setjmp(png_jmpbuf(r->png))) return false;
  png_set_read_fn(r->png, r, OnRead);
  png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // the limit is max_pixels
  // libpng decompresses one buffer at a time. Of a truncated file less than one buffer is lost.
  png_set_compression_buffer_size(r->png, 128);
  // A wrong checksum gives a warning; the data is used.
  png_set_crc_action(r->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
  // Skips colour profiles, texts and so on, but keeps eXIf for its orientation and pHYs for the resolution.
  png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_AS_DEFAULT, reinterpret_cast<png_const_bytep>("eXIf\0pHYs"), 2);
  png_set_read_user_chunk_fn(r->png, r, OnUnknownChunk);
  png_read_info(r->png, r->info);
  return true;
}

// Requests 8 bits per channel: grey, BGR or BGRA. Returns the number of channels, 0 on failure.
int ChooseFormat(AlphaMode mode, PngReader* r) {
  if (setjmp(png_jmpbuf(r->png))) return 0;
  const int type = png_get_color_type(r->png, r->info);
  const bool clear_colours = png_get_valid(r->png, r->info, PNG_INFO_tRNS) != 0;
  const bool alpha = mode != AlphaMode::kDrop && ((type & PNG_COLOR_MASK_ALPHA) != 0 || clear_colours);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(r->png);
  if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(r->png);
  if (clear_colours && alpha) png_set_tRNS_to_alpha(r->png);
  png_set_strip_16(r->png);
  if (!alpha) png_set_strip_alpha(r->png);
  if ((type & PNG_COLOR_MASK_COLOR) == 0 && alpha) png_set_gray_to_rgb(r->png);
  png_set_bgr(r->png);
  r->num_passes = png_set_interlace_handling(r->png);
  png_read_update_info(r->png, r->info);
  return png_get_channels(r->png, r->info);
}

// Reads all passes. An early pass fills whole blocks, so that a truncated interlaced file is coarse instead of sparse.
bool ReadRows(PngReader* r) {
  if (setjmp(png_jmpbuf(r->png))) return false;
  for (r->pass = 0; r->pass < r->num_passes; ++r->pass) {
    for (r->row = 0; r->row < r->raster.height_px; ++r->row) {
      png_bytep row = r->raster.row(r->row);
      if (r->num_passes == 1) {
        png_read_row(r->png, row, nullptr);
      } else {
        png_read_row(r->png, nullptr, row);
      }
    }
  }
  r->all_rows = true;
  png_read_end(r->png, r->info);
  return true;
}

// The eXIf chunk, if it was read; it may come before or after the pixels.
int Orientation(PngReader* r) {
  png_uint_32 size = 0;
  png_bytep exif = nullptr;
  if (setjmp(png_jmpbuf(r->png))) return 1;
  if (png_get_eXIf_1(r->png, r->info, &size, &exif) == 0) return 1;
  return ExifOrientation({exif, size});
}

double Dpi(const PngReader& r) {
  constexpr double kMetresPerInch = kCentimetresPerInch / 100;
  return png_get_x_pixels_per_meter(r.png, r.info) * kMetresPerInch;  // 0 where there is none
}

}  // namespace

Result<Raster> ReadPng(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  PngReader r;
  r.bytes = bytes;
  if (!ReadHeader(&r)) {
    if (r.info == nullptr) return OutOfMemory("PNG: no memory for the reader");
    return CorruptImage("PNG header: ", r.message);
  }
  const int64_t width = png_get_image_width(r.png, r.info);
  const int64_t height = png_get_image_height(r.png, r.info);
  INKREAD_RETURN_IF_ERROR(CheckSize("PNG", width, height, options.max_pixels));
  const int channels = ChooseFormat(options.alpha, &r);
  if (channels != 1 && channels != 3 && channels != 4) return CorruptImage("PNG header: ", r.message);
  // Rows that are missing stay white, or transparent if there is alpha.
  Allocate(static_cast<int>(width), static_cast<int>(height), channels, channels == 4 ? 0 : 255, &r.raster);
  r.raster.dpi = Dpi(r);

  if (!ReadRows(&r)) {
    if (!r.all_rows && r.pass == 0 && r.row == 0) {
      return CorruptImage("PNG: ", r.is_truncated ? "truncated" : "damaged", " before its first row (", r.message, ")");
    }
    const std::string what = StrCat("PNG: ", r.is_truncated ? "truncated" : "damaged");
    if (r.all_rows) {
      r.raster.warnings.push_back(StrCat(what, " after the last row (", r.message, ")"));
    } else if (r.num_passes > 1) {
      r.raster.warnings.push_back(StrCat(what, " in pass ", r.pass + 1, " of ", r.num_passes, " at row ", r.row, " of ",
                                         height, "; what follows is coarse or blank (", r.message, ")"));
    } else {
      r.raster.warnings.push_back(
          StrCat(what, " at row ", r.row, " of ", height, "; the rest is blank (", r.message, ")"));
    }
  } else if (r.first_warning[0] != '\0') {
    r.raster.warnings.push_back(StrCat("PNG: ", r.first_warning));
  }
  if (r.num_frames > 1) {
    r.raster.warnings.push_back(StrCat("PNG: an animation of ", r.num_frames, " frames; the first is read"));
  }
  r.raster.orientation = Orientation(&r);
  return std::move(r.raster);
}

}  // namespace inkread::codec

namespace inkread {
namespace {

struct PngWriter {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::vector<uint8_t> bytes;

  PngWriter() = default;
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png, &info); }
};

// An exception of the allocator must not pass through libpng's stack frames.
bool Append(const uint8_t* data, size_t size, std::vector<uint8_t>* bytes) try {
  bytes->insert(bytes->end(), data, data + size);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void OnWrite(png_structp png, png_bytep data, size_t size) {
  if (!Append(data, size, static_cast<std::vector<uint8_t>*>(png_get_io_ptr(png)))) png_error(png, "out of memory");
}

[[noreturn]] void OnWriteError(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void IgnoreWarning(png_structp, png_const_charp) {}

bool WriteAll(const ImageView& image, PngWriter* w) {
  w->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, OnWriteError, IgnoreWarning);
  if (w->png == nullptr) return false;
  w->info = png_create_info_struct(w->png);
  if (w->info == nullptr) return false;
  if (setjmp(png_jmpbuf(w->png))) return false;
  const int channels = BytesPerPixel(image.format);
  png_set_write_fn(w->png, &w->bytes, OnWrite, nullptr);
  png_set_user_limits(w->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(w->png, w->info, static_cast<png_uint_32>(image.width_px), static_cast<png_uint_32>(image.height_px), 8,
               channels == 1   ? PNG_COLOR_TYPE_GRAY
               : channels == 3 ? PNG_COLOR_TYPE_RGB
                               : PNG_COLOR_TYPE_RGB_ALPHA,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(w->png, 3);  // close to the size of the default 6 in about a third of the time
  png_write_info(w->png, w->info);
  if (image.format == PixelFormat::kBgr24 || image.format == PixelFormat::kBgra32) png_set_bgr(w->png);
  for (int y = 0; y < image.height_px; ++y) png_write_row(w->png, image.pixels + y * image.stride_bytes);
  png_write_end(w->png, w->info);
  return true;
}

}  // namespace

Result<std::vector<uint8_t>> EncodePng(const ImageView& image) {
  INKREAD_RETURN_IF_ERROR(codec::CheckToWrite("PNG", image));
  PngWriter writer;
  if (!WriteAll(image, &writer)) {
    return OutOfMemory("PNG to write: no memory for ", image.width_px, " x ", image.height_px, " px");
  }
  return std::move(writer.bytes);
}

}  // namespace inkread
